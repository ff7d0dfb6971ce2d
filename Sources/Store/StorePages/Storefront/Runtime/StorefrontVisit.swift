import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTexts

/// A request of a customer's browser for a page.
struct StorefrontVisit: Sendable {
    /// What all forms of these pages carry a token for.
    private static let formScope = "storefront"

    let request: HTTPRequest
    private(set) var frame: StorefrontFrame
    let services: StorefrontPageServices
    let browser: StorefrontBrowser
    /// Nil in the storefront; the page of an app's prompt otherwise.
    private(set) var inApp: ItemPromptRequest?
    /// Who has shown with this request who they are, and the browser's token from now on.
    private var signedIn: (account: Account, token: String)?

    init(
        _ request: HTTPRequest, in environment: StoreEnvironment, storefront: Storefront,
        assets: PageAssets, services: StorefrontPageServices
    ) {
        self.request = request
        self.services = services.seen(in: environment)
        browser = StorefrontBrowser(request, in: environment)
        frame = StorefrontFrame(
            environment: environment, storefront: storefront, origin: browser.origin,
            assets: assets)
    }

    /// A visit of the page of an item that an app shows.
    init(
        _ request: HTTPRequest, _ inApp: ItemPromptRequest, assets: PageAssets,
        services: StorefrontPageServices
    ) {
        let environment = inApp.question.environment
        self.request = request
        self.services = services.seen(in: environment)
        self.inApp = inApp
        browser = StorefrontBrowser(request, in: environment)
        frame = StorefrontFrame(
            environment: environment, storefront: inApp.storefront, origin: "", assets: assets,
            app: AppFrame(
                name: inApp.question.appName, path: inApp.path,
                formToken: services.sessions.formToken(of: inApp.token, on: inApp.name)),
            texts: Texts(.of(acceptLanguage: request.headers["Accept-Language"])))
    }

    var environment: StoreEnvironment { frame.environment }
    var layout: StorefrontLayout { StorefrontLayout(frame) }

    /// A value of the query; empty where there is none.
    func query(_ name: String) -> String {
        request.query.first { $0.name == name }?.value ?? ""
    }

    /// A number of the query within a range; the least one where there is none.
    func number(_ name: String, in range: ClosedRange<Int>) -> Int {
        let text = query(name)
        guard text.utf8.count <= 9, let number = Int(text) else { return range.lowerBound }
        return min(max(number, range.lowerBound), range.upperBound)
    }

    /// The language that a link asks for, as texts are kept by it: `fr_CA` for `fr-ca`; nil for
    /// none.
    var locale: String? {
        let text = query("l")
        let parts = text.split(scalar: text.contains(scalar: "-") ? "-" : "_")
        guard (2...12).contains(text.utf8.count), (1...3).contains(parts.count),
            text.utf8.allSatisfy({ $0 < 0x80 }),
            parts.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber } })
        else { return nil }
        let rest = parts.dropFirst().map { $0.count == 2 ? $0.uppercased() : $0.capitalized }
        return ([parts[0].lowercased()] + rest).joined(separator: "_")
    }

    /// The number behind `id`, or the number alone.
    func number(_ text: String?) -> Int64? {
        guard let text else { return nil }
        return ItemID(String(text.dropping(prefix: "id") ?? text[...]))?.number
    }

    /// The item that the path names, or the app's prompt.
    var item: ItemID? {
        inApp?.item ?? number(request.parameters.last).map(ItemID.init(number:))
    }

    // MARK: Who it is

    /// The account that the browser has signed in to; nil for none.
    func account() async throws -> Account? {
        if let signedIn { return signedIn.account }
        if let inApp { return inApp.customer }
        guard let session = browser.session else { return nil }
        return try await services.sessions.account(of: session, in: environment)
    }

    /// The account that the browser has signed in to, for pages that are about it.
    ///
    /// - Throws: `SignInFirst`, which leads back here.
    func customer() async throws -> Account {
        guard let account = try await account() else {
            throw SignInFirst(next: PortalLink(request.path, request.query).text)
        }
        return account
    }

    /// The order that the path names.
    ///
    /// - Throws: `StorefrontProblem.unknown` for text that names none.
    func order() throws -> OrderID {
        guard request.parameters.count > 1, let order = OrderID(request.parameters[1]) else {
            throw StorefrontProblem.unknown
        }
        return order
    }

    /// The token that forms carry for this browser, and whether it has to be given it first.
    func token() throws -> (text: String, isNew: Bool) {
        if let signedIn { return (signedIn.token, false) }
        if let inApp { return (inApp.token, inApp.isNew) }
        if let token = browser.session ?? browser.visit { return (token, false) }
        return (try services.sessions.makeVisitor(), true)
    }

    func formToken(of token: String) -> String {
        services.sessions.formToken(of: token, on: inApp?.name ?? Self.formScope)
    }

    /// The form that was sent.
    ///
    /// - Throws: `FormFields.Problem`, and `ForeignStorefrontForm` where no page of ours has
    ///   given it to this browser.
    func form() throws -> FormFields {
        let form = try FormFields(request, sizeLimit: 64 << 10)
        if let inApp {
            guard !inApp.isNew, inApp.browser.isOwnForm(request),
                form[PageForm.tokenField] == formToken(of: inApp.token)
            else { throw ForeignStorefrontForm() }
            return form
        }
        let known = [browser.session, browser.visit].compactMap(\.self)
        guard browser.isOwnForm,
            known.contains(where: { formToken(of: $0) == form[PageForm.tokenField] })
        else { throw ForeignStorefrontForm() }
        return form
    }

    /// A page with forms, for this request alone.
    ///
    /// - Parameters:
    ///   - account: who is signed in.
    ///   - fill: what stands in a slot; nil for what usually does.
    ///   - content: makes the page; gets the token that its forms carry.
    func personal(
        _ account: Account?, status: Int = 200, fill: (PageSlot) -> HTML? = { _ in nil },
        _ content: (_ formToken: String) -> StorefrontPage
    ) throws -> HTTPResponse {
        let (token, isNew) = try token()
        var page = content(formToken(of: token))
        page.canonical = nil
        let template = PageTemplate(layout.document(page))
        var response = HTTPResponse.storefront(
            template.filled { slot in
                guard slot == .account, let account else { return fill(slot) }
                return StorefrontLayout.account(account.email, in: frame)
            }, status: status, caching: "no-store", isScripted: inApp != nil)
        if isNew {
            response.headers.append(
                "Set-Cookie", inApp?.browser.cookie(token) ?? browser.setting(visit: token))
        }
        return settled(response)
    }

    /// The visit of the customer whose password stands in a form.
    ///
    /// - Throws: `FormProblem`; `PromptRefusal` where that was the end of an app's prompt.
    func entered(with form: FormFields) async throws -> StorefrontVisit {
        let account = try await prove(form)
        guard let token = try await services.sessions.start(account) else {
            throw FormProblem(AccountRefusal.signInWrong, email: form["email"])
        }
        try await endSession()
        var visit = self
        visit.signedIn = (account, token)
        if let app = frame.app {
            visit.frame = StorefrontFrame(
                environment: environment, storefront: account.storefront, origin: frame.origin,
                assets: frame.assets,
                app: AppFrame(name: app.name, path: app.path, formToken: formToken(of: token)),
                texts: frame.texts)
        }
        return visit
    }

    private func prove(_ form: FormFields) async throws -> Account {
        do {
            if let inApp { return try await inApp.prove(form, client: request.clientAddress) }
            return try await services.accounts.authenticate(
                email: form["email"], password: form["password"], environment: environment,
                client: request.clientAddress, mayConvert: PageForm.mayConvert(form))
        } catch let refusal as AccountRefusal {
            throw FormProblem(refusal, email: form["email"])
        } catch let refusal as PromptRefusal where !refusal.isEnd {
            throw FormProblem(
                refusal, isOwn: inApp?.wanted != nil, email: form["email"], in: frame.texts)
        }
    }

    /// An answer with what a browser needs whose customer has signed in with this request.
    func settled(_ response: HTTPResponse) -> HTTPResponse {
        guard let signedIn else { return response }
        var response = response
        response.headers.append(
            "Set-Cookie",
            inApp?.browser.cookie(signedIn.token) ?? browser.setting(session: signedIn.token))
        return response
    }

    /// Ends the browser's session, where it has one.
    func endSession() async throws {
        if let session = inApp?.token ?? browser.session {
            try await services.sessions.end(session)
        }
    }

    /// The visit of a browser whose session has ended.
    var left: StorefrontVisit {
        var visit = self
        visit.signedIn = nil
        visit.inApp = inApp?.left
        return visit
    }

    // MARK: Who sent the customer

    /// Who is credited for what the customer buys now.
    var referral: Referral {
        if let inApp { return inApp.referral }
        return ReferralCookie.referral(of: request.query)
            ?? browser.referral.flatMap {
                ReferralCookie.referral(
                    of: $0, at: services.clock.now(),
                    duration: services.settings.referralDuration)
            } ?? Referral()
    }

    /// Lets the browser remember whom the link names.
    func remember(in response: inout HTTPResponse) {
        let duration = services.settings.referralDuration
        guard let referral = ReferralCookie.referral(of: request.query) else { return }
        response.headers.append(
            "Set-Cookie",
            browser.setting(
                referral: ReferralCookie.text(referral, at: services.clock.now()),
                // For the visit only: the browser forgets it when it is closed.
                seconds: duration > 0 ? Int(duration) : nil))
        response.headers["Cache-Control"] = "private, max-age=0, must-revalidate"
    }
}

/// Nobody is signed in, and somebody has to be.
struct SignInFirst: Error {
    /// Where it leads then.
    let next: String
}

/// A form that no page of ours has given to this browser.
struct ForeignStorefrontForm: Error {}
