/// The store's signed statement that an account has this app.
///
/// What a statement lacks that each should have is empty or `Date.distantPast`, and
/// the ``VerificationResult`` around the value is not verified.
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct AppTransaction: Sendable, SignedValue {
    let backing: JSONBacking

    /// The app.
    public let bundleID: String
    /// The version of the app that the account has.
    public let appVersion: String
    /// The version that it had first.
    public let originalAppVersion: String
    /// When it got the app first.
    public let originalPurchaseDate: Date
    /// When the store signed this statement of it.
    public let signedDate: Date

    init(_ backing: JSONBacking) throws {
        self.backing = backing
        bundleID = try backing.requiredText("bundleId")
        appVersion = backing.text("applicationVersion") ?? ""
        originalAppVersion = backing.text("originalApplicationVersion") ?? ""
        originalPurchaseDate = backing.date("originalPurchaseDate") ?? .distantPast
        signedDate = backing.date("receiptCreationDate") ?? .distantPast
    }

    static let guaranteedKeys = [
        "applicationVersion", "deviceVerification", "deviceVerificationNonce",
        "originalApplicationVersion", "originalPurchaseDate", "receiptCreationDate", "receiptType",
    ]
}

extension AppTransaction {
    /// The payload that the store signed, as JSON.
    public var jsonRepresentation: Data { backing.data }
    /// The store's number of the app; `nil` in the sandbox.
    public var appID: UInt64? { number("appAppleId") }
    /// The number of this transaction; empty if the statement has none.
    public var appTransactionID: String { backing.text("appTransactionId") ?? "" }
    /// The store's number of the version; `nil` in the sandbox.
    public var appVersionID: UInt64? { number("versionExternalIdentifier") }
    /// The environment that the account got the app in.
    public var environment: AppStore.Environment {
        AppStore.Environment(rawValue: backing.text("receiptType") ?? "")
    }
    /// The platform that the account got the app on first.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public var originalPlatform: AppStore.Platform {
        AppStore.Platform(rawValue: backing.text("originalPlatform") ?? "unknown")
    }
    /// The platform that the account got the app on first, as the statement writes it.
    @available(*, deprecated, renamed: "originalPlatform")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }
    /// When the account ordered the app before it was for sale; `nil` if it did not.
    public var preorderDate: Date? { backing.date("preorderDate") }
    /// The SHA-384 of ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``, both in
    /// small letters; empty if the statement was made for no device.
    public var deviceVerification: Data { backing.deviceVerification }
    /// What was hashed for ``deviceVerification``.
    public var deviceVerificationNonce: UUID { backing.deviceVerificationNonce }
    /// When the store took the app back; `nil` if it did not.
    public var revocationDate: Date? { backing.date("appRevocationDate") }
    /// Which of the stores the app came from.
    @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
    public var storeType: StoreType {
        backing.text("storeType").map { StoreType(rawValue: $0) } ?? .consumer
    }
    /// Which of the stores the app came from, as the statement writes it.
    @available(*, deprecated, renamed: "storeType")
    public var storeTypeStringRepresentation: String { storeType.rawValue }

    /// A store that apps come from.
    @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The name that statements write.
        public let rawValue: String

        /// The store of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The one for everybody.
        public static let consumer = StoreType(rawValue: "CONSUMER")
        /// The one for schools.
        public static let education = StoreType(rawValue: "EDUCATION")
        /// The one for companies.
        public static let enterprise = StoreType(rawValue: "ENTERPRISE")
    }

    /// Zero stands for none: the sandbox gives apps no numbers.
    private func number(_ key: String) -> UInt64? {
        backing.integer(key).flatMap { $0 > 0 ? UInt64($0) : nil }
    }
}

extension AppTransaction: Hashable {
    /// Equal if the JSON of both says the same.
    public static func == (one: AppTransaction, other: AppTransaction) -> Bool {
        one.backing == other.backing
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(backing) }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The JSON, for people.
    public var debugDescription: String { backing.prettyText }
}
