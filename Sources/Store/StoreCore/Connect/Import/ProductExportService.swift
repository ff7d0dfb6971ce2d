import StoreModel

/// How far the products of an app were given out.
package struct ProductExport: Sendable {
    fileprivate let app: AppID
    fileprivate let types: [ProductType]?
    fileprivate let actor: ConnectActor
    fileprivate var cursor: String?
    fileprivate var hasEnded = false

    /// - Parameter types: those that are wanted; nil for all.
    package init(of app: AppID, types: [ProductType]? = nil, by actor: ConnectActor) {
        self.app = app
        self.types = types
        self.actor = actor
    }
}

/// Gives out all products of an app, a part at a time.
package struct ProductExportService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// As many products as are in memory at the same time.
    private static let pageSize = 100

    /// The next products, by identifier; nil behind the last one. Each part is a consistent
    /// picture of its own moment.
    package func next(_ export: inout ProductExport) async throws -> [ProductRecord]? {
        guard !export.hasEnded else { return nil }
        let wanted = export
        let (records, cursor) = try await shop.read(as: wanted.actor, requiring: .viewApps) {
            work in
            _ = try work.app(wanted.app)
            let page = try work.products.page(
                of: wanted.app, ProductFilter(types: wanted.types), by: ProductOrder(.productID),
                PageRequest(limit: Self.pageSize, cursor: wanted.cursor)
            ).page
            return (try page.items.compactMap { try work.products.record($0.number) }, page.next)
        }
        export.cursor = cursor
        export.hasEnded = cursor == nil
        return records
    }
}
