import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What the page of an item that an app shows does: sign in, buy, say when the customer is done.
/// Only the last one ends the prompt.
struct ItemPromptPages: Sendable {
    /// How many reviews are shown.
    private static let reviewCount = 3

    let prompts: PromptService
    let sessions: PageSessionService
    let storefront: StorefrontService
    let sales: ItemSaleService
    let reviews: CustomerReviewService
    let media: ItemMediaService
    let assets: PageAssets

    /// The page of an open prompt.
    ///
    /// - Parameters:
    ///   - token: the browser's.
    ///   - account: the one that the browser has signed in to.
    ///   - name: what the page is called in its address.
    func page(
        _ prompt: Prompt, _ question: PromptQuestion, token: String, account: Account?,
        name: String, problem: String? = nil, typedEmail: String = "",
        asksToConvert: Bool = false, status: Int = 200
    ) async throws -> HTTPResponse {
        guard case .item(let id, let home) = question.subject else {
            throw PromptRefusal.wrongAnswer
        }
        let customer = Self.customer(account, of: prompt)
        let frame = StorefrontFrame(
            environment: question.environment, storefront: customer?.storefront ?? home,
            origin: "", assets: assets)
        let page = ItemPromptPage(
            question: question, frame: frame,
            standing: try await standing(
                of: id, for: customer, wanted: prompt.details.account, in: frame),
            customer: customer?.email, formToken: sessions.formToken(of: token, on: name),
            problem: problem, typedEmail: typedEmail, asksToConvert: asksToConvert)
        return .storefrontPage(scripted: page.html, status: status)
    }

    /// Takes a button of the page.
    func answer(
        _ answer: PageAnswer, _ form: FormFields, _ prompt: Prompt, visitor: PageVisitor,
        token: String, account: Account?, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let name = request.parameters.first ?? ""
        let shown = HTTPResponse.redirect(to: name)
        // What has ended shows how.
        guard prompts.state(of: prompt) == .open else { return shown }
        var (token, customer) = (token, Self.customer(account, of: prompt))
        var cookie: String?
        var problem: String?
        var asksToConvert = false
        do {
            switch answer {
            case .done:
                try await prompts.answer(.done, to: prompt, proven: nil)
                return shown
            case .signIn, .buy: break
            case .yes, .no, .later, .redeem, .forget: throw PromptRefusal.wrongAnswer
            }
            if customer == nil {
                let typed = try await proven(form, prompt, client: request.clientAddress)
                let fresh = try await sessions.start(typed)
                try await sessions.end(token)
                (token, customer, cookie) = (fresh, typed, visitor.cookie(fresh))
            }
            if answer == .buy, let customer { try await buy(form, prompt, by: customer) }
        } catch let refusal as PromptRefusal {
            switch refusal {
            case .notOpen, .exhausted, .unknown: return shown
            default:
                if case .wouldConvert = refusal { asksToConvert = true }
                problem = PromptPages.sentence(refusal, isOwn: prompt.details.account != nil)
            }
        } catch let refusal as ItemSaleRefusal {
            problem = refusal.description
        }
        var response = shown
        if let problem {
            response = try await page(
                prompt, try await prompts.question(of: prompt), token: token, account: customer,
                name: name, problem: problem, typedEmail: form["email"],
                asksToConvert: asksToConvert, status: 422)
        }
        if let cookie { response.headers.append("Set-Cookie", cookie) }
        return response
    }

    // MARK: Parts

    /// Who buys: the account that the prompt is for, or whoever the browser has signed in to
    /// where it is for nobody yet.
    private static func customer(_ account: Account?, of prompt: Prompt) -> Account? {
        guard let wanted = prompt.details.account else { return account }
        return account?.id == wanted ? account : nil
    }

    /// - Parameter wanted: the account that the prompt is for.
    private func standing(
        of id: ItemID, for customer: Account?, wanted: AccountID?, in frame: StorefrontFrame
    ) async throws -> ItemPromptPage.Standing {
        let storefront = storefront.seen(in: frame.environment)
        guard let item = try await storefront.item(id, in: frame.storefront) else {
            return .unavailable
        }
        let parts =
            item.kind.isCollection
            ? try await storefront.parts(of: id, in: frame.storefront) : []
        let opinions = try await reviews.reviews(
            of: id, in: frame.storefront, by: .mostHelpful, page: 1,
            size: Self.reviewCount, environment: frame.environment)
        if let customer, try await sales.owned(id, by: customer.id) != nil {
            return .owned(
                ItemPageBody(
                    item: item, parts: parts, reviews: opinions.reviews, links: frame.links,
                    downloads: try await media.downloadable([id] + parts.map(\.id))))
        }
        let body = ItemPageBody(
            item: item, parts: parts, reviews: opinions.reviews, links: frame.links)
        if let buyer = customer?.id ?? wanted, try await sales.needsApproval(buyer) {
            return .restricted(body)
        }
        return .offered(body)
    }

    private func proven(
        _ form: FormFields, _ prompt: Prompt, client: String?
    ) async throws -> Account {
        guard !form["password"].isEmpty else { throw PromptRefusal.notProven }
        return try await prompts.prove(
            email: form["email"], password: form["password"], for: prompt, client: client,
            mayConvert: PageForm.mayConvert(form))
    }

    /// Buys the item at the price that the page has shown.
    private func buy(_ form: FormFields, _ prompt: Prompt, by customer: Account) async throws {
        guard case .item(let id, let referral) = prompt.details.subject,
            let price = ItemPromptPage.price(form[ItemPromptPage.priceField])
        else { throw PromptRefusal.wrongAnswer }
        _ = try await sales.buy(id, expecting: price, by: customer, referral: referral)
    }
}
