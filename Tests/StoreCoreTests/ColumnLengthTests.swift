import StoreModel
import Testing

@testable import StoreCore
@testable import StoreDatabase

/// A text that a rule accepts and its column refuses would be a failure of the store, instead of a
/// sentence that says what is wrong.
@Suite struct ColumnLengthTests {
    /// A column whose CHECK limits the length of its texts, and the rule for what goes into it.
    struct Column: Sendable, CustomTestStringConvertible {
        let name: String
        /// A text of the rule's form from one that is nothing but long.
        var form: @Sendable (String) -> String = { $0 }
        let accepts: @Sendable (String) -> Bool

        var testDescription: String { name }
    }

    static let columns: [Column] = [
        Column(name: "affiliate.token") { ReferralToken.affiliate.accepts($0) },
        Column(name: "app.sku") { (try? AppRules.sku($0)) != nil },
        Column(name: "bank_account.number") { (try? BankingRules.checked(account($0))) != nil },
        Column(name: "build_delivery.file_name") { FileName.isValid($0) },
        Column(name: "bundle_identifier.identifier") { ApplicationIdentifier($0) != nil },
        Column(name: "feed_partner.name") { (try? FeedPartnerRules.name($0)) != nil },
        Column(name: "feed_partner.user_name") { (try? FeedPartnerRules.userName($0)) != nil },
        Column(name: "invitation.email", form: address) { EmailAddress.wellFormed($0) != nil },
        Column(name: "item_media.file_name") { FileName.isValid($0) },
        Column(name: "item_sale.affiliate_token") { ReferralToken.affiliate.accepts($0) },
        Column(name: "item_sale.campaign") { ReferralToken.campaign.accepts($0) },
        Column(name: "item_sale.provider") { ReferralToken.provider.accepts($0) },
        Column(name: "ledger_extension.request") { text in
            let own = String(text.unicodeScalars.dropFirst(ExtensionRules.massPrefix.count))
            return ExtensionRules.isIdentifier(text) || ExtensionRules.isIdentifier(own)
        },
        Column(name: "mass_extension.request") { ExtensionRules.isIdentifier($0) },
        Column(name: "person.email", form: address) { EmailAddress.wellFormed($0) != nil },
        Column(name: "product.review_note") { (try? ProductDetailRules.reviewNote($0)) != nil },
        Column(name: "product_asset.file_name") { FileName.isValid($0) },
        Column(name: "refund_request.comment") { (try? RefundRules.comment($0).get()) != nil },
        Column(name: "sandbox_clock.name") { (try? SandboxClockRules.name($0)) != nil },
        Column(name: "tax_form.tax_id") { (try? BankingRules.checked(taxForm($0))) != nil },
    ]

    @Test(arguments: columns)
    func `a rule accepts no text that is too long or too short for its column`(
        column: Column
    ) throws {
        let length = try #require(try Self.lengths()[column.name])
        let fitting = String(repeating: "a", count: max(4, length.lowerBound))
        #expect(column.accepts(column.form(fitting)))
        // A character of two code points: who counts what people see accepts twice as many.
        for letter in ["a", "e\u{301}"] {
            let long = String(
                repeating: letter, count: length.upperBound / letter.unicodeScalars.count + 1)
            #expect(!column.accepts(column.form(long)), "\(length.upperBound) characters at most")
        }
        guard length.lowerBound > 1 else { return }
        let short = String(repeating: "a", count: length.lowerBound - 1)
        #expect(!column.accepts(column.form(short)), "\(length.lowerBound) characters at least")
    }

    @Test func `each column with a limit has its rule here`() throws {
        // The store itself chooses among its media types.
        let byRule = try Self.lengths().keys.filter { $0 != "item_media.media_type" }
        #expect(byRule.sorted() == Self.columns.map(\.name))
    }

    @Test func `media types fit into their column`() throws {
        let length = try #require(try Self.lengths()["item_media.media_type"])
        #expect(MediaFormat.allCases.allSatisfy { length.contains($0.mediaType.count) })
    }

    /// The lengths that CHECKs of the newest schema allow, by table and column, where they have an upper limit.
    private static func lengths() throws -> [String: ClosedRange<Int>] {
        let connection = try SQLiteConnection(path: SQLiteConnection.memory("column-lengths"))
        try DatabaseSchema.store.migrate(connection)
        let tables = try connection.values(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table'", count: 2)
        var lengths: [String: ClosedRange<Int>] = [:]
        for table in tables {
            let (name, sql) = (table[0].plainText, table[1].plainText)
            for found in sql.matches(of: /length\((\w+)\) BETWEEN (\d+) AND (\d+)/) {
                let bounds = [found.2, found.3].compactMap { Int($0) }
                lengths["\(name).\(found.1)"] = bounds[0]...bounds[1]
            }
            for found in sql.matches(of: /length\((\w+)\) <= (\d+)/) {
                lengths["\(name).\(found.1)"] = 0...(Int(found.2) ?? 0)
            }
        }
        return lengths
    }

    private static func account(_ number: String) -> BankAccount {
        BankAccount(
            holder: "Publisher", bank: "Bank", territory: "USA", number: number, bic: nil,
            currency: "USD")
    }

    private static func taxForm(_ taxID: String) -> TaxForm {
        TaxForm(legalName: "Publisher", territory: "USA", taxID: taxID, address: "1 Street")
    }

    /// An address that is as long as a text.
    @Sendable private static func address(_ text: String) -> String {
        "a@" + String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(2)))
    }
}
