/// The value of an attribute as the API gives it.
package enum KeptValue: Sendable, Hashable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case texts([String])

    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    package var number: Int? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}

extension KeptValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .texts(try container.decode([String].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .texts(let texts): try container.encode(texts)
        }
    }
}
