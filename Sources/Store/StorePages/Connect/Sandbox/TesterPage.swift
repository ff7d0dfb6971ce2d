import StoreCore
import StoreModel

/// A tester with everything that was bought, and what the publisher can do about it.
enum TesterPage {
    /// As many purchases as one page shows.
    private static let purchaseCount = 20

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, try call.testerID()))
    }

    // MARK: What its forms do

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try call.testerID()
        return try await submit(call, id, isSettings: true) {
            let form = call.form
            guard let territory = Storefront.named(form["territory"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "territoryUnknown", field: "territory",
                    "There is no such territory.", help: "Choose one from the list.")
            }
            guard let rate = SubscriptionRenewalRate(rawValue: form["subscriptionRenewalRate"])
            else {
                throw ConnectRefusal(
                    .invalid, rule: "renewalRateUnknown", field: "subscriptionRenewalRate",
                    "There is no such renewal rate.", help: "Choose one from the list.")
            }
            _ = try await call.services.testers.change(
                id,
                TesterChange(
                    territory: territory, renewalRate: rate,
                    interruptsPurchases: !form["interruptPurchases"].isEmpty,
                    asksToBuy: !form["askToBuy"].isEmpty), by: call.actor)
            return "The settings were saved."
        }
    }

    static func changePayments(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try call.testerID()
        return try await submit(call, id) {
            guard let failure = PaymentFailure(rawValue: call.form["paymentFailure"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "paymentFailureUnknown", field: "paymentFailure",
                    "Payments can't fail so.", help: "Choose none, next or all.")
            }
            _ = try await call.services.testers.change(
                id, TesterChange(paymentFailure: failure), by: call.actor)
            return switch failure {
            case .none: "Payments go through again."
            case .next: "The next payment will be declined."
            case .all: "Payments are declined until you let them go through."
            }
        }
    }

    static func refund(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try call.testerID()
        return try await submit(call, id) {
            let text = call.form["transaction"]
            guard let transaction = TransactionID(text) else {
                throw ConnectRefusal.notFound("purchase", String(text.prefix(40)))
            }
            let refund = try await call.services.testerPurchases.refund(
                transaction, of: id, by: call.actor)
            return "\(refund.product) was refunded; the app hears of it."
        }
    }

    static func decide(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try call.testerID()
        return try await submit(call, id) {
            let text = call.form["purchase"]
            guard let number = TransactionID(text)?.number,
                let outcome = PendingPurchase.Decision.Outcome(rawValue: call.form["decision"])
            else { throw ConnectRefusal.notFound("waiting purchase", String(text.prefix(40))) }
            let decided = try await call.services.testerPurchases.decide(
                outcome, on: PendingPurchaseID(number: number), of: id, by: call.actor)
            let product = decided.order.productID
            return outcome == .approved
                ? "\(product) was let through; the app gets it." : "\(product) was declined."
        }
    }

    /// Does something with a tester, and comes back to the page.
    ///
    /// - Parameters:
    ///   - isSettings: whether it is the form with the settings that was sent, not a button.
    ///   - body: gives what the page says then.
    static func submit(
        _ call: PortalCall, _ id: AccountID, isSettings: Bool = false,
        _ body: () async throws -> String
    ) async throws -> PortalAnswer {
        try await call.submit {
            .redirect(to: TesterStrings.path(id), notice: try await body())
        } again: { form in
            isSettings
                ? try await page(call, id, settings: form)
                : try await page(call, id, step: form)
        }
    }

    // MARK: The page

    /// - Parameters:
    ///   - settings: the form with the settings, where that was refused.
    ///   - step: a button's form, where that was refused.
    private static func page(
        _ call: PortalCall, _ id: AccountID, settings: PortalForm? = nil, step: PortalForm? = nil
    ) async throws -> PortalPage {
        let tester = try await call.services.testers.tester(id, by: call.actor)
        let attempts = try await call.services.testerPurchases.attempts(of: id, by: call.actor)
        let size = purchaseCount
        let purchases = try await call.services.testerPurchases.purchases(
            of: id, PageRequest(limit: size, cursor: String((call.page - 1) * size)),
            by: call.actor)
        let isActive = tester.status == .active
        let tables = TesterPurchaseTables(
            tester: tester, form: PortalForm(call), isActive: isActive)
        var page = PortalPage(
            tester.name,
            [
                step?.notices ?? .nothing,
                isActive ? .nothing : settings?.notices ?? .nothing,
                notice(tester), facts(tester),
                attempts.waiting.isEmpty ? .nothing : tables.waiting(attempts.waiting),
                isActive ? payments(tester, PortalForm(call)) : .nothing,
                tables.purchases(purchases.items),
                PortalPaging(page: call.page, total: purchases.total ?? 0, size: size).html(call),
                attempts.declined.isEmpty ? .nothing : tables.declined(attempts.declined),
                isActive ? self.settings(tester, settings ?? PortalForm(call)) : .nothing,
            ], in: .sandbox)
        page.kind = "Sandbox tester"
        page.badge = TesterStrings.badge(tester).html
        page.trail = [.init("Sandbox Testers", PortalSection.sandbox.path)]
        let path = TesterStrings.path(id)
        page.actions = [.buttonLink("\(path)/delete", "Delete")]
        if isActive {
            page.actions.insert(
                .buttonLink("\(path)/clear", "Clear Purchase History"), at: 0)
        }
        return page
    }

    private static func notice(_ tester: Tester) -> HTML {
        guard tester.status == .converted else { return .nothing }
        return PortalNotice(
            .warn,
            "Somebody signed in to the production store with this tester. It is a real account now "
                + "and tests no longer; make another tester, and delete this one."
        ).html
    }

    private static func facts(_ tester: Tester) -> HTML {
        PortalFacts([
            ("Email", .element("code", tester.email)),
            ("Territory", .text("\(tester.territory.name) (\(tester.territory.currency))")),
            ("Made on", PortalFormatting.day(tester.creationDate)),
            (
                "History cleared",
                tester.clearingDate.map { PortalFormatting.time($0) } ?? .text("Never")
            ),
        ]).html
    }

    private static func payments(_ tester: Tester, _ form: PortalForm) -> HTML {
        let words =
            switch tester.settings.paymentFailure {
            case .none: "Payments of this tester go through."
            case .next: "The next payment of this tester will be declined."
            case .all: "All payments of this tester are declined."
            }
        let buttons: [(PaymentFailure, String)] = [
            (.next, "Let the Next Payment Fail"), (.all, "Let All Payments Fail"),
            (.none, "Let Payments Through"),
        ]
        let path = "\(TesterStrings.path(tester.account))/payments"
        return PortalPanel(
            "Payments",
            [
                .element("p", words),
                .element(
                    "p", class: "quiet",
                    "The app hears of a declined payment as of any failed transaction, with the "
                        + "store's reason as the underlying error. What costs nothing is not "
                        + "declined."),
                .element(
                    "div", class: "actions",
                    buttons.filter { $0.0 != tester.settings.paymentFailure }.map {
                        form.button($0.1, to: path, [("paymentFailure", $0.0.rawValue)])
                    }),
            ]
        ).html
    }

    private static func settings(_ tester: Tester, _ form: PortalForm) -> HTML {
        PortalPanel(
            "Settings",
            [
                form.html(
                    TesterStrings.path(tester.account),
                    [
                        form.select(
                            "territory", "Territory", TesterStrings.territories,
                            chosen: tester.territory.code,
                            hint: "Signing out and in again makes the app notice.",
                            isRequired: true),
                        form.select(
                            "subscriptionRenewalRate", "A month of a subscription lasts",
                            SubscriptionRenewalRate.allCases.map {
                                PortalOption($0.rawValue, $0.title)
                            }, chosen: tester.renewalRate.rawValue, isRequired: true),
                        form.checkbox(
                            "interruptPurchases", "Interrupt purchases",
                            isOn: tester.settings.interruptsPurchases,
                            hint: "They fail at first, and are sold when you let them through."),
                        form.checkbox(
                            "askToBuy", "Ask to Buy", isOn: tester.settings.asksToBuy,
                            hint: "Somebody has to approve what the tester buys: you, on this page."
                        ),
                        form.actions("Save"),
                    ])
            ]
        ).html
    }
}
