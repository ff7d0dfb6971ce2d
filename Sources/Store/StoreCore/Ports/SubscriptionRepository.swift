import StoreModel

/// What is particular about auto-renewable subscriptions among the products.
package protocol SubscriptionRepository {
    /// A page of the subscriptions in a group, without deleted ones.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    func page(
        ofGroup group: String, of app: AppID, _ filter: SubscriptionFilter,
        _ request: PageRequest
    ) throws -> ListPage<ProductNumber>
    /// The groups that have a subscription in one of these states, without deleted ones.
    func groups(of app: AppID, withSubscriptionsIn states: [ProductState]) throws -> Set<String>
    /// Whether a subscription that is not deleted is in the group.
    func isUsed(group: String, of app: AppID) throws -> Bool
    func setTerms(_ terms: SubscriptionTerms, of number: ProductNumber) throws
    /// Lets all subscriptions of a group name it otherwise.
    func setName(_ name: String, ofGroup group: String, of app: AppID) throws
}
