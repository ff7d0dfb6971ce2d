import Foundation
import StoreModel

/// Takes approved products from sale and puts them back, by their publisher or by the store.
package struct SaleService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// The publisher takes a product from sale, or puts it back.
    ///
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func setSale(
        _ isOnSale: Bool, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await change(
            isOnSale ? .returnToSale : .removeFromSale, reason: "", .changeSale, product, actor)
    }

    /// The store takes anybody's product from sale.
    ///
    /// - Parameter reason: what its publisher is to know.
    @discardableResult
    package func takeDown(
        _ product: ProductNumber, reason: String, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.operate)
        guard let reason = try? ReviewDecision.messageRule.checked(reason) else {
            throw ConnectRefusal(
                .invalid, rule: "reasonMissing", field: "reason",
                "The publisher must be told why.",
                help:
                    "Give a reason of at most \(ReviewDecision.longestMessage) characters; no control "
                    + "characters but line breaks.")
        }
        return try await change(.takeDown, reason: reason, .operate, product, actor)
    }

    /// The store lets a product be sold again that it had taken from sale. What its publisher
    /// had taken from sale before stays off.
    @discardableResult
    package func reinstate(
        _ product: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await change(.reinstate, reason: "", .operate, product, actor)
    }

    /// How a product came to be where it is sold, the newest change first.
    package func changes(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> [SaleChange] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let product = try work.product(product)
            return try work.submissions.saleChanges(
                of: product.record.id, in: product.app.id, limit: 20)
        }
    }

    private func change(
        _ step: ProductStep, reason: String, _ permission: ConnectPermission,
        _ product: ProductNumber, _ actor: ConnectActor
    ) async throws -> ProductRecord {
        try await shop.write(as: actor, requiring: permission) { work in
            let product = try work.product(product)
            var subject = try ReviewedProduct(product.record.id, of: product.app, in: work)
            try subject.change(sale: step, reason: reason)
            return subject.record
        }
    }
}
