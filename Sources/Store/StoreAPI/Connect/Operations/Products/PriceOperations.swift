import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let priceSchedules = ResourceType(
        "inAppPurchasePriceSchedules", at: "/v1/inAppPurchasePriceSchedules",
        find: { call, id in Resource(scheduleOf: try await call.priced(id)) },
        relationships: [
            .one("baseTerritory") { call, wanted in
                let prices = try await call.priced(wanted.id).product.details.prices
                return Storefront.named(prices.baseTerritory).map { Resource($0) }
            },
            .many("manualPrices") { call, wanted in
                let record = try await call.priced(wanted.id)
                let entries = record.product.details.prices.entries
                    .filter { wanted.filters["territory"]?.contains($0.territory) ?? true }
                return try ListPage(of: entries, wanted.page)
                    .map { Resource($0, of: record.number, isManual: true) }
            },
            .many("automaticPrices") { call, wanted in
                let record = try await call.priced(wanted.id)
                let entries = record.product.details.prices
                    .automaticEntries(at: call.services.clock.now())
                    .filter { wanted.filters["territory"]?.contains($0.territory) ?? true }
                return try ListPage(of: entries, wanted.page)
                    .map { Resource($0, of: record.number, isManual: false) }
            },
        ])

    /// Prices are seen through their schedule.
    static let productPrices = ResourceType(
        "inAppPurchasePrices",
        relationships: [
            .one("inAppPurchasePricePoint") { call, wanted in
                guard let key = CompoundIdentifier(wanted.id), let product = key.product,
                    let tier = key.p.flatMap(PriceTier.named),
                    let storefront = key.t.flatMap(Storefront.named)
                else { return nil }
                return Resource(tier, in: storefront, of: product)
            },
            .one("territory") { _, wanted in
                CompoundIdentifier(wanted.id)?.t.flatMap(Storefront.named).map { Resource($0) }
            },
        ])

    static let pricePoints = ResourceType(
        "inAppPurchasePricePoints", at: "/v1/inAppPurchasePricePoints",
        relationships: [
            // Its identifier says which; a page has 8000 price points, and no reads for each.
            .one("territory") { _, wanted in
                CompoundIdentifier(wanted.id)?.t.flatMap(Storefront.named).map { Resource($0) }
            },
            .many("equalizations") { call, wanted in
                let point = try await call.pricePoint(wanted.id)
                let others = Storefront.all.map(\.code).filter { $0 != point.storefront.code }
                let territories = wanted.filters["territory"]
                return try PricePointList(
                    point.product,
                    territories: others.filter { territories?.contains($0) ?? true },
                    tiers: [point.tier]
                ).page(wanted.page)
            },
        ])
}

extension ConnectOperation {
    static let prices: [ConnectOperation] =
        reading(.priceSchedules) + reading(.pricePoints) + [
            .create("/v1/inAppPurchasePriceSchedules", .managePrices) { call in
                let record = try await call.product(try call.data.one("inAppPurchase"))
                let entries = try call.data.many("manualPrices").map {
                    try call.priceEntry($0, of: record)
                }
                let changed = try await call.services.products.setPrices(
                    PriceSchedule(
                        baseTerritory: try call.data.one("baseTerritory"), entries: entries),
                    of: record.number, by: call.actor)
                return Resource(scheduleOf: changed)
            }
        ]
}

extension ConnectCall {
    /// A product that has prices.
    fileprivate func priced(_ id: String) async throws -> ProductRecord {
        let record = try await product(id)
        guard !record.product.details.prices.isEmpty else {
            throw ConnectRefusal.notFound("price schedule", id)
        }
        return record
    }

    /// What an identifier of a price point stands for.
    fileprivate func pricePoint(
        _ id: String
    ) async throws -> (product: ProductNumber, tier: PriceTier, storefront: Storefront) {
        guard let key = CompoundIdentifier(id), let product = key.product,
            let tier = key.p.flatMap(PriceTier.named),
            let storefront = key.t.flatMap(Storefront.named), storefront.code == key.t
        else { throw ConnectRefusal.notFound("price point", String(id.prefix(100))) }
        return (try await self.product(product.description).number, tier, storefront)
    }

    /// A price of the schedule that a document makes: one of `included`, or one that there is.
    fileprivate func priceEntry(
        _ link: ResourceLink, of record: ProductRecord
    ) throws -> PriceSchedule.Entry {
        func wrong(_ problem: String) -> ConnectRefusal {
            ConnectRefusal(
                .invalid, rule: "manualPrice", field: "manualPrices", problem,
                help: "Let each price name a price point of this in-app purchase.")
        }
        guard let price = document.included(link) else {
            guard let key = CompoundIdentifier(link.id), key.product == record.number,
                let known = record.product.details.prices.entries.first(where: {
                    Resource.id(of: $0, record.number) == link.id
                })
            else { throw wrong("There is no price \(link.id.prefix(100)) in included.") }
            return known
        }
        guard let point = price.optionalOne("inAppPurchasePricePoint"),
            let key = CompoundIdentifier(point), key.product == record.number,
            let territory = key.t, let tier = key.p
        else { throw wrong("A price has no price point of this in-app purchase.") }
        return PriceSchedule.Entry(
            territory: territory, figure: .tier(tier), start: price.day("startDate"),
            end: price.day("endDate"))
    }
}

extension Resource {
    init(scheduleOf record: ProductRecord) {
        self.init(
            .priceSchedules, id: record.number.description, [:],
            links: [
                "baseTerritory": [
                    ResourceLink(
                        type: "territories", id: record.product.details.prices.baseTerritory)
                ]
            ])
    }

    fileprivate static func id(
        of entry: PriceSchedule.Entry, _ product: ProductNumber
    ) -> String {
        var id = CompoundIdentifier(product)
        id.t = entry.territory
        switch entry.figure {
        case .tier(let tier): id.p = tier
        case .amount(let thousandths): id.a = thousandths
        }
        id.d = entry.start.map { Int64(clamping: $0.timeIntervalSince1970) }
        return id.text
    }

    fileprivate init(
        _ entry: PriceSchedule.Entry, of product: ProductNumber, isManual: Bool
    ) {
        var links = ["territory": [ResourceLink(type: "territories", id: entry.territory)]]
        if case .tier(let tier) = entry.figure {
            var point = CompoundIdentifier(product)
            point.t = entry.territory
            point.p = tier
            links["inAppPurchasePricePoint"] = [
                ResourceLink(type: "inAppPurchasePricePoints", id: point.text)
            ]
        }
        self.init(
            .productPrices, id: Self.id(of: entry, product),
            [
                "startDate": .day(entry.start), "endDate": .day(entry.end),
                "manual": .bool(isManual),
            ], links: links)
    }

    init(_ tier: PriceTier, in storefront: Storefront, of product: ProductNumber) {
        var id = CompoundIdentifier(product)
        id.t = storefront.code
        id.p = tier.identifier
        let price = tier.price(in: storefront)
        self.init(
            .pricePoints, id: id.text,
            [
                "customerPrice": .string("\(price.decimal)"),
                "proceeds": .string("\(Proceeds.ofOne(at: price).decimal)"),
            ],
            links: ["territory": [ResourceLink(type: "territories", id: storefront.code)]])
    }
}

extension PriceSchedule {
    /// What follows from the base, as far as it holds at a date or later.
    fileprivate func automaticEntries(at date: Date) -> [Entry] {
        Storefront.all.flatMap { storefront in
            entriesOfBase(in: storefront.code).filter { entry in
                guard case .tier = entry.figure else { return false }
                return entry.end.map { $0 > date } ?? true
            }
        }
    }
}

/// All prices that a product could have, of which only those on a page are made.
struct PricePointList {
    private let product: ProductNumber
    private let storefronts: [Storefront]
    private let tiers: [PriceTier]

    /// - Parameter territories: alpha-3 codes; nil for all.
    init(_ product: ProductNumber, territories: [String]?, tiers: [PriceTier]) {
        self.product = product
        storefronts = Storefront.all.filter { territories?.contains($0.code) ?? true }
        self.tiers = tiers
    }

    func page(_ request: PageRequest) throws -> ListPage<Resource> {
        let total = storefronts.count * tiers.count
        let start = min(try request.offset(), total)
        let items = (start..<min(start + request.limit, total)).map { index in
            Resource(
                tiers[index % tiers.count], in: storefronts[index / tiers.count], of: product)
        }
        return try ListPage(items, total: total, from: request)
    }
}
