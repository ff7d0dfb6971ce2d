import StoreKernel

/// An identifier that is a piece of text with rules about its spelling.
///
/// `init(_:)` returns nil for text that breaks the rules, so a value of the type is
/// always well-formed. Decoding reports the text that was refused.
package protocol TextIdentifier: Hashable, Sendable, Codable, CustomStringConvertible, Comparable {
    /// What the identifier is called in messages, for example `product identifier`.
    static var name: String { get }
    /// The identifier as text.
    var text: String { get }
    /// Nil where the text is not a well-formed identifier.
    init?(_ text: String)
}

extension TextIdentifier {
    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a valid \(Self.name)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Letters, digits, underscore, hyphen and period, 1 to `limit` characters, all ASCII.
private func isDotted(_ text: String, limit: Int) -> Bool {
    guard !text.isEmpty, text.utf8.count <= limit else { return false }
    return text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The identifier of a product within an app: ASCII letters, digits, `_`, `-` and `.`,
/// at most 255 of them.
package struct ProductID: TextIdentifier {
    package static let name = "product identifier"
    package let text: String

    package init?(_ text: String) {
        guard isDotted(text, limit: 255), text != ".", text != ".." else { return nil }
        self.text = text
    }
}

/// The bundle identifier of an app, as in `CFBundleIdentifier`.
package struct BundleID: TextIdentifier {
    package static let name = "bundle identifier"
    package let text: String

    package init?(_ text: String) {
        let dot = UInt8(ascii: ".")
        guard isDotted(text, limit: 155), text.utf8.first != dot, text.utf8.last != dot,
            !zip(text.utf8, text.utf8.dropFirst()).contains(where: { $0 == dot && $1 == dot })
        else { return nil }
        self.text = text
    }

    /// What stands behind the last dot: `reader` of `com.example.reader`.
    package var lastName: String { text.split(scalar: ".").last.map(String.init) ?? text }
}

/// What a provisioning profile is made for: one bundle identifier, or with a final
/// `*` all that begin alike. Only an explicit one can sell.
package struct ApplicationIdentifier: TextIdentifier {
    package static let name = "application identifier"
    package let text: String

    package init?(_ text: String) {
        if let beginning = text.dropping(suffix: ".*") {
            guard BundleID(String(beginning)) != nil else { return nil }
        } else if text != "*" {
            guard BundleID(text) != nil else { return nil }
        }
        self.text = text
    }

    /// The explicit identifier of one app.
    package init(_ bundleID: BundleID) {
        text = bundleID.text
    }

    /// Whether it stands for many bundle identifiers.
    package var isWildcard: Bool { text.hasSuffix(scalars: "*") }

    /// Whether an app with this bundle identifier may use a profile made for it.
    package func covers(_ bundleID: BundleID) -> Bool {
        isWildcard ? bundleID.text.hasPrefix(scalars: text.dropLast()) : bundleID.text == text
    }
}

/// The device's name for one purchase, made once and used for each attempt, so that
/// the store can tell a repetition from a second purchase (an idempotency key): 16 to 64 characters of
/// letters, digits and hyphen.
package struct PurchaseKey: TextIdentifier {
    package static let name = "purchase key"
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count >= 16, isDotted(text, limit: 64), !text.contains(scalar: "."),
            !text.contains(scalar: "_")
        else { return nil }
        self.text = text
    }

    private static let storePayment = "store-payment-"

    /// The key of a payment that the customer began in the store: each event makes one at
    /// most, on each device.
    ///
    /// - Parameter digest: the SHA-256 of the device's identifier, in hexadecimal digits.
    package init(storePayment event: Int64, deviceDigest digest: String) {
        text = "\(Self.storePayment)\(event)-\(digest.prefix(16))"
    }

    /// Whether the customer began the payment in the store.
    package var isOfStorePayment: Bool { text.hasPrefix(scalars: Self.storePayment) }
}

/// The SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
package struct ContentDigest: TextIdentifier {
    package static let name = "SHA-256 digest"
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        let isHex = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard isHex else { return nil }
        self.text = text
    }
}

/// The number of a transaction in the ledger; on the wire a string of digits.
package struct TransactionID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    /// Nil for anything but ASCII digits that fit into 63 bits.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 19,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text)
        else { return nil }
        self.number = number
    }

    package var description: String { String(number) }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a transaction identifier")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The number of an account of the store, customer or tester.
package struct AccountID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// The numeric identifier of an app.
package struct AppID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}
