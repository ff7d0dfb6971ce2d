import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTexts

/// Writing, changing and removing a review, and saying whether one helps.
struct ReviewFormPages: Sendable {
    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }
    private var texts: Texts { visit.frame.texts }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    func show() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        guard let account = try await visit.account() else { return signIn(id) }
        let own = try await services.reviews.own(on: id, by: account)
        return try await page(
            id, account,
            ReviewDraft(
                rating: own?.rating ?? 0, title: own?.title ?? "", body: own?.body ?? "",
                nickname: own?.nickname ?? ""), own)
    }

    func answer() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        let form = try visit.form()
        guard let account = try await visit.account() else { return signIn(id) }
        switch form[PageForm.answerField] {
        case "remove":
            try await services.reviews.remove(on: id, by: account)
            return try await back(to: id)
        case "save":
            let draft = ReviewDraft(
                rating: Int(form["rating"].prefix(3)) ?? 0, title: form["title"],
                body: form["body"], nickname: form["nickname"])
            do {
                _ = try await services.reviews.write(draft, on: id, by: account)
            } catch let refusal as ReviewRefusal {
                let own = try await services.reviews.own(on: id, by: account)
                return try await page(
                    id, account, draft, own, status: 422, problem: texts.sentence(of: refusal))
            }
            return try await back(to: id)
        default: throw StorefrontProblem.notUnderstood
        }
    }

    /// Takes what a button below a review says.
    func vote() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        let form = try visit.form()
        guard let account = try await visit.account() else { return signIn(id) }
        let parts = form["vote"].split(scalar: "-")
        guard parts.count == 2, let review = ReviewID(String(parts[0])),
            ["yes", "no"].contains(parts[1])
        else { throw StorefrontProblem.notUnderstood }
        do {
            try await services.reviews.vote(parts[1] == "yes", on: review, by: account)
        } catch let refusal as ReviewRefusal {
            throw StorefrontProblem(
                status: 422, title: texts.notCounted, text: texts.sentence(of: refusal))
        }
        return try await back(to: id)
    }

    // MARK: The page

    private func page(
        _ id: ItemID, _ account: Account, _ draft: ReviewDraft, _ own: CustomerReview?,
        status: Int = 200, problem: String? = nil
    ) async throws -> HTTPResponse {
        guard
            let item = try await services.storefront.item(
                id, in: frame.storefront, orOwnedBy: account.id)
        else { throw StorefrontProblem.unknown }
        let mayWrite = try await services.reviews.canReview(id, by: account)
        return try visit.personal(account, status: status) { token in
            StorefrontPage(
                texts.reviewBodyField,
                [
                    .element(
                        "section", class: "card wide",
                        [
                            .element("h1", own == nil ? texts.writeReview : texts.yourReviewLabel),
                            OrderComponent(item: item, frame: frame, price: "").html,
                            PageForm.problem(problem),
                            mayWrite
                                ? ReviewForm(draft: draft, own: own, token: token, texts: texts)
                                    .html
                                : Self.notYet(id, frame),
                            .element(
                                "p", class: "back",
                                [
                                    .element(
                                        "a",
                                        [
                                            .init(
                                                "href",
                                                item.item.state == .onSale
                                                    ? frame.page(of: item)
                                                    : frame.path("buy/\(id)"))
                                        ],
                                        [texts.backToTitle(title: .foreign(item.text.title))])
                                ]),
                        ])
                ])
        }
    }

    private static func notYet(_ id: ItemID, _ frame: StorefrontFrame) -> HTML {
        .group([
            .element("p", class: "lead", frame.texts.onlyOwnersReview),
            .element(
                "p", class: "actions",
                [
                    .element(
                        "a",
                        [.init("class", "button primary"), .init("href", frame.offer(of: id))],
                        frame.texts.getIt)
                ]),
        ])
    }

    private func signIn(_ id: ItemID) -> HTTPResponse {
        .storefrontRedirect(to: frame.account(next: frame.review(of: id)))
    }

    private func back(to id: ItemID) async throws -> HTTPResponse {
        let item = try await services.storefront.item(id, in: frame.storefront)
        return .storefrontRedirect(
            to: item.map { frame.reviews(of: $0) } ?? frame.app?.path ?? frame.home)
    }
}
