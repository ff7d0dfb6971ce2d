import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// Prices that a subscription could have.
    static let subscriptionPricePoints = ResourceType(
        "subscriptionPricePoints", at: "/v1/subscriptionPricePoints",
        find: { call, id in Resource(try await call.pricePoint(id)) },
        relationships: [
            // Its identifier says which; a page has 8000 price points, and no reads for each.
            .one("territory") { _, wanted in
                PricePoint(wanted.id).map { Resource($0.territory) }
            },
            // The same tier in the other territories.
            .many("equalizations") { call, wanted in
                let own = try await call.pricePoint(wanted.id)
                let others = try call.territories(wanted.filters).filter { $0 != own.territory }
                return try ListPage(
                    of: others.map {
                        PricePoint(product: own.product, territory: $0, tier: own.tier)
                    }, wanted.page
                ).map { Resource($0) }
            },
        ])
}

extension ConnectCall {
    /// A price point of a subscription that the caller sees.
    fileprivate func pricePoint(_ id: String) async throws -> PricePoint {
        guard let point = PricePoint(id) else {
            throw ConnectRefusal.notFound("price point", String(id.prefix(100)))
        }
        _ = try await services.subscriptions.subscription(point.product, by: actor)
        return point
    }

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
        let price = point.tier.price(in: point.territory)
        self.init(
            .subscriptionPricePoints, id: point.id,
            [
                "customerPrice": .string("\(price.decimal)"),
                "proceeds": .string("\(Proceeds.ofOne(at: price).decimal)"),
            ],
            links: [
                "territory": [ResourceLink(type: "territories", id: point.territory.code)]
            ])
    }
}
