import Foundation

/// Agreements, and what they need. Every team has one of each kind from its beginning.
package protocol AgreementRepository {
    func agreements(of team: Int64) throws -> [Agreement]
    func agreement(_ kind: Agreement.Kind, of team: Int64) throws -> Agreement?
    /// Writes state and acceptance; `Team.hasPaidAgreement` follows. The schema refuses to put
    /// one in force that lacks data.
    func update(_ agreement: Agreement) throws
    func bankAccount(of team: Int64) throws -> BankAccount?
    func set(_ account: BankAccount, of team: Int64, at date: Date) throws
    func taxForm(of team: Int64) throws -> TaxForm?
    func set(_ form: TaxForm, of team: Int64, at date: Date) throws
}
