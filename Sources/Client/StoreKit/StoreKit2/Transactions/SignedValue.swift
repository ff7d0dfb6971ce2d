import StoreModel
import StoreWire

/// A value of StoreKit 2 that arrives as the payload of a signed statement.
protocol SignedValue: Sendable {
    /// The payload, with the signed text beside it.
    var backing: JSONBacking { get }
    var signedDate: Date { get }
    var environment: AppStore.Environment { get }

    /// What each statement of the kind has, beyond what `init` demands.
    static var guaranteedKeys: [String] { get }

    /// - Throws: `JSONBacking.Missing` if the payload does not say what it is about.
    init(_ backing: JSONBacking) throws
}

extension JSONBacking {
    /// The SHA-384 by which a device knows that the statement was made for it; empty if there is
    /// none.
    var deviceVerification: Data { bytes("deviceVerification") ?? Data() }

    /// What was hashed together with the device's identifier; all zero if there is none.
    var deviceVerificationNonce: UUID {
        uuid("deviceVerificationNonce")
            ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    var environment: AppStore.Environment {
        AppStore.Environment(rawValue: text("environment") ?? "")
    }

    /// An ISO 4217 currency; `nil` if the text is none.
    var currency: Locale.Currency? {
        guard let code = text("currency"), PriceLocale.isCurrency(code) else { return nil }
        return Locale.Currency(code)
    }

    /// A span that the payload writes as ISO 8601 does.
    func period(_ key: String) -> Product.SubscriptionPeriod? {
        text(key).flatMap { Product.SubscriptionPeriod(iso8601: $0) }
    }

    /// An object inside, whose bytes are those of the whole.
    func member(_ key: String) -> JSONBacking? {
        guard case .object = self[key], let value = self[key] else { return nil }
        return JSONBacking(data: data, value: value)
    }

    /// The objects of a list; `nil` if there is no list.
    func members(_ key: String) -> [JSONBacking]? {
        self[key]?.elements.map { list in list.map { JSONBacking(data: data, value: $0) } }
    }
}
