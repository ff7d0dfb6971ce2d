import Foundation
import StoreDatabase
import StoreModel

/// What is particular about auto-renewable subscriptions among the products.
package struct SubscriptionRepository {
    let connection: any SQLConnection

    /// A page of the subscriptions in a group, without deleted ones.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func page(
        ofGroup group: String, of app: AppID, _ filter: SubscriptionFilter,
        _ request: PageRequest
    ) throws -> ListPage<ProductNumber> {
        let ofIDs: SQL? = filter.productIDs.map { "AND product_id IN \(list: $0)" }
        let ofNames: SQL? = filter.names.map { "AND reference_name IN \(list: $0)" }
        let ofStates: SQL? = filter.states.map { "AND state IN \(list: $0)" }
        let wanted: SQL = "\(Self.of(app, group: group)) \(ofIDs) \(ofNames) \(ofStates)"
        let order: SQL =
            switch filter.order {
            case nil: "id"
            case .name?: "lower(reference_name), id"
            case .nameDescending?: "lower(reference_name) DESC, id"
            }
        let found = try connection.values(
            ProductNumber.self,
            """
            SELECT id FROM product WHERE \(wanted) ORDER BY \(order)
            LIMIT \(request.limit) OFFSET \(try request.offset())
            """)
        let total = try connection.value(Int.self, "SELECT count(*) FROM product WHERE \(wanted)")
        return try ListPage(found, total: total ?? 0, from: request)
    }

    /// The condition that a product is a subscription in a group, and not deleted.
    private static func of(_ app: AppID, group: String) -> SQL {
        "app = \(app) AND subscription_group = \(group) AND deleted IS NULL"
    }

    /// The groups that have a subscription in one of these states, without deleted ones.
    package func groups(
        of app: AppID, withSubscriptionsIn states: [ProductState]
    ) throws -> Set<String> {
        Set(
            try connection.values(
                String.self,
                """
                SELECT DISTINCT subscription_group FROM product
                WHERE app = \(app) AND subscription_group IS NOT NULL AND deleted IS NULL
                    AND state IN \(list: states)
                """))
    }

    /// Whether a subscription that is not deleted is in the group.
    package func isUsed(group: String, of app: AppID) throws -> Bool {
        try connection.exists("FROM product WHERE \(Self.of(app, group: group))")
    }

    package func setTerms(_ terms: SubscriptionTerms, of number: ProductNumber) throws {
        try connection.run(
            """
            UPDATE product SET subscription = \(bound: try .json(terms)),
                subscription_group = \(terms.groupID)
            WHERE id = \(number)
            """)
    }

    /// Lets all subscriptions of a group name it otherwise.
    package func setName(_ name: String, ofGroup group: String, of app: AppID) throws {
        try connection.run(
            """
            UPDATE product SET subscription = json_set(subscription, '$.groupName', \(name))
            WHERE app = \(app) AND subscription_group = \(group)
            """)
    }
}

extension StoreRepositories {
    package var subscriptions: SubscriptionRepository {
        SubscriptionRepository(connection: connection)
    }
}
