import StoreCore
import StoreModel

/// In which territories an in-app purchase is sold.
enum ProductAvailabilityPages {
    private static let pattern = "/products/{id}/availability"

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    static func set(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            let territories = Set(call.form.all("availableTerritories"))
            try Availability.check(territories)
            _ = try await call.services.products.setAvailability(
                Availability(
                    territories: territories,
                    includesNew: !call.form["availableInNewTerritories"].isEmpty),
                of: record.number, by: call.actor)
            return .redirect(
                to: ProductTabs.path(record.number, "/availability"), notice: "Saved.")
        } again: {
            try await page(call, $0)
        }
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let availability = record.product.availability
        let count = availability.territories.count
        let summary = HTML.element(
            "p", class: "lead",
            "It is sold in \(PortalFormatting.count(count, "territory", "territories")) of "
                + "\(Storefront.all.count)"
                + (availability.includesNew ? ", and in those that the store opens." : "."))
        guard call.actor.allows(.manageProducts) else {
            return try await ProductTabs.page(
                "Availability", of: record, current: pattern, call,
                [
                    summary,
                    .element(
                        "ul", class: "columns",
                        availability.territories.map { .element("li", $0.name) }),
                ])
        }
        return try await ProductTabs.page(
            "Availability", of: record, current: pattern, call,
            [
                summary,
                form.html(
                    ProductTabs.path(record.number, "/availability"),
                    [
                        form.checkbox(
                            "availableInNewTerritories", "Also sell it in new territories",
                            isOn: availability.includesNew),
                        form.checkboxes(
                            "availableTerritories", "Territories", PortalOption.territories,
                            chosen: Set(availability.territories.map(\.code))),
                        form.actions("Save"),
                    ]),
            ])
    }
}
