import StoreCore
import StoreTexts

/// Forms of pages: each carries the token without which it is not taken.
enum PageForm {
    /// The field with the token.
    static let tokenField = "form"
    /// The field that says which button was pressed.
    static let answerField = "answer"

    /// The field that says whether somebody looks at a page.
    static let presenceField = "presence"

    /// The field that says yes to what a tester becomes by signing in.
    static let conversionField = "convert"

    /// Whether a form says so.
    static func mayConvert(_ form: FormFields) -> Bool { form[conversionField] == "yes" }

    /// What a form of signing in has in it once its page has said what a tester becomes.
    static func conversion(_ isAsked: Bool) -> HTML {
        guard isAsked else { return .nothing }
        return hidden(conversionField, "yes")
    }

    /// What the button says then.
    static func signInTitle(_ isAsked: Bool, in texts: Texts = .english) -> String {
        isAsked ? texts.becomeCustomer : texts.signIn
    }

    /// - Parameters:
    ///   - id: what buttons elsewhere on the page name it by.
    ///   - action: where it is sent; nil for the page's own address.
    static func form(
        token: String, id: String? = nil, action: String? = nil, _ content: [HTML]
    ) -> HTML {
        var attributes: [HTML.Attribute] = [.init("method", "post")]
        if let id { attributes.append(.init("id", id)) }
        if let action { attributes.append(.init("action", action)) }
        return .element("form", attributes, [hidden(tokenField, token)] + content)
    }

    /// A field that nobody sees.
    static func hidden(_ name: String, _ value: String) -> HTML {
        .element(
            "input", [.init("type", "hidden"), .init("name", name), .init("value", value)])
    }

    /// The buttons, the one that is meant first.
    static func actions(_ buttons: [HTML]) -> HTML { .element("div", class: "actions", buttons) }

    /// - Parameter isFree: whether it may be pressed with fields empty.
    static func button(
        _ title: String, answer: PageAnswer, style: StaticString? = nil, isFree: Bool = false
    ) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("type", "submit"), .init("name", answerField), .init("value", answer.rawValue),
        ]
        if let style { attributes.append(.init("class", style.description)) }
        if isFree { attributes.append(.init("formnovalidate")) }
        return .element("button", attributes, title)
    }

    static func field(
        _ name: StaticString, label: String, hint: String? = nil, _ attributes: [HTML.Attribute]
    ) -> HTML {
        let id = HTML.Attribute("id", name.description)
        var all = [id, .init("name", name.description)] + attributes
        if hint != nil { all.append(.init("aria-describedby", "\(name)-hint")) }
        return .element(
            "div", class: "field",
            [
                .element("label", [.init("for", name.description)], label),
                .element("input", all),
                hint.map {
                    .element(
                        "p", [.init("class", "hint"), .init("id", "\(name)-hint")], $0)
                } ?? .nothing,
            ])
    }

    /// The password of an account that the page knows; its address stands by for
    /// password managers.
    static func password(
        of account: String?, isFocused: Bool, in texts: Texts = .english
    ) -> [HTML] {
        var fields: [HTML] = []
        if let account {
            fields.append(
                field(
                    "email", label: texts.account,
                    [
                        .init("type", "text"), .init("value", account), .init("readonly"),
                        .init("autocomplete", "username"),
                    ]))
        }
        var attributes: [HTML.Attribute] = [
            .init("type", "password"), .init("required"),
            .init("autocomplete", "current-password"),
            .init("maxlength", "\(CustomerPassword.longest)"),
        ]
        if isFocused { attributes.append(.init("autofocus")) }
        fields.append(field("password", label: texts.password, attributes))
        return fields
    }

    /// The account that a browser has signed in to, where a question needs no more proof.
    /// Stands behind the other buttons, because the Return key presses the first of a form.
    static func known(_ account: String, in texts: Texts = .english) -> HTML {
        .element(
            "div", class: "known",
            [
                .element("span", [], [texts.accountIs(account: .foreign(account))]),
                button(texts.signOutHere, answer: .forget, style: "quiet", isFree: true),
            ])
    }

    /// What was wrong, read out by screen readers at once.
    static func problem(_ text: String?) -> HTML {
        guard let text else { return .nothing }
        return .element("p", [.init("class", "problem"), .init("role", "alert")], text)
    }
}

/// The buttons of the pages.
package enum PageAnswer: String, Sendable, CaseIterable {
    case yes
    case no
    case later
    case signIn
    case redeem
    /// To buy an item.
    case buy
    /// To look at an item no longer.
    case done
    /// To go on in the storefront.
    case leave
    /// Not to be signed in in this browser any longer.
    case forget
}
