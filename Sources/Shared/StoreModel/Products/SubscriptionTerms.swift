/// What makes a product a subscription: its group, level, period and offers.
package struct SubscriptionTerms: Hashable, Sendable, Codable {
    package var groupID: String
    package var groupName: String
    /// 1 is the highest level of service in the group.
    package var level: Int
    package var period: SubscriptionPeriod
    /// Those of the product's `.storekit` file.
    package var offers: [SubscriptionOffer]

    package init(
        groupID: String, groupName: String, level: Int, period: SubscriptionPeriod,
        offers: [SubscriptionOffer]
    ) {
        self.groupID = groupID
        self.groupName = groupName
        self.level = level
        self.period = period
        self.offers = offers
    }
}
