import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Who shares with a customer, and parting from them.
struct FamilyPages: Sendable {
    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }
    private var component: AccountComponent { AccountComponent(frame: frame) }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    private static let path = "account/family"

    func show() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let household = try await services.customers.families.household(of: account.id)
        return try visit.personal(account) { _ in
            StorefrontPage(
                "Your Family",
                [
                    component.head("Your family", in: .family),
                    household.map { people($0, account) }
                        ?? .element("p", class: "quiet", "You share with nobody."),
                ])
        }
    }

    private func people(_ household: Household, _ account: Account) -> HTML {
        .group([
            .element(
                "p", class: "lead",
                "Each of you can use what the others buy, if its publisher allows Family Sharing."),
            .element(
                "ul", class: "rows",
                household.everybody.map { person in
                    .element(
                        "li", class: "row",
                        [
                            .element(
                                "span", class: "what",
                                [
                                    .element(
                                        "span",
                                        [
                                            .init("class", "art person blank"),
                                            .init("aria-hidden", "true"),
                                        ], String(person.email.prefix(1)).uppercased()),
                                    .element(
                                        "span", class: "words",
                                        [
                                            .element(
                                                "span", class: "name", [.foreign(person.email)]),
                                            .element(
                                                "span", class: "by",
                                                part(person, household, account)),
                                        ]),
                                ]), leaving(person, household, account),
                        ])
                }),
        ])
    }

    private func part(
        _ person: Account, _ household: Household, _ account: Account
    ) -> String {
        let organizes = person.id == household.organizer.id
        guard person.id == account.id else { return organizes ? "Organizer" : "Member" }
        return organizes ? "You, the organizer" : "You"
    }

    private func leaving(
        _ person: Account, _ household: Household, _ account: Account
    ) -> HTML {
        guard household.mayRemove(person.id, by: account.id) else { return .nothing }
        let isOwn = person.id == account.id
        let title = !isOwn ? "Remove" : person.id == household.organizer.id ? "End" : "Leave"
        return .element(
            "a",
            [
                .init("class", "button"),
                .init("href", frame.path("\(Self.path)/\(person.id.number)")),
            ],
            [
                .text(title),
                .element(
                    "span", class: "unseen",
                    isOwn ? [.text(" the family")] : [.text(" "), .foreign(person.email)]),
            ])
    }

    // MARK: Parting

    func ask() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let departure: FamilyDeparture
        do {
            departure = try await services.customers.families.departure(
                of: try member(), by: account)
        } catch is FamilyRefusal {
            throw StorefrontProblem.unknown
        }
        let isOwn = departure.member.id == account.id
        let (question, button) =
            departure.endsFamily
            ? ("End the family?", "End Family")
            : isOwn ? ("Leave the family?", "Leave Family") : ("Remove from the family?", "Remove")
        return try visit.personal(account) { token in
            StorefrontPage(
                button,
                [
                    .element(
                        "section", class: "card",
                        [
                            .element("h1", question),
                            isOwn
                                ? .nothing
                                : .element("p", class: "lead", [.foreign(departure.member.email)]),
                            losses(departure, isOwn: isOwn),
                            PageForm.form(
                                token: token,
                                [
                                    .element(
                                        "div", class: "actions",
                                        [
                                            OfferPages.button(button, "yes", "primary danger"),
                                            component.button("Keep It as It Is", to: Self.path),
                                        ])
                                ]),
                        ])
                ])
        }
    }

    func answer() async throws -> HTTPResponse {
        let form = try visit.form()
        let account = try await visit.customer()
        guard form[PageForm.answerField] == "yes" else { throw StorefrontProblem.notUnderstood }
        do {
            try await services.customers.families.remove(try member(), by: account)
        } catch is FamilyRefusal {
            throw StorefrontProblem.unknown
        }
        return .storefrontRedirect(to: frame.path(Self.path))
    }

    private func member() throws -> AccountID {
        guard let number = visit.number(visit.request.parameters.last) else {
            throw StorefrontProblem.unknown
        }
        return AccountID(number: number)
    }

    /// What goes with it, in sentences with what they are about.
    private func losses(_ departure: FamilyDeparture, isOwn: Bool) -> HTML {
        let (you, have) = isOwn ? ("You", "you") : ("They", "they")
        let others = isOwn ? "The others lose" : "The family loses"
        var parts: [HTML] = []
        if departure.endsFamily {
            parts.append(
                loss(
                    "Everybody loses at once what came through the family:", departure.taken,
                    none: "Nobody has anything through the family now."))
        } else {
            parts.append(
                loss(
                    "\(you) lose at once what came through the family:", departure.lost,
                    none: "\(you) have nothing through the family now."))
            parts.append(
                loss(
                    "\(others) at once what \(have) bought:", departure.taken,
                    none: "Nobody else has anything that \(have) bought."))
        }
        parts.append(
            .element(
                "p",
                departure.endsFamily
                    ? "What each of you bought stays theirs."
                    : isOwn ? "What you bought stays yours." : "What they bought stays theirs."))
        return .element("div", class: "losses", parts)
    }

    private func loss(_ sentence: String, _ things: [SharedPurchase], none: String) -> HTML {
        guard !things.isEmpty else { return .element("p", none) }
        return .group([
            .element("p", sentence),
            .element(
                "ul", class: "consequences",
                things.map { thing in
                    .element(
                        "li", [],
                        [
                            .element("strong", [], [.foreign(thing.title)]), .text(", "),
                            .foreign(thing.appName),
                        ])
                }),
        ])
    }
}
