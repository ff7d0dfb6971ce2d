import StoreHTTP

/// Every operation of Connect's API with what it takes to call it.
///
/// This is the only list: the router is made from it, our own description too, and a test
/// walks it with every role.
package enum ConnectRouteTable {
    /// Where the API is rooted. What lies below it is answered in the form of App Store
    /// Connect, errors too.
    package static let prefix = "/connect"
    /// The description of what App Store Connect lacks, for anybody.
    package static let descriptionPath = "/connect/openstore/v1/openapi.json"

    package static let operations: [ConnectOperation] = [
        ConnectOperation.territories,
        ConnectOperation.bundleIdentifiers,
        ConnectOperation.profiles,
        ConnectOperation.apps,
        ConnectOperation.appVersions,
        ConnectOperation.products,
        ConnectOperation.uploads,
        ConnectOperation.sessions,
        ConnectOperation.me,
        ConnectOperation.teams,
        ConnectOperation.users,
        ConnectOperation.invitations,
        ConnectOperation.staff,
        ConnectOperation.agreements,
        ConnectOperation.apiKeys,
        ConnectOperation.audit,
        ConnectOperation.sharedSecrets,
        ConnectOperation.sandboxTesters,
        ConnectOperation.testerPurchases,
        ConnectOperation.salesReports,
        ConnectOperation.refunds,
        ConnectOperation.subscriptions,
        ConnectOperation.kept,
        ConnectOperation.reviews,
        ConnectOperation.sale,
        ConnectOperation.productSheets,
        ConnectOperation.items,
        ConnectOperation.itemMedia,
        ConnectOperation.customerReviews,
        ConnectOperation.itemSales,
        ConnectOperation.affiliates,
        ConnectOperation.feedPartners,
        ConnectOperation.sandboxClocks,
        ConnectOperation.notifications,
    ].flatMap { $0 }

    /// Whether something is read at a path, so that links may lead there.
    static func shows(_ pattern: String) -> Bool { shown.contains(pattern) }

    private static let shown = Set(
        operations.filter { $0.method == .get }.map(\.pattern))
}
