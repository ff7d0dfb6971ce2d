import StoreModel

/// Gives out all products of an app, a part at a time.
package struct ProductExportService: Sendable {
    private let database: any StoreDatabase

    package init(database: any StoreDatabase) {
        self.database = database
    }

    /// As many products as are in memory at the same time.
    private static let pageSize = 100

    /// Hands over each product as it is then, by identifier; each part of the list is one
    /// consistent picture.
    ///
    /// - Parameter types: those that are wanted; nil for all.
    package func forEach(
        of app: AppID, types: [ProductType]? = nil, by actor: ConnectActor,
        _ body: (ProductRecord) throws -> Void
    ) async throws {
        try actor.require(.viewApps)
        var cursor: String?
        repeat {
            let request = PageRequest(limit: Self.pageSize, cursor: cursor)
            let (records, next) = try await database.read { repositories in
                _ = try ProductService.app(app, actor, repositories)
                let page = try repositories.products.page(
                    of: app, ProductFilter(types: types), by: ProductOrder(.productID), request
                ).page
                let records = try page.items.compactMap {
                    try repositories.products.record($0.number)
                }
                return (records, page.next)
            }
            for record in records { try body(record) }
            cursor = next
        } while cursor != nil
    }
}
