import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// A request of a customer's browser for a page.
struct StorefrontVisit: Sendable {
    /// What all forms of these pages carry a token for.
    private static let formScope = "storefront"

    let request: HTTPRequest
    let frame: StorefrontFrame
    let services: StorefrontPageServices
    let browser: StorefrontBrowser

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

    /// The item that the path names.
    var item: ItemID? { number(request.parameters.last).map(ItemID.init(number:)) }

    // MARK: Who it is

    /// The account that the browser has signed in to; nil for none.
    func account() async throws -> Account? {
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
        if let token = browser.session ?? browser.visit { return (token, false) }
        return (try services.sessions.makeVisitor(), true)
    }

    func formToken(of token: String) -> String {
        services.sessions.formToken(of: token, on: Self.formScope)
    }

    /// The form that was sent.
    ///
    /// - Throws: `FormFields.Problem`, and `ForeignStorefrontForm` where no page of ours has
    ///   given it to this browser.
    func form() throws -> FormFields {
        let form = try FormFields(request, sizeLimit: 64 << 10)
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
    ///   - content: makes the page; gets the token that its forms carry.
    func personal(
        _ account: Account?, status: Int = 200, _ content: (_ formToken: String) -> StorefrontPage
    ) throws -> HTTPResponse {
        let (token, isNew) = try token()
        var page = content(formToken(of: token))
        page.canonical = nil
        var response = HTTPResponse.storefront(
            PageTemplate(layout.document(page)).filled { slot in
                guard slot == .account, let account else { return nil }
                return StorefrontLayout.account(account.email, in: frame)
            }, status: status, caching: "no-store")
        if isNew { response.headers.append("Set-Cookie", browser.setting(visit: token)) }
        return response
    }

    /// Signs in whoever typed a password, and leads on.
    ///
    /// - Throws: `AccountRefusal`.
    func signIn(_ form: FormFields, to path: String) async throws -> HTTPResponse {
        let account = try await services.accounts.authenticate(
            email: form["email"], password: form["password"], environment: environment,
            client: request.clientAddress, mayConvert: PageForm.mayConvert(form))
        var response = HTTPResponse.storefrontRedirect(to: path)
        response.headers.append(
            "Set-Cookie", browser.setting(session: try await services.sessions.start(account)))
        try await endSession()
        return response
    }

    /// Ends the browser's session, where it has one.
    func endSession() async throws {
        if let session = browser.session { try await services.sessions.end(session) }
    }

    // MARK: Who sent the customer

    /// Who is credited for what the customer buys now.
    var referral: Referral {
        ReferralCookie.referral(of: request.query)
            ?? browser.referral.flatMap {
                ReferralCookie.referral(
                    of: $0, at: services.clock.now(),
                    duration: services.settings.referralDuration)
            } ?? Referral()
    }

    /// Lets the browser remember whom the link names.
    func remember(in response: inout HTTPResponse) {
        let duration = services.settings.referralDuration
        guard duration > 0, let referral = ReferralCookie.referral(of: request.query) else {
            return
        }
        response.headers.append(
            "Set-Cookie",
            browser.setting(
                referral: ReferralCookie.text(referral, at: services.clock.now()),
                seconds: Int(duration)))
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
