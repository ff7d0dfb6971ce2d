import StoreCore
import StoreTexts

/// Why a form was not taken, as its page says it.
struct FormProblem: Error, Sendable {
    let text: String
    /// The address as it was typed, so that it need not be typed again.
    var email = ""
    /// Whether a tester would become a customer by it: the form says yes to that then.
    var asksToConvert = false

    init(_ text: String) {
        self.text = text
    }

    init(_ refusal: AccountRefusal, email: String) {
        text = refusal.description
        self.email = email
        if case .wouldConvert = refusal { asksToConvert = true }
    }

    /// - Parameter isOwn: whether the page says itself whose password it wants.
    init(_ refusal: PromptRefusal, isOwn: Bool, email: String, in texts: Texts) {
        text = PromptPages.sentence(refusal, isOwn: isOwn, in: texts)
        self.email = email
        if case .wouldConvert = refusal { asksToConvert = true }
    }
}

/// The form that signs a customer in.
struct SignInComponent {
    let token: String
    var texts = Texts.english
    /// The only account that the page is for; nil for any.
    var account: String?
    /// Where it leads then; empty for the page itself.
    var next = ""
    /// What was wrong with the last try.
    var problem: FormProblem?

    var html: HTML {
        let converts = problem?.asksToConvert ?? false
        return PageForm.form(
            token: token,
            Self.fields(account, problem, texts) + [
                next.isEmpty ? .nothing : PageForm.hidden("next", next),
                PageForm.conversion(converts),
                .element(
                    "div", class: "actions",
                    [
                        OfferPages.button(
                            PageForm.signInTitle(converts, in: texts), "signIn", "primary")
                    ]),
            ])
    }

    /// What shows who a customer is.
    static func fields(
        _ account: String?, _ problem: FormProblem?, _ texts: Texts
    ) -> [HTML] {
        if let account {
            return PageForm.password(of: account, isFocused: problem != nil, in: texts)
        }
        let typed = problem?.email ?? ""
        let email = PageForm.field(
            "email", label: texts.email,
            [
                .init("type", "text"), .init("value", typed), .init("required"),
            ] + PortalForm.address)
        return [email] + PageForm.password(of: nil, isFocused: !typed.isEmpty, in: texts)
    }
}
