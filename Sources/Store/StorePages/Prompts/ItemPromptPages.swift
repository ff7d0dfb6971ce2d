import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The page of an item that an app shows: the storefront's page in the frame of an app.
///
/// Only Done, what leaves the app, and too many wrong passwords end the prompt.
struct ItemPromptPages: Sendable {
    let prompts: PromptService
    let services: StorefrontPageServices
    let assets: PageAssets

    func visit(_ request: HTTPRequest, _ inApp: ItemPromptRequest) -> StorefrontVisit {
        StorefrontVisit(request, inApp, assets: assets, services: services)
    }

    /// The page of an open prompt.
    func page(
        _ visit: StorefrontVisit, problem: FormProblem? = nil, status: Int = 200
    ) async throws -> HTTPResponse {
        let account = try await visit.account()
        guard let id = visit.item,
            let item = try await visit.services.storefront.item(id, in: visit.frame.storefront)
        else { return try unavailable(visit, account, problem, status: status) }
        let page = try await ItemPages(visit).load(item)
        let components = try await ItemPromptComponents(page, account, visit, problem: problem)
        return try visit.personal(
            nil, status: status, fill: { components.html($0) }, { _ in page.page })
    }

    private func unavailable(
        _ visit: StorefrontVisit, _ account: Account?, _ problem: FormProblem?, status: Int
    ) throws -> HTTPResponse {
        let texts = visit.frame.texts
        return try visit.personal(nil, status: status) { token in
            StorefrontPage(
                texts.notAvailableTitle,
                [
                    .element(
                        "section", class: "message",
                        [
                            .element("h1", texts.notAvailableTitle),
                            .element("p", class: "lead", texts.notSoldWhereYouAre),
                            PageForm.problem(problem?.text),
                            ItemSaleForm.known(account?.email, token: token, in: visit.frame),
                        ])
                ])
        }
    }

    /// Takes a button of the page.
    func answer(
        _ answer: PageAnswer, _ form: FormFields, _ visit: StorefrontVisit
    ) async throws -> HTTPResponse {
        guard let inApp = visit.inApp else { throw StorefrontProblem.unknown }
        let shown = HTTPResponse.storefrontRedirect(to: inApp.path)
        // What has ended shows how.
        guard prompts.state(of: inApp.prompt) == .open else { return shown }
        do {
            switch answer {
            case .done:
                try await prompts.answer(.done, to: inApp.prompt, proven: nil)
                return shown
            case .leave:
                guard let target = visit.frame.storefrontPath(form[AppFrame.targetField]) else {
                    throw PromptRefusal.wrongAnswer
                }
                try await prompts.answer(.done, to: inApp.prompt, proven: nil)
                return .storefrontRedirect(to: target)
            case .signIn, .buy:
                let taken = try await OfferPages(visit).take(answer, inApp.item, form)
                guard let problem = taken.problem else { return taken.visit.settled(shown) }
                return try await page(taken.visit, problem: problem, status: 422)
            case .yes, .no, .later, .redeem, .forget: throw PromptRefusal.wrongAnswer
            }
        } catch let refusal as PromptRefusal where !refusal.isEnd {
            return try await page(
                visit,
                problem: FormProblem(
                    refusal, isOwn: inApp.wanted != nil, email: form["email"],
                    in: visit.frame.texts), status: 422)
        }
    }
}

/// The components of an item's page that depend on the customer of the app that shows it.
private struct ItemPromptComponents {
    private let visit: StorefrontVisit
    private let item: StorefrontItem
    private let customer: String?
    private let problem: FormProblem?
    /// Nil where nobody is signed in.
    private let own: CustomerComponents?
    /// What gets the item; nil where the customer has it.
    private let form: ItemSaleForm?
    private let parts: [ItemID: StorefrontItem]
    /// What of it the customer downloads here: the item itself, or parts of it.
    private let downloads: Set<ItemID>
    private let isWithheld: Bool

    init(
        _ page: ItemPage, _ account: Account?, _ visit: StorefrontVisit, problem: FormProblem?
    ) async throws {
        let services = visit.services
        let (item, parts) = (page.item, page.content.parts)
        self.visit = visit
        self.item = item
        self.problem = problem
        self.parts = Dictionary(parts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        customer = account?.email
        var (own, owned, withheld): (CustomerComponents?, Set<ItemID>, Bool) = (nil, [], false)
        if let account {
            let ids = [item.id] + parts.map(\.id)
            own = try await CustomerComponents(of: account, offers: ids, on: item.id, visit)
            owned = try await services.sales.ownedItems(of: ids, by: account.id)
            withheld = try await services.sales.right(to: item.id, of: account) == .withheld
        }
        self.own = own
        isWithheld = withheld
        downloads = withheld ? [] : try await services.downloadable(Array(owned))
        form =
            owned.contains(item.id)
            ? nil : try await OfferPages(visit).form(for: item, account, problem: problem)
    }

    private var frame: StorefrontFrame { visit.frame }
    private var token: String { frame.app?.formToken ?? "" }

    func html(_ slot: PageSlot) -> HTML? {
        switch slot {
        case .account, .review, .votes: own?.html(slot, token: token)
        case .offer(item.id): form?.html(token: token) ?? owned
        case .offer(let id):
            if downloads.contains(id) {
                own?.html(slot, token: token)
            } else {
                parts[id].flatMap { form?.part($0) } ?? .nothing
            }
        }
    }

    private var owned: HTML {
        let isHere = downloads.contains(item.id)
        let texts = frame.texts
        let sentence =
            isWithheld
            ? texts.yoursWithheld
            : downloads.isEmpty ? texts.yours(item.kind) : texts.yoursParts
        return .group([
            isHere
                ? OfferComponent(frame: frame).owned(item.id, isLarge: true)
                : .element("p", class: "note", sentence),
            PageForm.problem(problem?.text),
            ItemSaleForm.known(customer, token: token, in: frame),
        ])
    }
}
