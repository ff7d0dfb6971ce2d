@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension Transaction {
    /// What a purchase was made of whose prices the developer's server keeps.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// The request of the developer's server that it was made by.
        public let requestReferenceID: String
        /// The tax that the store reckons with.
        public let estimatedTax: Decimal
        /// The rate of that tax, as a fraction of 1.
        public let taxRate: Decimal
        /// The code of what is sold, which the tax goes by.
        public let taxCode: String
        /// The price without the tax.
        public let taxExclusivePrice: Decimal
        /// What is sold, in a sentence.
        public let description: String?
        /// The name of what is sold.
        public let displayName: String?
        /// How often a subscription renews; `nil` for other purchases.
        public let period: Product.SubscriptionPeriod?
        /// What was bought.
        public let items: [Item]

        init?(_ backing: JSONBacking?) {
            guard let backing else { return nil }
            requestReferenceID = backing.text("requestReferenceId") ?? ""
            estimatedTax = backing.thousandths("estimatedTax") ?? 0
            taxRate = backing.rate("taxRate") ?? 0
            taxCode = backing.text("taxCode") ?? ""
            taxExclusivePrice = backing.thousandths("taxExclusivePrice") ?? 0
            description = backing.member("descriptors")?.text("description")
            displayName = backing.member("descriptors")?.text("displayName")
            period = backing.period("period")
            items = (backing.members("items") ?? []).map { Item($0) }
        }
    }

    /// What it was made of, if the developer's server keeps its prices; `nil` if not.
    public var advancedCommerceInfo: AdvancedCommerceInfo? {
        AdvancedCommerceInfo(backing.member("advancedCommerceInfo"))
    }
}

@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension Transaction.AdvancedCommerceInfo {
    /// Something that was bought.
    public struct Item: Hashable, Sendable {
        /// What it is.
        public let details: Details
        /// What was paid back for it; `nil` if nothing was.
        public let refunds: [Refund]?
        /// When the customer lost it; `nil` if they did not.
        public let revocationDate: Date?

        /// What an item is.
        public struct Details: Hashable, Sendable {
            /// The developer's identifier of it.
            public let sku: String
            /// Its name.
            public let displayName: String
            /// What it is, in a sentence.
            public let description: String
            /// The offer that it was bought with; `nil` if it was bought with none.
            public let offer: Offer?
            /// What it costs.
            public let price: Decimal
            /// Who has a part in it.
            @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
            public let partners: [Partner]

            init(_ backing: JSONBacking) {
                sku = backing.text("SKU") ?? ""
                displayName = backing.text("displayName") ?? ""
                description = backing.text("description") ?? ""
                offer = Offer(backing.member("offer"))
                price = backing.thousandths("price") ?? 0
                partners = (backing.members("partners") ?? []).map { Partner($0) }
            }
        }

        init(_ backing: JSONBacking) {
            details = Details(backing)
            refunds = backing.members("refunds")?.map { Refund($0) }
            revocationDate = backing.date("revocationDate")
        }
    }

    /// Who has a part in an item.
    @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
    public struct Partner: Hashable, Sendable {
        /// The developer's identifier of the partner.
        public let id: String
        /// The name; `nil` if the statement has none.
        public let name: String?

        init(_ backing: JSONBacking) {
            id = backing.text("id") ?? ""
            name = backing.text("name")
        }
    }

    /// A reduced price of an item.
    public struct Offer: Hashable, Sendable {
        /// The reduced price of one period.
        public let price: Decimal
        /// How long one period is.
        public let period: Product.SubscriptionPeriod
        /// For how many periods it is good.
        public let periodCount: Int
        /// What it is for.
        public let reason: Reason

        /// What an offer is for.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The name that statements write.
            public let rawValue: String

            /// The reason of a name, be it known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// To win a customer.
            public static let acquisition = Reason(rawValue: "ACQUISITION")
            /// To keep a customer.
            public static let retention = Reason(rawValue: "RETENTION")
            /// To win a customer back.
            public static let winBack = Reason(rawValue: "WIN_BACK")
        }

        init?(_ backing: JSONBacking?) {
            guard let backing, let period = backing.period("period") else { return nil }
            price = backing.thousandths("price") ?? 0
            self.period = period
            periodCount = Int(clamping: backing.integer("periodCount") ?? 0)
            reason = Reason(rawValue: backing.text("reason") ?? "")
        }
    }

    /// What was paid back for an item.
    public struct Refund: Hashable, Sendable {
        /// Why.
        public let reason: Reason
        /// How much of it.
        public let type: RefundType
        /// When.
        public let date: Date
        /// The amount.
        public let amount: Decimal

        /// Why something was paid back.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The name that statements write.
            public let rawValue: String

            /// The reason of a name, be it known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The law demands it.
            public static let legal = Reason(rawValue: "LEGAL")
            /// The items of the subscription changed.
            public static let modifyItems = Reason(rawValue: "MODIFY_ITEMS_REFUND")
            /// It was bought by mistake.
            public static let unintended = Reason(rawValue: "UNINTENDED_PURCHASE")
            /// It was not delivered.
            public static let unfulfilled = Reason(rawValue: "FULFILLMENT_ISSUE")
            /// The customer was not content with it.
            public static let unsatisfied = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
            /// Any other reason.
            public static let other = Reason(rawValue: "OTHER")
        }

        /// How much of a price was paid back.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The name that statements write.
            public let rawValue: String

            /// The type of a name, be it known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// An amount that the developer chose.
            public static let custom = RefundType(rawValue: "CUSTOM")
            /// What was paid for the rest of the period.
            public static let proRated = RefundType(rawValue: "PRORATED")
            /// All of it.
            public static let full = RefundType(rawValue: "FULL")
        }

        init(_ backing: JSONBacking) {
            reason = Reason(rawValue: backing.text("refundReason") ?? "")
            type = RefundType(rawValue: backing.text("refundType") ?? "")
            date = backing.date("refundDate") ?? .distantPast
            amount = backing.thousandths("refundAmount") ?? 0
        }
    }
}

extension JSONBacking {
    /// A decimal fraction that the payload writes as text.
    fileprivate func rate(_ key: String) -> Decimal? {
        guard let text = text(key), text.utf8.count <= 32,
            text.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
