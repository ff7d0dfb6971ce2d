import Foundation
import StoreDatabase

/// Agreements, and what they need. Every team has one of each kind from its beginning.
package struct AgreementRepository {
    let connection: any SQLConnection

    package func agreements(of team: Int64) throws -> [Agreement] {
        try connection.all(Agreement.self, "WHERE team = \(team) ORDER BY kind")
    }

    package func agreement(_ kind: Agreement.Kind, of team: Int64) throws -> Agreement? {
        try connection.first(Agreement.self, "WHERE team = \(team) AND kind = \(kind)")
    }

    /// Writes state and acceptance; `Team.hasPaidAgreement` follows. The schema refuses to put
    /// one in force that lacks data.
    package func update(_ agreement: Agreement) throws { try connection.update(agreement) }

    // MARK: Bank and tax

    package func bankAccount(of team: Int64) throws -> BankAccount? {
        try connection.first(BankAccount.self, "WHERE team = \(team)")
    }

    package func set(_ account: BankAccount, of team: Int64, at date: Date) throws {
        try connection.save(
            account, with: OtherColumn("team", team, .key), OtherColumn("changed", date))
    }

    package func taxForm(of team: Int64) throws -> TaxForm? {
        try connection.first(TaxForm.self, "WHERE team = \(team)")
    }

    package func set(_ form: TaxForm, of team: Int64, at date: Date) throws {
        try connection.save(
            form, with: OtherColumn("team", team, .key), OtherColumn("changed", date))
    }
}

extension StoreRepositories {
    package var agreements: AgreementRepository { AgreementRepository(connection: connection) }
}
