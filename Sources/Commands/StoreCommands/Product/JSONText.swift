import StoreWire

/// A value of any form within another that is encoded.
struct JSONText: Encodable {
    let value: JSONValue

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag):
            var container = encoder.singleValueContainer()
            try container.encode(flag)
        case .number(let number):
            var container = encoder.singleValueContainer()
            if let whole = Int64(exactly: number) {
                try container.encode(whole)
            } else {
                try container.encode(number)
            }
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .array(let elements):
            var container = encoder.singleValueContainer()
            try container.encode(elements.map(JSONText.init(value:)))
        case .object(let members):
            var container = encoder.singleValueContainer()
            try container.encode(members.mapValues(JSONText.init(value:)))
        }
    }
}
