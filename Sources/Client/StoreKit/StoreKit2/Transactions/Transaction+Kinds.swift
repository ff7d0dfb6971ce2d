extension Transaction {
    /// Why a transaction was made.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The name that statements write.
        public let rawValue: String

        /// The reason of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Why the store took a transaction back.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The number that statements write.
        public let rawValue: Int

        /// The reason of a number, be it known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Any other reason, such as a purchase by mistake.
        public static let other = RevocationReason(rawValue: 0)
        /// Something was wrong with the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// The customer bought a bundle that has the subscription in it.
        public static let upgradedToBundle = RevocationReason(rawValue: 2)

        /// The reason in words.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .developerIssue: "Issue with the App"
            case .upgradedToBundle: "Upgraded to a Bundle"
            default: "Other"
            }
        }
    }

    /// What the store took back, and how.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The name that statements write.
        public let rawValue: String

        /// The type of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All that was paid was paid back.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// What was paid for the rest of the period was paid back.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// The family member who bought it shares it no more.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
        /// The organization that assigned it took it back.
        public static let assignmentRevocation = RevocationType(rawValue: "ASSIGNMENT_REVOKE")
    }

    /// How a customer came to have a product.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The name that statements write.
        public let rawValue: String

        /// The type of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought it.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A member of the customer's family bought it.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// An organization assigned it to the customer.
        public static let assigned = OwnershipType(rawValue: "ASSIGNED")

        /// The type in words.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family Shared"
            case .assigned: "Assigned"
            default: rawValue
            }
        }
    }
}

extension Transaction {
    /// Why it was made; a purchase if the statement does not say.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public var reason: Reason {
        backing.text("transactionReason").map { Reason(rawValue: $0) } ?? .purchase
    }
    /// Why the store took it back; `nil` if it did not.
    public var revocationReason: RevocationReason? {
        backing.integer("revocationReason").map { RevocationReason(rawValue: Int(clamping: $0)) }
    }
    /// What the store took back; `nil` if it took nothing.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public var revocationType: RevocationType? {
        backing.text("revocationType").map { RevocationType(rawValue: $0) }
    }
    /// Per cent of the price that was paid back; `nil` if nothing was.
    public var revocationPercentage: Decimal? { backing.thousandths("revocationPercentage") }
    /// How the customer came to have it.
    public var ownershipType: OwnershipType {
        backing.text("inAppOwnershipType").map { OwnershipType(rawValue: $0) } ?? .purchased
    }
}
