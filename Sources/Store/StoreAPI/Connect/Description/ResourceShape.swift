import StoreWire

/// The attributes of a type of our own, and the forms of their values: from it the
/// description is made that clients read and requests are checked by.
///
///     static let agreements = ResourceShape([
///         "kind": .choice(["FREE", "PAID"]),
///         "accepted": .optional(.dateTime),
///     ])
struct ResourceShape: Sendable {
    let attributes: [String: AttributeForm]

    init(_ attributes: [String: AttributeForm]) {
        self.attributes = attributes
    }
}

/// The form of a value.
indirect enum AttributeForm: Sendable {
    /// A text of so many characters.
    case text(ClosedRange<Int>)
    case choice([String])
    case flag
    case integer(ClosedRange<Int>)
    case date
    case dateTime
    case email
    case url
    case list(AttributeForm)
    case object([String: AttributeForm])
    /// May be null in a change, and missing in an answer.
    case optional(AttributeForm)

    /// The schema in OpenAPI.
    ///
    /// - Parameter isAnswer: without lengths and limits, which are the request's matter.
    func schema(isAnswer: Bool) -> JSONValue {
        switch self {
        case .text(let lengths):
            isAnswer
                ? ["type": "string"]
                : [
                    "type": "string", "minLength": .integer(lengths.lowerBound),
                    "maxLength": .integer(lengths.upperBound),
                ]
        case .choice(let choices): ["type": "string", "enum": .texts(choices)]
        case .flag: ["type": "boolean"]
        case .integer(let range):
            isAnswer
                ? ["type": "integer"]
                : [
                    "type": "integer", "minimum": .integer(range.lowerBound),
                    "maximum": .integer(range.upperBound),
                ]
        case .date: ["type": "string", "format": "date"]
        case .dateTime: ["type": "string", "format": "date-time"]
        case .email: ["type": "string", "format": "email"]
        case .url: ["type": "string", "format": "uri"]
        case .list(let form): ["type": "array", "items": form.schema(isAnswer: isAnswer)]
        case .object(let members):
            [
                "type": "object",
                "properties": .object(members.mapValues { $0.schema(isAnswer: isAnswer) }),
            ]
        case .optional(let form):
            .object(
                (form.schema(isAnswer: isAnswer).members ?? [:])
                    .merging(isAnswer ? [:] : ["nullable": true]) { $1 })
        }
    }
}
