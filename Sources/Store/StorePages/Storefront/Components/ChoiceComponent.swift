/// Links of which one is where the customer is.
struct ChoiceComponent {
    let label: String
    let choices: [(title: String, path: String, isHere: Bool)]
    var style = "choices"

    var html: HTML {
        guard !choices.isEmpty else { return .nothing }
        return .element(
            "nav", [.init("class", style), .init("aria-label", label)],
            [
                .element(
                    "ul", [],
                    choices.map { choice in
                        .element(
                            "li", [],
                            [
                                .element(
                                    "a",
                                    [.init("href", choice.path)]
                                        + (choice.isHere ? [.init("aria-current", "true")] : []),
                                    choice.title)
                            ])
                    })
            ])
    }
}
