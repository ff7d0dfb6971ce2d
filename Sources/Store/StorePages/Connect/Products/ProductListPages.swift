import Foundation
import StoreCore
import StoreModel

/// An app's in-app purchases: the list, and making one.
enum ProductListPages {
    private static func path(_ app: App) -> String {
        "/connect/apps/\(app.id.number)/products"
    }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        let filter = ProductFilter(
            states: call.query("state").flatMap { ProductState(rawValue: $0) }.map { [$0] },
            types: call.query("type").flatMap { ProductType(rawValue: $0) }.map { [$0] },
            search: call.query("search"))
        let found = try await call.services.products.products(
            of: app.id,
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), filter: filter,
            order: order(call), by: call.actor)
        var page = PortalPage(
            "In-App Purchases",
            [
                PortalSearch(
                    "Name or product ID",
                    filters: [
                        ("state", "State", options(ProductState.allCases) { $0.badge.text }),
                        ("type", "Type", options(ProductType.allCases) { $0.title }),
                    ]
                ).html(call),
                table(found.page.items).html(call),
                PortalCursorPaging(
                    total: found.page.total, shown: found.page.items.count,
                    previous: found.previous, next: found.page.next
                ).html(call),
            ], in: .apps)
        page.trail = AppTabs.trail(app)
        page.tabs = AppTabs.html(of: app, current: "/apps/{id}/products", call)
        page.actions = [.buttonLink("/connect/apps/\(app.id.number)/promoted", "Promoted")]
        if call.actor.allows(.manageProducts) {
            page.actions.append(
                .buttonLink("\(path(app))/new", "New In-App Purchase", isMeant: true))
        }
        return .page(page)
    }

    private static func order(_ call: PortalCall) -> ProductOrder {
        guard let wanted = PortalTable.order(call.query("sort")),
            let key = ProductOrder.Key(rawValue: wanted.column)
        else { return ProductOrder() }
        return ProductOrder(key, isDescending: wanted.isDescending)
    }

    private static func options<Value: RawRepresentable<String>>(
        _ values: [Value], _ title: (Value) -> String
    ) -> [PortalOption] {
        [PortalOption("", "All")] + values.map { PortalOption($0.rawValue, title($0)) }
    }

    private static func table(_ products: [ProductSummary]) -> PortalTable {
        PortalTable(
            "In-app purchases",
            columns: [
                .init("Reference name", sort: "name"), .init("Product ID", sort: "productID"),
                .init("Type", sort: "type"), .init("Apple ID", isNumber: true), .init("State"),
            ],
            rows: products.map { product in
                [
                    .link(ProductTabs.path(product.number), [.foreign(product.referenceName)]),
                    .element("code", product.productID.text), .text(product.type.title),
                    .text(product.number.description), product.state.badge.html,
                ]
            },
            none: (
                "No in-app purchases",
                "There are none yet, or none match your search."
            ))
    }

    // MARK: Making

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await creation(call, PortalForm(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let app = try await AppTabs.app(call).app
            guard let type = ProductType(rawValue: call.form["inAppPurchaseType"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "typeUnknown", field: "inAppPurchaseType",
                    "No type is chosen.", help: "Choose one: it can't be changed later.")
            }
            let record =
                if type == .autoRenewableSubscription {
                    try await subscription(of: app, call)
                } else {
                    try await call.services.products.create(
                        NewProduct(
                            productID: call.form["productId"], type: type,
                            referenceName: call.form["name"],
                            isFamilyShareable: !call.form["familySharable"].isEmpty),
                        in: app.id, by: call.actor)
                }
            return .redirect(
                to: ProductTabs.path(record.number), notice: "The in-app purchase is made.")
        } again: {
            try await creation(call, $0)
        }
    }

    /// Makes a subscription, which is in a group: one that there is, or a new one.
    private static func subscription(
        of app: App, _ call: PortalCall
    ) async throws -> ProductRecord {
        let group = call.form["group"].trimmingCharacters(in: .whitespaces)
        guard !group.isEmpty else {
            throw ConnectRefusal(
                .invalid, rule: "groupMissing", field: "group",
                "A subscription belongs to a group.",
                help: "Name one: customers have one subscription of a group at a time.")
        }
        let chosen = call.form["period"]
        guard
            let period = SubscriptionPeriod.ofSubscriptions.first(where: { $0.iso8601 == chosen })
        else {
            throw ConnectRefusal(
                .invalid, rule: "periodMissing", field: "period",
                "A subscription has a period.", help: "Choose one.")
        }
        return try await call.services.subscriptions.create(
            NewSubscription(
                productID: call.form["productId"], referenceName: call.form["name"],
                reviewNote: "", isFamilyShareable: !call.form["familySharable"].isEmpty,
                period: period, level: 1),
            inGroupNamed: group, id: UUID().uuidString.lowercased(), of: app.id, by: call.actor)
    }

    /// Those of App Store Connect.
    private static let periods: [PortalOption] = SubscriptionPeriod.ofSubscriptions.map { period in
        PortalOption(period.iso8601, period.count == 1 ? "1 \(period.words)" : period.words)
    }

    private static func creation(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let app = try await AppTabs.app(call).app
        let groups = try await call.services.subscriptions.groups(
            of: app.id, PageRequest(limit: KeptKind.subscriptionGroups.limit), by: call.actor
        ).items
        var page = PortalPage(
            "New In-App Purchase",
            [
                form.html(
                    path(app),
                    [
                        form.radios(
                            "inAppPurchaseType", "Type",
                            ProductType.allCases.map {
                                PortalOption($0.rawValue, $0.title, hint: $0.hint)
                            }, chosen: ProductType.consumable.rawValue),
                        form.text(
                            "name", "Reference name",
                            hint: "For lists and reports; customers never see it.",
                            isRequired: true, limit: 64),
                        form.text(
                            "productId", "Product ID",
                            hint: "Letters, digits, underscores, periods and hyphens. It is "
                                + "never given again in this app, not even after a deletion.",
                            isRequired: true, limit: 255,
                            [.init("autocapitalize", "none"), .init("spellcheck", "false")]),
                        form.checkbox(
                            "familySharable", "Families share it", isOn: false,
                            hint: "For non-consumables and auto-renewable subscriptions. Once on "
                                + "sale, it stays shared."),
                        form.group(
                            "Only for auto-renewable subscriptions",
                            [
                                form.text(
                                    "group", "Subscription group",
                                    hint: "One that the app has, or the name of a new one.",
                                    limit: 64, [.init("list", "groups")]),
                                .element(
                                    "datalist", [.init("id", "groups")],
                                    groups.map {
                                        .element("option", [.init("value", $0.name)])
                                    }),
                                form.select("period", "Period", periods, chosen: "P1M"),
                            ]),
                        form.actions("Create", cancel: path(app)),
                    ])
            ], in: .apps)
        page.trail = AppTabs.trail(app) + [.init("In-App Purchases", path(app))]
        page.isNarrow = true
        return page
    }
}

extension PortalServices {
    var subscriptions: SubscriptionService {
        SubscriptionService(database: database, clock: clock)
    }
}
