import StoreCore

/// What a customer is about to get, or has got, in one line.
struct OrderPiece {
    let item: StorefrontItem
    let frame: StorefrontFrame
    /// Empty for none.
    let price: String

    var html: HTML {
        .element(
            "div", class: "order",
            [
                ArtworkPiece(item: item, links: frame.links).html(side: 80, isFirst: true),
                .element(
                    "div", class: "words",
                    [
                        .element("p", class: "name", [.foreign(item.text.title)]),
                        .element(
                            "p", class: "by",
                            [
                                .text(item.kind.title), .text(" · "),
                                .foreign(item.artist?.name ?? item.sellerName),
                            ]),
                    ]),
                price.isEmpty ? .nothing : .element("p", class: "amount", price),
            ])
    }
}

/// The form that signs a customer in.
struct SignInPiece {
    let token: String
    /// The address as it was typed, so that it need not be typed again.
    var email = ""
    /// Where it leads then; empty for the page itself.
    var next = ""
    /// What was wrong with the last try.
    var refusal: AccountRefusal?

    /// Whether the page has said what a tester becomes by it.
    private var converts: Bool {
        if case .wouldConvert = refusal { true } else { false }
    }

    var html: HTML {
        PageForm.form(
            token: token,
            [
                PageForm.field(
                    "email", label: "Email",
                    [
                        .init("type", "text"), .init("value", email), .init("required"),
                        .init("maxlength", "254"),
                    ] + PortalForm.address),
                PageForm.field(
                    "password", label: "Password",
                    [
                        .init("type", "password"), .init("required"),
                        .init("autocomplete", "current-password"), .init("maxlength", "1024"),
                    ]),
                next.isEmpty
                    ? .nothing
                    : .element(
                        "input",
                        [.init("type", "hidden"), .init("name", "next"), .init("value", next)]),
                PageForm.conversion(converts),
                .element(
                    "div", class: "actions",
                    [OfferPages.button(PageForm.signInTitle(converts), "signIn", "primary")]),
            ])
    }
}
