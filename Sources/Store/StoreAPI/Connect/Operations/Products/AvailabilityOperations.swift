import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let availabilities = ResourceType(
        "inAppPurchaseAvailabilities", at: "/v1/inAppPurchaseAvailabilities",
        find: { call, id in Resource(availabilityOf: try await call.product(id)) },
        relationships: [
            .many("availableTerritories") { call, wanted in
                let record = try await call.product(wanted.id)
                return try ListPage(of: record.product.availability.territories, wanted.page)
                    .map { Resource($0) }
            }
        ])

    static let contents = ResourceType(
        "inAppPurchaseContents", at: "/v1/inAppPurchaseContents",
        find: { call, id in
            let content = try await Resource.content(of: call.product(id), call).orNotFound(
                "content", id)
            return content
        },
        relationships: [
            .one("inAppPurchaseV2") { call, wanted in
                Resource(try await call.product(wanted.id).summary)
            }
        ])
}

extension ConnectOperation {
    static let availabilities: [ConnectOperation] =
        reading(.availabilities) + [
            .create("/v1/inAppPurchaseAvailabilities", .manageProducts) { call in
                let record = try await call.product(try call.data.one("inAppPurchase"))
                let includesNew = call.data.flag("availableInNewTerritories") ?? false
                let territories = Set(call.data.many("availableTerritories").map(\.id))
                // Asked first: what is sold everywhere else does not name what it is sold in.
                try Availability.check(territories)
                let changed = try await call.services.products.setAvailability(
                    Availability(territories: territories, includesNew: includesNew),
                    of: record.number, by: call.actor)
                return Resource(availabilityOf: changed)
            }
        ]
}

extension Resource {
    init(availabilityOf record: ProductRecord) {
        self.init(
            .availabilities, id: record.number.description,
            ["availableInNewTerritories": .bool(record.product.availability.includesNew)])
    }

    /// The hosted content of a product; nil where it hosts none, or has none yet.
    static func content(of record: ProductRecord, _ call: ConnectCall) async throws -> Resource? {
        guard record.product.hostsContent,
            let content = try await call.services.products.content(
                of: record.number, by: call.actor)
        else { return nil }
        return Resource(
            .contents, id: record.number.description,
            [
                "fileName": .string(content.fileName), "fileSize": .integer(content.size),
                "lastModifiedDate": .time(content.date),
            ],
            links: [
                "inAppPurchaseV2": [
                    ResourceLink(type: "inAppPurchases", id: record.number.description)
                ]
            ])
    }
}
