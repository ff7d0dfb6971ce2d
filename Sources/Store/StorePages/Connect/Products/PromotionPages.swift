import Foundation
import StoreCore
import StoreModel

/// What an app's page in the store shows of its in-app purchases, and in which order.
enum PromotionPages {
    private static func path(_ app: AppID) -> String { "/connect/apps/\(app.number)/promoted" }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let app = try await AppTabs.app(call).app
        let promotions = try await call.services.promotions.promotions(of: app.id, by: call.actor)
        let mayChange = call.actor.allows(.manageProducts)
        var columns: [PortalTable.Column] = [
            .init("In-app purchase"), .init("Product ID"), .init("Shown to"), .init("State"),
        ]
        if mayChange { columns.append(.init("Change")) }
        let table = PortalTable(
            "Promoted in-app purchases", columns: columns,
            rows: promotions.enumerated().map { index, row in
                let (promotion, product) = row
                return [
                    .link(ProductTabs.path(product.number), [.foreign(product.referenceName)]),
                    .element("code", product.productID.text),
                    .text(
                        promotion.isEnabled
                            ? promotion.isVisible ? "Everybody" : "Whom the app shows it"
                            : "Nobody"),
                    product.state.badge.html,
                    buttons(
                        promotion, form, isFirst: index == 0,
                        isLast: index == promotions.count - 1),
                ]
            },
            none: (
                "Nothing is promoted",
                "Up to \(Promotion.limit) in-app purchases stand on the app’s page in the store."
            ))
        var page = PortalPage(
            "Promoted In-App Purchases",
            [table.html(), mayChange ? addition(app, promotions.count, form) : .nothing],
            in: .apps)
        page.trail =
            AppTabs.trail(app) + [
                .init("In-App Purchases", "/connect/apps/\(app.id.number)/products")
            ]
        return page
    }

    private static func buttons(
        _ promotion: Promotion, _ form: PortalForm, isFirst: Bool, isLast: Bool
    ) -> HTML {
        let path = "/connect/promoted/\(promotion.id)"
        func button(_ title: String, _ step: String) -> HTML {
            form.button(title, to: path, [("step", step)])
        }
        return .element(
            "div", class: "actions",
            [
                isFirst ? .nothing : button("Up", "up"),
                isLast ? .nothing : button("Down", "down"),
                promotion.isVisible ? button("Hide", "hide") : button("Show to all", "show"),
                promotion.isEnabled ? button("Disable", "disable") : button("Enable", "enable"),
                form.button(
                    "Remove", to: path, [("step", "remove")],
                    question: "Remove it from the app’s page?"),
            ])
    }

    private static func addition(_ app: App, _ count: Int, _ form: PortalForm) -> HTML {
        guard count < Promotion.limit else {
            return PortalNotice(
                .plain, "The app promotes \(Promotion.limit) in-app purchases: no more fit."
            ).html
        }
        return PortalPanel(
            "Promote another",
            [
                form.html(
                    path(app.id),
                    [
                        form.text(
                            "inAppPurchaseV2", "Product ID",
                            hint: "As it stands in the list of the app’s in-app purchases.",
                            isRequired: true, limit: 255),
                        form.checkbox("visibleForAllUsers", "Show it to everybody", isOn: true),
                        form.actions("Promote"),
                    ])
            ]
        ).html
    }

    static func add(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let app = try await AppTabs.app(call).app
            let wanted = call.form["inAppPurchaseV2"].trimmingCharacters(in: .whitespaces)
            guard let productID = ProductID(wanted),
                let record = try? await call.services.products.product(
                    productID.text, of: app.id, by: call.actor)
            else {
                throw ConnectRefusal(
                    .invalid, rule: "productUnknown", field: "inAppPurchaseV2",
                    "The app has no in-app purchase with this product ID.",
                    help: "Check the spelling, also upper and lower case.")
            }
            _ = try await call.services.promotions.create(
                PromotionID(UUID()), of: record.number, in: app.id,
                isVisible: !call.form["visibleForAllUsers"].isEmpty, isEnabled: true,
                by: call.actor)
            return .redirect(to: path(app.id), notice: "\(record.id) is promoted.")
        } again: {
            try await page(call, $0)
        }
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        guard let id = PromotionID(call.id) else {
            throw ConnectRefusal.notFound(PromotionID.name, String(call.id.prefix(100)))
        }
        let service = call.services.promotions
        let (promotion, product) = try await service.promotion(id, by: call.actor)
        switch call.form["step"] {
        case "up": try await move(promotion, by: -1, call)
        case "down": try await move(promotion, by: 1, call)
        case "hide": _ = try await service.update(id, isVisible: false, by: call.actor)
        case "show": _ = try await service.update(id, isVisible: true, by: call.actor)
        case "disable": _ = try await service.update(id, isEnabled: false, by: call.actor)
        case "enable": _ = try await service.update(id, isEnabled: true, by: call.actor)
        case "remove": try await service.delete(id, by: call.actor)
        default: throw ConnectRefusal.notFound("step", String(call.form["step"].prefix(40)))
        }
        return .redirect(to: path(promotion.app), notice: "\(product.productID): done.")
    }

    private static func move(
        _ promotion: Promotion, by step: Int, _ call: PortalCall
    ) async throws {
        let service = call.services.promotions
        var ids = try await service.promotions(of: promotion.app, by: call.actor).map(\.0.id)
        guard let index = ids.firstIndex(of: promotion.id), ids.indices.contains(index + step)
        else { return }
        ids.swapAt(index, index + step)
        try await service.order(ids, of: promotion.app, by: call.actor)
    }
}
