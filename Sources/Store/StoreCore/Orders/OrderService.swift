import Foundation
import StoreModel

/// What customers bought in apps: all of it, in the order in which they did.
package struct OrderService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// What an account bought in all apps, the newest first; nothing that was cleared. Nobody has
    /// counted.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func orders(
        of account: Account, _ request: PageRequest
    ) async throws -> ListPage<CustomerOrder> {
        let before = try request.key().map(TransactionID.init(number:))
        return try await shop.read { work in
            let found = try work.transactions.purchases(
                of: account.id, before: before, limit: request.limit + 1)
            var reader = OrderReader(account, work)
            let orders = try found.prefix(request.limit).map { try reader.order($0) }
            let next = found.count > request.limit ? orders.last?.record.id.description : nil
            return ListPage(items: orders, total: nil, next: next)
        }
    }

    /// One order of an account; nil where it has no such order.
    package func order(_ id: OrderID, of account: Account) async throws -> CustomerOrder? {
        try await shop.read { work in
            guard try work.transactions.isInHistory(id.transaction),
                let record = try work.transactions.record(id.transaction),
                record.entry.details.account == account.id
            else { return nil }
            var reader = OrderReader(account, try work.at(.buyer(of: id.transaction)))
            return try reader.order(record)
        }
    }

    /// What an account subscribes to through its family, the one that ends last first.
    package func familySubscriptions(of account: Account) async throws -> [CustomerOrder] {
        try await shop.read { work in
            var reader = OrderReader(account, work)
            let received = try work.families.sharesReceived(by: account.id, at: work.now)
            return try received.filter { $0.details.productType == .autoRenewableSubscription }
                .compactMap { try work.transactions.record($0.id) }
                .filter { record in record.facts.expiration.map { $0 > work.now } ?? false }
                .map { try reader.order($0) }
                .sorted {
                    ($0.record.facts.expiration ?? work.now)
                        > ($1.record.facts.expiration ?? work.now)
                }
        }
    }
}

/// Reads what belongs to orders, each app and product once, inside a transaction.
struct OrderReader {
    private struct Key: Hashable {
        let app: AppID
        let product: ProductID
    }

    private let account: Account
    private let work: UnitOfWork
    private var apps: [AppID: String] = [:]
    private var titles: [Key: String] = [:]

    init(_ account: Account, _ work: UnitOfWork) {
        self.account = account
        self.work = work
    }

    mutating func order(_ record: TransactionRecord) throws -> CustomerOrder {
        let details = record.entry.details
        return CustomerOrder(
            record: record, appName: try appName(details.app),
            title: try title(of: details.productID, in: details.app),
            request: try work.refunds.lastRequest(for: record.id),
            refusal: try work.refundRefusal(of: record))
    }

    mutating func appName(_ id: AppID) throws -> String {
        if let known = apps[id] { return known }
        let name = try work.catalog.app(id)?.name ?? ""
        apps[id] = name
        return name
    }

    /// What the account reads for a product: its identifier where the store knows no more.
    mutating func title(of product: ProductID, in app: AppID) throws -> String {
        let key = Key(app: app, product: product)
        if let known = titles[key] { return known }
        let title = try work.catalog.product(product, in: app)?.text(
            in: account.storefront, environment: account.environment
        ).title
        titles[key] = title ?? product.text
        return title ?? product.text
    }
}
