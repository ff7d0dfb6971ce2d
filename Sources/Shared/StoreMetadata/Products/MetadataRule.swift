/// What an element of a metadata file may hold.
struct MetadataRule: Sendable {
    /// An element that may stand in another.
    struct Child: Sendable {
        let name: String
        let isRequired: Bool
        /// How often it may stand there.
        let limit: Int
        let rule: MetadataRule
    }

    struct Attribute: Sendable {
        let name: String
        let isRequired: Bool
    }

    enum Content: Sendable {
        case text
        case elements
        /// Apple's format has it; products don't need it.
        case passedOver
    }

    let content: Content
    let children: [Child]
    let attributes: [Attribute]

    private init(_ content: Content, _ children: [Child], _ attributes: [Attribute]) {
        self.content = content
        self.children = children
        self.attributes = attributes
    }

    var isText: Bool { if case .text = content { true } else { false } }
    var isRead: Bool { if case .passedOver = content { false } else { true } }

    func child(_ name: String) -> Child? { children.first { $0.name == name } }

    /// What it holds, for messages.
    var allowed: String {
        switch content {
        case .text: "it holds text only"
        case .passedOver: "it holds anything"
        case .elements: "it holds " + children.map { "<\($0.name)>" }.joined(separator: ", ")
        }
    }

    var allowedAttributes: String {
        attributes.isEmpty
            ? "it has none" : "it has " + attributes.map(\.name).joined(separator: ", ")
    }

    // MARK: Writing rules

    static let text = MetadataRule(.text, [], [])
    static let passedOver = MetadataRule(.passedOver, [], [])

    static func text(required attributes: String...) -> MetadataRule {
        MetadataRule(.text, [], attributes.map { Attribute(name: $0, isRequired: true) })
    }

    static func holding(
        required attributes: [String] = [], optional others: [String] = [], _ children: Child...
    ) -> MetadataRule {
        MetadataRule(
            .elements, children,
            attributes.map { Attribute(name: $0, isRequired: true) }
                + others.map { Attribute(name: $0, isRequired: false) })
    }
}

extension MetadataRule.Child {
    static func one(_ name: String, _ rule: MetadataRule = .text) -> Self {
        Self(name: name, isRequired: true, limit: 1, rule: rule)
    }

    static func optional(_ name: String, _ rule: MetadataRule = .text) -> Self {
        Self(name: name, isRequired: false, limit: 1, rule: rule)
    }

    static func many(_ name: String, limit: Int, _ rule: MetadataRule) -> Self {
        Self(name: name, isRequired: false, limit: limit, rule: rule)
    }

    static func passedOver(_ name: String) -> Self {
        Self(name: name, isRequired: false, limit: .max, rule: .passedOver)
    }
}
