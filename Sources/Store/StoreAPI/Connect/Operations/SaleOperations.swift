import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    private static let states = AttributeForm.choice(ProductState.allCases.map(\.rawValue))

    /// App Store Connect's way to submit one product.
    fileprivate static let inAppPurchaseSubmissions = ResourceType("inAppPurchaseSubmissions")

    /// That a product is taken from sale, or put back, by its publisher.
    static let saleChanges = ResourceType(
        "saleChanges", at: "/openstore/v1/saleChanges", reading: .viewApps,
        shape: ResourceShape([
            "action": .choice(["REMOVE", "RETURN"]), "state": states,
        ]),
        relationships: [.one("inAppPurchase", to: "inAppPurchases") { _, _ in nil }])

    /// The same by the store, whoever's product it is.
    static let storeSaleChanges = ResourceType(
        "storeSaleChanges", at: "/openstore/v1/storeSaleChanges", reading: .operate,
        shape: ResourceShape([
            "action": .choice(["TAKE_DOWN", "REINSTATE"]), "state": states,
            "reason": .optional(.text(1...ReviewDecision.longestMessage)),
        ]),
        relationships: [.one("inAppPurchase", to: "inAppPurchases") { _, _ in nil }])

    /// Whether the store hosts a product's content. Its identifier is the product's.
    static let contentHostings = ResourceType(
        "contentHostings", at: "/openstore/v1/contentHostings", reading: .viewApps,
        shape: ResourceShape([
            "isHosted": .flag, "productState": states, "productId": .text(1...255),
        ]),
        find: { call, id in
            let number = try ConnectOperation.product(id)
            return Resource(
                hostingOf: try await call.services.reviews.product(number, by: call.actor).record)
        })

    /// What is left to do before a product can be submitted, and before anybody can buy it. Its
    /// identifier is the product's.
    static let productStatuses = ResourceType(
        "productStatuses", at: "/openstore/v1/productStatuses", reading: .viewApps,
        shape: ResourceShape([
            "productId": .text(1...255), "state": states,
            "missing": .list(.object(["code": .text(1...40), "message": .text(1...400)])),
            "team": .text(1...400), "hasPaidAgreement": .flag,
            "obstacle": .optional(.text(1...1000)),
            "customerPrice": .optional(.text(1...40)), "currency": .optional(.text(3...3)),
            "territory": .text(3...3),
        ]),
        find: { call, id in
            let number = try ConnectOperation.product(id)
            return Resource(
                try await call.services.products.saleStatus(of: number, by: call.actor))
        })

    /// A version of a product's hosted content.
    static let contentVersions = ResourceType(
        "contentVersions", at: "/openstore/v1/contentVersions", reading: .viewApps,
        shape: ResourceShape([
            "version": .text(1...40),
            "state": .choice(ContentState.allCases.map(\.rawValue)),
            "message": .optional(.text(0...ReviewDecision.longestMessage)),
            "downloadSize": .integer(0...(1 << 53)), "unpackedSize": .integer(0...(1 << 53)),
            "createdDate": .dateTime, "changedDate": .dateTime, "isRetired": .flag,
        ]))
}

extension Resource {
    fileprivate init(hostingOf record: ProductRecord) {
        self.init(
            .contentHostings, id: record.number.description,
            [
                "isHosted": .bool(record.product.hostsContent),
                "productState": .string(record.state.rawValue),
                "productId": .string(record.id.text),
            ])
    }

    fileprivate init(_ status: ProductSaleStatus) {
        let missing: [JSONValue] = status.missing.map { item in
            ["code": .string(item.code), "message": .string(item.sentence)]
        }
        self.init(
            .productStatuses, id: status.record.number.description,
            [
                "productId": .string(status.record.id.text),
                "state": .string(status.record.state.rawValue), "missing": .array(missing),
                "team": .string(status.team.name),
                "hasPaidAgreement": .bool(status.team.hasPaidAgreement),
                "obstacle": .text(status.obstacle),
                "customerPrice": .text(status.price.map { "\($0.decimal)" }),
                "currency": .text(status.price?.currency),
                "territory": .string(status.baseTerritory),
            ])
    }

    fileprivate init(_ record: ReleaseRecord, of product: ProductNumber) {
        let release = record.release
        self.init(
            .contentVersions, id: "\(product)-\(release.version)",
            [
                "version": .string(release.version.text), "state": .string(release.state.rawValue),
                "message": .text(record.message),
                "downloadSize": .integer(Int(release.downloadLength)),
                "unpackedSize": .integer(Int(release.unpackedLength)),
                "createdDate": .time(record.created), "changedDate": .time(record.changed),
                "isRetired": .bool(release.isRetired),
            ])
    }
}

extension ConnectOperation {
    static let sale: [ConnectOperation] =
        reading(.contentHostings) + reading(.productStatuses) + [
            .create("/v1/inAppPurchaseSubmissions", .submit) { call in
                let number = try product(call.data.one("inAppPurchaseV2"))
                let made = try await call.services.reviews.submit(
                    numbers: [number], by: call.actor)
                return Resource(
                    .inAppPurchaseSubmissions, id: made.id.description, [:],
                    links: [
                        "inAppPurchaseV2": [
                            ResourceLink(type: "inAppPurchases", id: number.description)
                        ]
                    ])
            },
            .create(.saleChanges, .changeSale, required: ["action", "inAppPurchase"]) { call in
                let action = try call.data.text("action")
                let record = try await call.services.saleChanges.setSale(
                    action == "RETURN", of: product(call.data.one("inAppPurchase")),
                    by: call.actor)
                return Resource(
                    .saleChanges, id: record.number.description,
                    ["action": .string(action), "state": .string(record.state.rawValue)])
            },
            .create(
                .storeSaleChanges, .operate, required: ["action", "inAppPurchase"],
                optional: ["reason"]
            ) { call in
                let action = try call.data.text("action")
                let number = try product(call.data.one("inAppPurchase"))
                let reason = call.data.optionalText("reason") ?? ""
                let record =
                    action == "TAKE_DOWN"
                    ? try await call.services.saleChanges.takeDown(
                        number, reason: reason, by: call.actor)
                    : try await call.services.saleChanges.reinstate(number, by: call.actor)
                return Resource(
                    .storeSaleChanges, id: record.number.description,
                    [
                        "action": .string(action), "state": .string(record.state.rawValue),
                        "reason": reason.isEmpty ? .null : .string(reason),
                    ])
            },
            .update(.contentHostings, .manageProducts, changing: ["isHosted"]) { call in
                let number = try product(call.id)
                guard let isHosted = call.data.flag("isHosted") else {
                    throw ConnectRefusal(
                        .invalid, rule: "required", field: "isHosted",
                        "The value of isHosted is missing.", help: "Send true or false.")
                }
                return Resource(
                    hostingOf: try await call.services.hosting.setHosting(
                        isHosted, of: number, by: call.actor))
            },
            .list(.contentVersions, .viewApps, filters: ["inAppPurchase": .text(1...20)]) { call in
                guard let id = try call.query.one("inAppPurchase") else {
                    throw JSONAPIErrors.parameter(
                        "filter[inAppPurchase]", "The list needs filter[inAppPurchase].")
                }
                let number = try product(id)
                return try ListPage(
                    of: try await call.services.hosting.versions(of: number, by: call.actor),
                    call.page()
                ).map { Resource($0, of: number) }
            },
        ]
}
