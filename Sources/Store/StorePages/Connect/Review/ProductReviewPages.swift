import StoreCore
import StoreModel

/// A product's way through review and to its sale: what was decided, and what can be done now.
enum ProductReviewPages {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let (app, record) = try await SalePages.product(call)
        return .page(try await page(record, of: app, PortalForm(call), call))
    }

    static func submit(_ call: PortalCall) async throws -> PortalAnswer {
        let (app, record) = try await SalePages.product(call)
        return try await call.submit {
            _ = try await call.services.reviews.submit(
                numbers: [record.number], by: call.actor)
            return .redirect(to: path(record), notice: "Submitted for review.")
        } again: {
            try await page(record, of: app, $0, call)
        }
    }

    static func withdraw(_ call: PortalCall) async throws -> PortalAnswer {
        let (app, record) = try await SalePages.product(call)
        return try await call.submit {
            _ = try await call.services.reviews.withdraw(
                record.id, of: app.id, by: call.actor)
            return .redirect(to: path(record), notice: "The product is taken back.")
        } again: {
            try await page(record, of: app, $0, call)
        }
    }

    private static func path(_ record: ProductRecord) -> String {
        "\(SalePages.path(record.number))/review"
    }

    private static func page(
        _ record: ProductRecord, of app: App, _ form: PortalForm, _ call: PortalCall
    ) async throws -> PortalPage {
        let history = try await call.services.reviews.history(
            of: record.number, by: call.actor)
        let changes = try await call.services.saleChanges.changes(
            of: record.number, by: call.actor)
        var content: [HTML] = [form.notices]
        content.append(try await SalePages.notice(record, call))
        if let last = history.first { content.append(SubmissionComponents.message(last)) }
        content.append(submissions(history, of: app))
        if !changes.isEmpty { content.append(sale(changes)) }
        var page = try await ProductTabs.page(
            "Review", of: record, current: "/products/{id}/review", call, content)
        page.actions = actions(record, of: app, history.first, call)
        return page
    }

    private static func actions(
        _ record: ProductRecord, of app: App, _ last: SubmissionItem?, _ call: PortalCall
    ) -> [HTML] {
        var actions = SalePages.actions(record, call)
        guard call.actor.allows(.submit) else { return actions }
        let form = PortalForm(call)
        if let last, last.state.isOpen {
            if last.state == .waitingForReview {
                actions.append(
                    form.button(
                        "Take Back", to: "\(path(record))/withdraw",
                        question: "Take \(record.summary.referenceName) back from review?"))
            }
        } else if ProductRules.table[.submit]?[record.state] != nil {
            actions.append(
                .buttonLink(
                    PortalLink(
                        "\(SubmissionPages.path(app.id))/new", [("product", record.id.text)]
                    ).text, "Submit with Others…"))
            actions.append(form.button("Submit for Review", to: path(record), look: .primary))
        }
        return actions
    }

    private static func submissions(_ history: [SubmissionItem], of app: App) -> HTML {
        PortalPanel(
            "Submissions",
            [
                PortalTable(
                    "Submissions of this product, the newest first",
                    columns: [
                        .init("Submission"), .init("What"), .init("State"), .init("Decided"),
                        .init("The reviewer says"),
                    ],
                    rows: history.map { item in
                        [
                            .link(
                                "\(SubmissionPages.path(app.id))/\(item.submission)",
                                "Submission \(item.submission)"),
                            .text(SubmissionComponents.contents(of: item)), item.state.badge.html,
                            item.decided.map(PortalFormatting.time) ?? .text("—"),
                            .foreign(item.message ?? "—"),
                        ]
                    },
                    none: (
                        "Never submitted",
                        "Customers can buy it in production once it is approved."
                    )
                ).html()
            ]
        ).html
    }

    private static func sale(_ changes: [SaleChange]) -> HTML {
        PortalPanel(
            "Sale",
            [
                PortalTable(
                    "Changes of where it is sold, the newest first",
                    columns: [.init("When"), .init("What"), .init("By"), .init("Reason")],
                    rows: changes.map { change in
                        [
                            PortalFormatting.time(change.date), .text(title(change.step)),
                            .foreign(change.actor.name),
                            .foreign(change.reason.isEmpty ? "—" : change.reason),
                        ]
                    }, none: ("", "")
                ).html()
            ]
        ).html
    }

    private static func title(_ step: ProductStep) -> String {
        switch step {
        case .removeFromSale: "Removed from sale"
        case .returnToSale: "Put on sale again"
        case .takeDown: "Taken down by the store"
        case .reinstate: "Reinstated by the store"
        default: step.participle
        }
    }
}
