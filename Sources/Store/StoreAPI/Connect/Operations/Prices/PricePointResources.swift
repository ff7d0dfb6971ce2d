import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// Prices that a subscription could have.
    static let subscriptionPricePoints = pricePoints(
        "subscriptionPricePoints",
        check: { call, number in
            _ = try await call.services.subscriptions.subscription(number, by: call.actor)
        }, resource: { Resource($0) })

    /// Prices that a product of another type could have.
    static let inAppPurchasePricePoints = pricePoints(
        "inAppPurchasePricePoints",
        check: { call, number in
            _ = try await call.services.products.product(number, by: call.actor)
        }, resource: { Resource(inAppPurchasePoint: $0) })

    /// - Parameter check: throws where the caller does not see the product.
    private static func pricePoints(
        _ name: String,
        check: @escaping @Sendable (ConnectCall, ProductNumber) async throws -> Void,
        resource: @escaping @Sendable (PricePoint) -> Resource
    ) -> ResourceType {
        @Sendable func point(_ call: ConnectCall, _ id: String) async throws -> PricePoint {
            guard let point = PricePoint(id) else {
                throw ConnectRefusal.notFound("price point", id)
            }
            try await check(call, point.product)
            return point
        }
        return ResourceType(
            name, at: "/v1/\(name)", find: { resource(try await point($0, $1)) },
            relationships: [
                .one("territory") { Resource(try await point($0, $1.id).territory) },
                // The same tier in the other territories.
                .many("equalizations") { call, wanted in
                    let own = try await point(call, wanted.id)
                    let others = try call.territories(wanted.filters).filter {
                        $0 != own.territory
                    }
                    return try ListPage(
                        of: others.map {
                            PricePoint(product: own.product, territory: $0, tier: own.tier)
                        }, wanted.page
                    ).map(resource)
                },
            ])
    }
}

extension ConnectCall {
    /// The territories that `filter[territory]` names; all where it is not there.
    ///
    /// - Throws: `JSONAPIErrors` for one that the store does not have.
    func territories(_ filters: [String: [String]]) throws -> [Storefront] {
        guard let codes = filters["territory"] else { return Storefront.all }
        return try codes.map { code in
            guard let storefront = Storefront.named(code), storefront.code == code else {
                throw JSONAPIErrors([
                    .parameter(
                        "filter[territory]",
                        "The store has no territory '\(code.prefix(40))'; use alpha-3 codes.")
                ])
            }
            return storefront
        }
    }
}

extension Resource {
    /// A price that a subscription could have.
    init(_ point: PricePoint) {
        self.init(.subscriptionPricePoints, id: point.id, point.attributes, links: point.links)
    }

    /// A price that a product of another type could have.
    init(inAppPurchasePoint point: PricePoint) {
        self.init(
            .inAppPurchasePricePoints, id: point.id, point.attributes, links: point.links)
    }
}

extension PricePoint {
    fileprivate var attributes: [String: JSONValue] {
        ["customerPrice": .string(customerPrice)]
    }

    fileprivate var links: [String: [ResourceLink]] {
        ["territory": [ResourceLink(type: "territories", id: territory.code)]]
    }
}
