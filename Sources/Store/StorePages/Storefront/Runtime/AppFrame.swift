import StoreCore
import StoreModel
import StoreTexts

/// What an item's page stands in that an app shows: the page of a prompt, and others below it.
///
/// The components of the storefront's pages are the same here. Only what leads to other pages of
/// the store differs: it is a button that says that it leaves the app, opens the storefront, and
/// ends the prompt, so that the app hears that its customer is done.
package struct AppFrame: Sendable {
    /// The form that the buttons belong to that leave the app.
    static let leaveForm = "leave"
    /// The field with the page of the storefront that such a button opens.
    static let targetField = "to"

    /// What shows the page.
    package let name: String
    /// The prompt's page, a path on this host.
    package let path: String
    /// What the forms of its pages carry.
    package let formToken: String

    package init(name: String, path: String, formToken: String) {
        self.name = name
        self.path = path
        self.formToken = formToken
    }

    /// Where customers' reviews begin.
    var reviews: String { path + "#reviews" }

    /// Who shows the page, and what ends it; stays in sight on long ones.
    func top(_ texts: Texts) -> HTML {
        .element(
            "div", class: "done",
            [
                .element("p", class: "from", [texts.shownBy(app: .foreign(name))]),
                PageForm.form(
                    token: formToken, action: path,
                    [PageForm.button(texts.done, answer: .done, style: "plain", isFree: true)]),
                .element(
                    "form",
                    [
                        .init("id", Self.leaveForm), .init("method", "post"),
                        .init("action", path), .init("hidden"),
                    ],
                    [
                        PageForm.hidden(PageForm.tokenField, formToken),
                        PageForm.hidden(PageForm.answerField, PageAnswer.leave.rawValue),
                    ]),
            ])
    }
}

extension StorefrontFrame {
    /// What leads to another page of the storefront: a link, or a button that leaves the app.
    func link(_ path: String, class style: StaticString? = nil, _ content: [HTML]) -> HTML {
        guard app != nil else {
            return .element(
                "a", (style.map { [.init("class", $0.description)] } ?? []) + [.init("href", path)],
                content)
        }
        return .element(
            "button",
            [
                .init("class", style.map { "leaves \($0)" } ?? "leaves"), .init("type", "submit"),
                .init("form", AppFrame.leaveForm), .init("name", AppFrame.targetField),
                .init("value", path), .init("formnovalidate"),
            ], content + [.element("span", class: "unseen", " " + texts.opensStore)])
    }

    /// What stands above many things that leave the app; nothing in the storefront.
    var leavingNote: HTML {
        guard let app else { return .nothing }
        return .element(
            "p", class: "about",
            [texts.theseOpenStore(app: .foreign(app.name))])
    }

    // MARK: Pages about one item

    /// The page of the item that this one is about.
    func page(of item: StorefrontItem) -> String { app?.path ?? links.page(of: item) }

    func reviews(of item: StorefrontItem) -> String { page(of: item) + "#reviews" }

    func review(of id: ItemID) -> String { app.map { $0.path + "/review" } ?? path("review/\(id)") }

    func vote(on id: ItemID) -> String { app.map { $0.path + "/vote" } ?? path("vote/\(id)") }

    /// Where one gets the item that this page is about.
    func offer(of id: ItemID) -> String { app?.path ?? path("buy/\(id)") }

    /// Where customers sign in.
    var account: String { app.map { $0.path + "/account" } ?? path("account") }

    /// Where customers sign in, and are led on from.
    func account(next: String) -> String { PortalLink(account, [("next", next)]).text }
}
