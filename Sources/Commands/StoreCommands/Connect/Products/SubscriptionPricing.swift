import StoreModel
import StoreWire

/// The prices of auto-renewable subscriptions, which the API has one by one and by territory; those
/// of other products are a schedule (`PriceSet`).
enum SubscriptionPricing {
    /// Sets the price of a territory from a day on.
    ///
    /// - Parameters:
    ///   - territory: alpha-3; `nil` for the base territory, which the others follow.
    ///   - start: the first day; `nil` for at once.
    /// - Returns: the territory.
    static func set(
        _ tier: PriceTier, in territory: String?, from start: String?, of id: String,
        _ api: ConnectAPI
    ) async throws -> String {
        let base = try await api.show("/openstore/v1/productStatuses/\(id)")
            .attribute("territory")
        let wanted = territory ?? base
        let point = try await PricePoints.point(tier, in: wanted, at: path(of: id), api)
        _ = try await api.create(
            "subscriptionPrices", at: "/v1/subscriptionPrices",
            ["startDate": start.map { .string($0) } ?? .null],
            relationships: [
                "subscription": ("subscriptions", id),
                "subscriptionPricePoint": ("subscriptionPricePoints", point),
                "territory": ("territories", wanted),
            ])
        return wanted
    }

    static func path(of id: String) -> String { "/v1/subscriptions/\(id)" }
}

/// The prices that a product could have in a territory.
enum PricePoints {
    /// The price point of a tier: they are listed as the price list has its tiers.
    ///
    /// - Parameter path: of the product.
    static func point(
        _ tier: PriceTier, in territory: String, at path: String, _ api: ConnectAPI
    ) async throws -> String {
        let points = try await api.list(
            "\(path)/pricePoints", ["filter[territory]": territory])
        guard points.count == PriceTier.all.count,
            let index = PriceTier.all.firstIndex(of: tier),
            let storefront = Storefront.named(territory),
            points[index].attribute("customerPrice") == "\(tier.price(in: storefront).decimal)"
        else {
            throw CommandFailure(
                description: "the store has another price list than this program; use the newer "
                    + "program")
        }
        return points[index].id
    }
}
