import Foundation
import StoreModel
import StoreWire

/// `openstore price set`
enum PriceSet: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["price", "set"], summary: "Set what an in-app purchase or a subscription costs.",
        discussion: """
            A price of the base territory (the USA, unless the first price was set elsewhere) holds
            for all territories that have none of their own, by the figures of its tier. What was
            planned for the territory from the day on goes. Subscribers pay the new price from their
            next period on.
            """,
        arguments: [.product],
        options: [
            .app,
            .value("tier", "TIER", "A tier; openstore price tiers lists them.").asRequired,
            .value("territory", "CODE", "The alpha-3 code; the base territory unless given."),
            .value("from", "DAY", "The first day, for example 2027-01-31; at once unless given."),
        ])

    /// A price of the schedule on its way back to the store.
    private struct Entry {
        let point: String
        let territory: String
        let start: String?
        var end: String?
    }

    static func run(_ connect: ConnectContext) async throws {
        let tier = try connect.arguments.required("tier", "a tier of the price list") {
            PriceTier.named($0)
        }
        let start = try connect.arguments.value("from", "a day such as 2027-01-31", day)
        let territory = try connect.arguments.value("territory", "a territory such as USA") {
            Storefront.named($0)?.code
        }
        let product = try await connect.product()
        let wanted =
            product.isSubscription
            ? try await SubscriptionPricing.set(
                tier, in: territory, from: start, of: product.number, connect.api)
            : try await set(tier, in: territory, from: start, of: product, connect.api)
        let from = start.map { " from \($0)" } ?? ""
        let storefront = Storefront.named(wanted) ?? .unitedStates
        let price = tier.price(in: storefront)
        connect.show.done(
            id: product.number,
            "\(connect.arguments.argument(0)) costs \(price.decimal) \(price.currency) in "
                + "\(storefront.nameInSentence)\(from).")
    }

    /// Sends the schedule with the price that is set.
    ///
    /// - Returns: the territory.
    private static func set(
        _ tier: PriceTier, in territory: String?, from start: String?, of product: NamedProduct,
        _ api: ConnectAPI
    ) async throws -> String {
        let id = product.number
        let known = try await schedule(of: id, api)
        let base = known?.base ?? territory ?? "USA"
        let wanted = territory ?? base
        let new = Entry(
            point: try await PricePoints.point(tier, in: wanted, at: product.path, api),
            territory: wanted,
            start: start, end: nil)
        let kept = (known?.entries ?? []).filter { entry in
            guard entry.territory == wanted else { return true }
            guard let start else { return false }
            return (entry.start ?? "") < start
        }.map { entry in
            var entry = entry
            if entry.territory == wanted, let start, let end = entry.end, end > start {
                entry.end = start
            }
            return entry
        }
        try await send(kept + [new], base: base, of: id, api)
        return wanted
    }

    private static func day(_ text: String) -> String? { CalendarDay(text)?.description }

    /// The prices that there are; nil for none.
    private static func schedule(
        of id: String, _ api: ConnectAPI
    ) async throws -> (base: String, entries: [Entry])? {
        let path = "/v1/inAppPurchasePriceSchedules/\(id)"
        let base: JSONValue
        do {
            base = try await api.show("\(path)/baseTerritory")
        } catch let failure as ConnectFailure where failure.status == 404 {
            return nil
        }
        let prices = try await api.list("\(path)/manualPrices")
        let entries = try prices.map { price in
            func link(_ name: String) -> String? {
                price["relationships"]?[name]?["data"]?["id"]?.text
            }
            guard let point = link("inAppPurchasePricePoint"), let territory = link("territory")
            else {
                throw CommandFailure(
                    description: "it has an amount that no tier has; set its prices in the portal")
            }
            return Entry(
                point: point, territory: territory, start: price["attributes"]?["startDate"]?.text,
                end: price["attributes"]?["endDate"]?.text)
        }
        return (base.id, entries)
    }

    private static func send(
        _ entries: [Entry], base: String, of id: String, _ api: ConnectAPI
    ) async throws {
        let prices = entries.enumerated().map { index, entry -> JSONValue in
            var attributes: [String: JSONValue] = [:]
            attributes["startDate"] = entry.start.map { .string($0) }
            attributes["endDate"] = entry.end.map { .string($0) }
            return [
                "type": "inAppPurchasePrices", "id": .string("${price\(index)}"),
                "attributes": .object(attributes),
                "relationships": [
                    "inAppPurchasePricePoint": [
                        "data": ["type": "inAppPurchasePricePoints", "id": .string(entry.point)]
                    ]
                ],
            ]
        }
        let links = prices.map { price -> JSONValue in
            ["type": "inAppPurchasePrices", "id": .string(price.id)]
        }
        let body: JSONValue = [
            "data": [
                "type": "inAppPurchasePriceSchedules",
                "relationships": [
                    "inAppPurchase": ["data": ["type": "inAppPurchases", "id": .string(id)]],
                    "baseTerritory": ["data": ["type": "territories", "id": .string(base)]],
                    "manualPrices": ["data": .array(links)],
                ],
            ],
            "included": .array(prices),
        ]
        _ = try await api.send("POST", "/v1/inAppPurchasePriceSchedules", [:], body)
    }
}
