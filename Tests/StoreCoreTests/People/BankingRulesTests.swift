import StoreCore
import Testing

@Suite struct BankingRulesTests {
    private static let account = BankAccount(
        holder: " Ada Lovelace ", bank: "Example Bank", territory: "DEU",
        number: "de89 3704 0044 0532 0130 00", bic: "cobadeff xxx", currency: "EUR")
    private static let form = TaxForm(
        legalName: "Example Ltd", territory: "GBR", taxID: "gb 123.456/78", address: " 1 Road\nX ")

    private func rule(_ change: (inout BankAccount) -> Void) -> String? {
        var account = Self.account
        change(&account)
        do {
            _ = try BankingRules.checked(account)
            return nil
        } catch {
            return (error as? ConnectRefusal)?.rule
        }
    }

    @Test func `an account is kept without spaces, and shown with its last four signs`() throws {
        let kept = try BankingRules.checked(Self.account)
        #expect(kept.number == "DE89370400440532013000")
        #expect(kept.bic == "COBADEFFXXX")
        #expect(kept.holder == "Ada Lovelace")
        #expect(kept.maskedNumber == "••••3000")
        var short = kept
        short.number = "1234"
        #expect(short.maskedNumber == "••••34")
    }

    @Test func `what is no account is refused`() {
        #expect(rule { $0.number = "DE88370400440532013000" } == "bankNumber")
        #expect(rule { $0.number = "123" } == "bankNumber")
        #expect(rule { $0.number = "12-34-56" } == "bankNumber")
        #expect(rule { $0.number = "1234 5678 9012 3456" } == nil)
        #expect(rule { $0.bic = "COBA" } == "bankBIC")
        #expect(rule { $0.bic = " " } == nil)
        #expect(rule { $0.currency = "XXX" } == "bankCurrency")
        #expect(rule { $0.territory = "ZZZ" } == "territory")
        #expect(rule { $0.holder = "" } == "nameInvalid")
        #expect(rule { $0.bank = "a\nb" } == "nameInvalid")
    }

    @Test(arguments: [
        "AT611904300234573201", "BE68539007547034", "CH9300762011623852957",
        "DE89370400440532013000", "FR1420041010050500013M02606", "GB29NWBK60161331926819",
        "MT84MALT011000012345MTLCAST001S", "NL91ABNA0417164300", "NO9386011117947",
        "PL61109010140000071219812874",
    ])
    func `an IBAN has the check digits and the length of its country`(iban: String) {
        #expect(rule { $0.number = iban } == nil)
        #expect(rule { $0.number = String(iban.dropLast()) } == "bankNumber")
        #expect(rule { $0.number = iban + "0" } == "bankNumber")
        let last = iban.last == "0" ? "1" : "0"
        #expect(rule { $0.number = String(iban.dropLast()) + last } == "bankNumber")
        // The check digits of another length can be right: the length is looked at by itself.
        #expect(
            rule { $0.number = "DE" + Self.checkDigits("DE", "1234567890") + "1234567890" }
                == "bankNumber")
    }

    /// Check digits that a number of any length would have.
    private static func checkDigits(_ country: String, _ rest: String) -> String {
        var remainder = 0
        for sign in rest + country + "00" {
            let value = Int(String(sign), radix: 36) ?? 0
            remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
        }
        let digits = 98 - remainder
        return digits < 10 ? "0\(digits)" : "\(digits)"
    }

    @Test func `a tax form is kept trimmed`() throws {
        let kept = try BankingRules.checked(Self.form)
        #expect(kept.taxID == "GB123.456/78")
        #expect(kept.maskedTaxID == "••••6/78")
        #expect(kept.address == "1 Road\nX")
        var wrong = Self.form
        wrong.taxID = "12€4"
        #expect(throws: ConnectRefusal.self) { try BankingRules.checked(wrong) }
        for address in ["\n", "1 Road\0"] {
            wrong = Self.form
            wrong.address = address
            #expect(throws: ConnectRefusal.self) { try BankingRules.checked(wrong) }
        }
    }
}
