import StoreCore
import StoreModel

extension AgreementPages {
    static func bankForm(_ call: PortalCall) async throws -> PortalAnswer {
        let known = try await picture(call).bankAccount
        return .page(bank(PortalForm(call), known, TeamScope(call)))
    }

    static func setBank(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        let known = try await picture(call).bankAccount
        return try await call.submit {
            let form = call.form
            _ = try await call.services.people.agreements.setBankAccount(
                BankAccount(
                    holder: form["accountHolder"], bank: form["bankName"],
                    territory: form["territory"], number: form["accountNumber"],
                    bic: form["bic"], currency: form["currency"]), of: scope.required(),
                by: call.actor)
            return .redirect(to: scope.path(root), notice: "The bank account is kept.")
        } again: { form in
            bank(form, known, scope)
        }
    }

    static func taxForm(_ call: PortalCall) async throws -> PortalAnswer {
        let known = try await picture(call).taxForm
        return .page(tax(PortalForm(call), known, TeamScope(call)))
    }

    static func setTax(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        let known = try await picture(call).taxForm
        return try await call.submit {
            let form = call.form
            _ = try await call.services.people.agreements.setTaxForm(
                TaxForm(
                    legalName: form["legalName"], territory: form["territory"],
                    taxID: form["taxId"], address: form["address"]), of: scope.required(),
                by: call.actor)
            return .redirect(to: scope.path(root), notice: "The tax form is kept.")
        } again: { form in
            tax(form, known, scope)
        }
    }

    private static func picture(_ call: PortalCall) async throws -> AgreementService.Picture {
        try await call.services.people.agreements.picture(
            of: TeamScope(call).required(), by: call.actor)
    }

    private static let territories = Storefront.all.map { PortalOption($0.code, $0.name) }
        .sorted { $0.title < $1.title }
    private static let currencies = Set(Storefront.all.map(\.currency)).sorted()
        .map { PortalOption($0, $0) }

    /// Numbers that are known are not shown again: whoever changes one types all of it.
    private static func bank(
        _ form: PortalForm, _ known: BankAccount?, _ scope: TeamScope
    ) -> PortalPage {
        var page = PortalPage(
            "Bank Account",
            [
                form.html(
                    "\(root)/bank",
                    [
                        scope.field,
                        form.text(
                            "accountHolder", "Account holder", known?.holder ?? "",
                            isRequired: true, limit: PersonRules.longestName),
                        form.text(
                            "bankName", "Bank", known?.bank ?? "", isRequired: true,
                            limit: PersonRules.longestName),
                        form.select(
                            "territory", "Territory", territories,
                            chosen: known?.territory ?? "USA", isRequired: true),
                        form.text(
                            "accountNumber", "IBAN or account number",
                            hint: known.map { "Now \($0.maskedNumber). Type all of the new one." },
                            isRequired: true, limit: 60),
                        form.text("bic", "BIC", known?.bic ?? "", limit: 20),
                        form.select(
                            "currency", "Currency", currencies, chosen: known?.currency ?? "USD",
                            isRequired: true),
                        form.actions("Save", cancel: scope.path(root)),
                    ])
            ], in: .agreements)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    private static func tax(
        _ form: PortalForm, _ known: TaxForm?, _ scope: TeamScope
    ) -> PortalPage {
        var page = PortalPage(
            "Tax Form",
            [
                form.html(
                    "\(root)/tax",
                    [
                        scope.field,
                        form.text(
                            "legalName", "Legal name", known?.legalName ?? "", isRequired: true,
                            limit: PersonRules.longestName),
                        form.select(
                            "territory", "Territory", territories,
                            chosen: known?.territory ?? "USA", isRequired: true),
                        form.text(
                            "taxId", "Tax number",
                            hint: known.map { "Now \($0.maskedTaxID). Type all of the new one." },
                            isRequired: true, limit: 60),
                        form.area(
                            "address", "Address", known?.address ?? "", isRequired: true,
                            limit: 500),
                        form.actions("Save", cancel: scope.path(root)),
                    ])
            ], in: .agreements)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }
}
