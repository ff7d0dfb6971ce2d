import Foundation
import StoreModel

/// Which bank accounts and tax forms the store takes.
package enum BankingRules {
    /// The account as it is kept.
    ///
    /// - Throws: `ConnectRefusal`.
    package static func checked(_ account: BankAccount) throws -> BankAccount {
        let number = compact(account.number)
        guard (4...34).contains(number.count), isPlain(number) else {
            throw refusal(
                "bankNumber", "accountNumber", "An account number has 4 to 34 letters and digits.",
                "Give the IBAN, or the number as the bank writes it.")
        }
        if let problem = IBANRules.problem(with: number) {
            throw refusal(
                "bankNumber", "accountNumber", problem, "Compare it with what the bank wrote.")
        }
        let bic = account.bic.map(compact).flatMap { $0.isEmpty ? nil : $0 }
        if let bic, ![8, 11].contains(bic.count) || !isPlain(bic) {
            throw refusal(
                "bankBIC", "bic", "A BIC has 8 or 11 letters and digits.",
                "Leave it out where the bank has none.")
        }
        guard Storefront.all.contains(where: { $0.currency == account.currency }) else {
            throw refusal(
                "bankCurrency", "currency", "The store does not pay in \"\(account.currency)\".",
                "Choose one that it sells in, such as USD.")
        }
        return BankAccount(
            holder: try line(account.holder, "accountHolder"),
            bank: try line(account.bank, "bankName"),
            territory: try territory(account.territory), number: number, bic: bic,
            currency: account.currency)
    }

    /// The form as it is kept.
    ///
    /// - Throws: `ConnectRefusal`.
    package static func checked(_ form: TaxForm) throws -> TaxForm {
        let taxID = compact(form.taxID)
        let isWellFormed = taxID.allSatisfy { sign in
            sign.isASCII && (sign.isLetter || sign.isNumber || "-/.".contains(sign))
        }
        guard (4...40).contains(taxID.count), isWellFormed else {
            throw refusal(
                "taxID", "taxId", "A tax number has 4 to 40 letters, digits, dots and dashes.",
                "Give it as the tax office writes it.")
        }
        let addressRule = TextRule(length: 1...500, allowsLines: true)
        guard let address = try? addressRule.checked(form.address) else {
            throw refusal(
                "taxAddress", "address",
                "An address has 1 to 500 characters; no control characters but line breaks.",
                "Give street, place and country.")
        }
        return TaxForm(
            legalName: try line(form.legalName, "legalName"),
            territory: try territory(form.territory), taxID: taxID, address: address)
    }

    // MARK: Pieces

    private static func line(_ text: String, _ field: String) throws -> String {
        try PersonRules.name(text, field: field)
    }

    private static func territory(_ code: String) throws -> String {
        guard Storefront.named(code) != nil else {
            throw refusal(
                "territory", "territory", "The store knows no territory \"\(code)\".",
                "Give a code of three letters, such as USA.")
        }
        return code
    }

    private static func compact(_ text: String) -> String {
        text.filter { !$0.isWhitespace }.uppercased()
    }

    private static func isPlain(_ text: String) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func refusal(
        _ rule: String, _ field: String, _ problem: String, _ help: String
    ) -> ConnectRefusal {
        ConnectRefusal(.invalid, rule: rule, field: field, problem, help: help)
    }
}
