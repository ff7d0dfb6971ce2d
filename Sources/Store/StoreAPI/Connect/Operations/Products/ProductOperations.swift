import StoreCore
import StoreModel
import StoreWire

extension ConnectOperation {
    /// In-app purchases with everything that belongs to them.
    static let products: [ConnectOperation] = [
        reading(.inAppPurchases), reading(.legacyInAppPurchases), reading(.contents),
        inAppPurchases, productTexts, prices, availabilities, pictures, promotions,
    ].flatMap { $0 }

    private static let inAppPurchases: [ConnectOperation] = [
        .create("/v2/inAppPurchases", .manageProducts) { call in
            let record = try await call.services.products.create(
                NewProduct(
                    productID: try call.data.text("productId"),
                    type: try call.data.value(
                        "inAppPurchaseType", "a type", ProductType.init(apiName:)),
                    referenceName: try call.data.text("name"),
                    reviewNote: call.data.optionalText("reviewNote") ?? "",
                    isFamilyShareable: call.data.flag("familySharable") ?? false),
                in: try ResourceType.app(try call.data.one("app")), by: call.actor)
            return Resource(record.summary)
        },
        .update("/v2/inAppPurchases/{id}", .manageProducts) { call in
            let record = try await call.product(call.id)
            let changed = try await call.services.products.update(
                record.number,
                ProductChange(
                    referenceName: call.data.optionalText("name"),
                    reviewNote: call.data.change("reviewNote").map { $0 ?? "" },
                    isFamilyShareable: call.data.flag("familySharable")), by: call.actor)
            return Resource(changed.summary)
        },
        .delete("/v2/inAppPurchases/{id}", .manageProducts) { call in
            let record = try await call.product(call.id)
            try await call.services.products.delete(record.number, by: call.actor)
        },
    ]
}

extension ResourceRelationship {
    /// An app's in-app purchases.
    static let appInAppPurchases: ResourceRelationship = .many("inAppPurchasesV2") {
        call, wanted in
        let filter = ProductFilter(
            productIDs: wanted.filters["productId"], names: wanted.filters["name"],
            states: wanted.filters["state"]?.compactMap { ProductState(rawValue: $0) },
            types: wanted.filters["inAppPurchaseType"]?
                .compactMap { ProductType(apiName: $0) } ?? ProductType.purchases)
        return try await call.products(
            of: wanted, filter, keys: ["name": .name, "inAppPurchaseType": .type]
        ).map { Resource($0) }
    }

    /// The same with subscriptions, as the API's first version shows them.
    static let legacyAppInAppPurchases: ResourceRelationship = .many("inAppPurchases") {
        call, wanted in
        var filter = ProductFilter(
            types: wanted.filters["inAppPurchaseType"]?
                .compactMap { ProductType(apiName: $0) })
        switch wanted.filters["canBeSubmitted"]?.first {
        case "true": filter.states = [.readyToSubmit]
        case "false": filter.states = ProductState.allCases.filter { $0 != .readyToSubmit }
        default: break
        }
        return try await call.products(
            of: wanted, filter,
            keys: ["referenceName": .name, "productId": .productID, "inAppPurchaseType": .type]
        ).map { Resource(legacy: $0) }
    }
}

extension ConnectCall {
    /// A page of an app's products.
    ///
    /// - Parameter keys: what `sort` names. The first one counts: products that have it in
    ///   common follow each other by name.
    fileprivate func products(
        of wanted: RelatedRequest, _ filter: ProductFilter,
        keys: [String: ProductOrder.Key]
    ) async throws -> ListPage<ProductSummary> {
        let sort = wanted.sort.first ?? ""
        let name = sort.dropping(prefix: "-")
        let isDescending = name != nil
        let key = keys[name.map { String($0) } ?? sort] ?? .name
        return try await services.products.products(
            of: try ResourceType.app(wanted.id), wanted.page, filter: filter,
            order: ProductOrder(key, isDescending: isDescending), by: actor
        ).page
    }
}
