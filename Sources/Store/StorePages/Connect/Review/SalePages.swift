import StoreCore
import StoreModel

/// Taking a product from sale and putting it back, by its publisher or by the store.
enum SalePages {
    static func path(_ product: ProductNumber) -> String { ProductTabs.path(product) }

    /// The product in the path.
    static func product(
        _ call: PortalCall
    ) async throws -> (app: App, record: ProductRecord) {
        guard let number = ProductNumber(call.id) else {
            throw ConnectRefusal.notFound("product", call.id)
        }
        return try await call.services.reviews.product(number, by: call.actor)
    }

    /// Buttons for the steps that the product's state allows and the person may take.
    static func actions(_ record: ProductRecord, _ call: PortalCall) -> [HTML] {
        let path = path(record.number)
        func may(_ step: ProductStep, _ permission: ConnectPermission) -> Bool {
            ProductRules.table[step]?[record.state] != nil && call.actor.allows(permission)
        }
        let form = PortalForm(call)
        var actions: [HTML] = []
        if may(.takeDown, .operate) {
            actions.append(.buttonLink("\(path)/take-down", "Take Down…"))
        }
        if may(.reinstate, .operate) {
            actions.append(form.button("Reinstate", to: "\(path)/reinstate"))
        }
        if may(.removeFromSale, .changeSale) {
            actions.append(.buttonLink("\(path)/remove-from-sale", "Remove from Sale…"))
        }
        if may(.returnToSale, .changeSale) {
            actions.append(form.button("Put on Sale Again", to: "\(path)/return-to-sale"))
        }
        return actions
    }

    /// What the store told the publisher when it took the product from sale.
    static func notice(_ record: ProductRecord, _ call: PortalCall) async throws -> HTML {
        guard record.state == .removedFromSale else { return .nothing }
        let last = try await call.services.saleChanges.changes(of: record.number, by: call.actor)
            .first { $0.step == .takeDown }
        return PortalNotice(
            .bad,
            [
                .element("p", class: "title", "The store has taken this product from sale"),
                .element("p", class: "letter", [.foreign(last?.reason ?? "")]),
            ]
        ).html
    }

    // MARK: By the publisher

    static func askRemoval(_ call: PortalCall) async throws -> PortalAnswer {
        .page(removal(try await product(call).record, PortalForm(call)))
    }

    private static func removal(_ record: ProductRecord, _ form: PortalForm) -> PortalPage {
        let path = path(record.number)
        return PortalConfirmation(
            "Remove \(record.summary.referenceName) from sale?",
            [
                "Nobody new can buy it.", "Who has bought it keeps it, and can restore it.",
                "It can be put on sale again without another review.",
            ], button: "Remove from Sale"
        ).page(form, action: "\(path)/remove-from-sale", cancel: "\(path)/review", in: .apps)
    }

    static func remove(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "Nobody new can buy it from now on.", removal) {
            try await call.services.saleChanges.setSale(false, of: $0, by: call.actor)
        }
    }

    static func putBack(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "Customers can buy it again.", refused) {
            try await call.services.saleChanges.setSale(true, of: $0, by: call.actor)
        }
    }

    // MARK: By the store

    static func askTakeDown(_ call: PortalCall) async throws -> PortalAnswer {
        .page(takingDown(try await product(call).record, PortalForm(call)))
    }

    private static func takingDown(_ record: ProductRecord, _ form: PortalForm) -> PortalPage {
        let path = path(record.number)
        return PortalConfirmation(
            "Take \(record.summary.referenceName) down?",
            [
                "Nobody new can buy it, and its publisher can’t put it back.",
                "Who has bought it keeps it.",
            ], button: "Take Down"
        ).page(
            form, action: "\(path)/take-down", cancel: "\(path)/review", in: .apps,
            [
                form.area(
                    "reason", "Reason", hint: "Its publisher reads it.", isRequired: true,
                    limit: ReviewDecision.longestMessage)
            ])
    }

    static func takeDown(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "The product is taken down.", takingDown) {
            try await call.services.saleChanges.takeDown(
                $0, reason: call.form["reason"], by: call.actor)
        }
    }

    static func reinstate(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "The product may be sold again.", refused) {
            try await call.services.saleChanges.reinstate($0, by: call.actor)
        }
    }

    private static func refused(_ record: ProductRecord, _ form: PortalForm) -> PortalPage {
        PortalPage(
            record.summary.referenceName,
            form.refusals.map { PortalNotice(.bad, $0.description, isNews: true).html } + [
                .element(
                    "p", [],
                    [.link("\(path(record.number))/review", "Back to the product")])
            ], in: .apps)
    }

    private static func step(
        _ call: PortalCall, _ notice: String,
        _ again: (ProductRecord, PortalForm) -> PortalPage,
        _ body: (ProductNumber) async throws -> ProductRecord
    ) async throws -> PortalAnswer {
        let record = try await product(call).record
        return try await call.submit {
            _ = try await body(record.number)
            return .redirect(
                to: "\(path(record.number))/review", notice: notice)
        } again: {
            again(record, $0)
        }
    }
}
