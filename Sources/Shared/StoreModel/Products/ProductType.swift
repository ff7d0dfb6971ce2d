/// The four kinds of in-app purchase, spelled as in signed transactions.
package enum ProductType: String, Sendable, Codable, CaseIterable {
    case consumable = "Consumable"
    case nonConsumable = "Non-Consumable"
    case nonRenewingSubscription = "Non-Renewing Subscription"
    case autoRenewableSubscription = "Auto-Renewable Subscription"

    /// How many of a product one payment may be for.
    package static let quantities: ClosedRange<Int> = 1...10

    /// What is said of a payment for more, or for none.
    package static func refusal(ofQuantity quantity: Int) -> String {
        "The quantity is \(quantity); it must be between \(quantities.lowerBound) and "
            + "\(quantities.upperBound)."
    }

    /// Whether a customer owns it for good and can have it restored on another device.
    package var isRestorable: Bool {
        self == .nonConsumable || self == .autoRenewableSubscription
    }
}
