import Foundation

/// Agreements, and what they need. Every team has one of each kind from its beginning.
package struct AgreementRepository {
    let connection: any SQLConnection

    package func agreements(of team: Int64) throws -> [Agreement] {
        try connection.rows(
            """
            SELECT team, kind, state, accepted_by, accepted, changed FROM agreement
            WHERE team = ?1 ORDER BY kind
            """, [.integer(team)], readAgreement)
    }

    package func agreement(_ kind: Agreement.Kind, of team: Int64) throws -> Agreement? {
        try connection.row(
            """
            SELECT team, kind, state, accepted_by, accepted, changed FROM agreement
            WHERE team = ?1 AND kind = ?2
            """, [.integer(team), .text(kind.rawValue)], readAgreement)
    }

    /// Writes state and acceptance; `Team.hasPaidAgreement` follows. The schema refuses to put
    /// one in force that lacks data.
    package func update(_ agreement: Agreement) throws {
        try connection.run(
            """
            UPDATE agreement SET state = ?3, accepted_by = ?4, accepted = ?5, changed = ?6
            WHERE team = ?1 AND kind = ?2
            """,
            [
                .integer(agreement.team), .text(agreement.kind.rawValue),
                .text(agreement.state.rawValue), .text(agreement.acceptedBy),
                .date(agreement.accepted), .date(agreement.changed),
            ])
    }

    private func readAgreement(_ row: any SQLRow) throws -> Agreement {
        Agreement(
            team: row.integer(0), kind: try row.value(1, Agreement.Kind.init(rawValue:)),
            state: try row.value(2, Agreement.State.init(rawValue:)),
            acceptedBy: row.optionalText(3), accepted: row.isNull(4) ? nil : row.date(4),
            changed: row.isNull(5) ? nil : row.date(5))
    }

    // MARK: Bank and tax

    package func bankAccount(of team: Int64) throws -> BankAccount? {
        try connection.row(
            "SELECT holder, bank, territory, number, bic, currency FROM bank_account WHERE team = ?1",
            [.integer(team)]
        ) { row in
            BankAccount(
                holder: row.text(0), bank: row.text(1), territory: row.text(2),
                number: row.text(3), bic: row.optionalText(4), currency: row.text(5))
        }
    }

    package func set(_ account: BankAccount, of team: Int64, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO bank_account
                (team, holder, bank, territory, number, bic, currency, changed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (team) DO UPDATE SET holder = excluded.holder, bank = excluded.bank,
                territory = excluded.territory, number = excluded.number, bic = excluded.bic,
                currency = excluded.currency, changed = excluded.changed
            """,
            [
                .integer(team), .text(account.holder), .text(account.bank),
                .text(account.territory), .text(account.number), .text(account.bic),
                .text(account.currency), .date(date),
            ])
    }

    package func taxForm(of team: Int64) throws -> TaxForm? {
        try connection.row(
            "SELECT legal_name, territory, tax_id, address FROM tax_form WHERE team = ?1",
            [.integer(team)]
        ) { row in
            TaxForm(
                legalName: row.text(0), territory: row.text(1), taxID: row.text(2),
                address: row.text(3))
        }
    }

    package func set(_ form: TaxForm, of team: Int64, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO tax_form (team, legal_name, territory, tax_id, address, changed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (team) DO UPDATE SET legal_name = excluded.legal_name,
                territory = excluded.territory, tax_id = excluded.tax_id,
                address = excluded.address, changed = excluded.changed
            """,
            [
                .integer(team), .text(form.legalName), .text(form.territory), .text(form.taxID),
                .text(form.address), .date(date),
            ])
    }
}
