import Foundation
import StoreModel

/// Questions to customers, and the browsers that answered some.
package struct PromptRepository {
    let connection: any SQLConnection

    package func prompt(_ id: PromptID) throws -> Prompt? {
        try connection.row(
            """
            SELECT id, environment, app, account, kind, email, product_id, quantity, price,
                new_price, currency, address, started, ends, attempts, ending, code, signed_in,
                collected, item, affiliate_token, campaign, provider, absent
            FROM prompt WHERE id = ?1
            """, [.integer(id.number)], Self.readPrompt)
    }

    package func prompt(_ id: PromptID, secretDigest: Data) throws -> Prompt? {
        try connection.row(
            """
            SELECT id, environment, app, account, kind, email, product_id, quantity, price,
                new_price, currency, address, started, ends, attempts, ending, code, signed_in,
                collected, item, affiliate_token, campaign, provider, absent
            FROM prompt WHERE id = ?1 AND secret_digest = ?2
            """, [.integer(id.number), .blob(secretDigest)], Self.readPrompt)
    }

    package func prompt(pageDigest: Data) throws -> Prompt? {
        try connection.row(
            """
            SELECT id, environment, app, account, kind, email, product_id, quantity, price,
                new_price, currency, address, started, ends, attempts, ending, code, signed_in,
                collected, item, affiliate_token, campaign, provider, absent
            FROM prompt WHERE page_digest = ?1
            """, [.blob(pageDigest)], Self.readPrompt)
    }

    package func insert(_ prompt: PromptDraft, pageDigest: Data, secretDigest: Data) throws
        -> Prompt
    {
        let columns = PromptColumns(prompt.subject)
        let id = try connection.row(
            """
            INSERT INTO prompt (environment, app, account, kind, email, product_id, quantity,
                price, new_price, currency, address, page_digest, secret_digest, started, ends,
                item, affiliate_token, campaign, provider)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                ?18, ?19)
            RETURNING id
            """,
            [
                .text(prompt.environment.rawValue), .integer(prompt.app.number),
                prompt.account.map { .integer($0.number) } ?? .noInteger, .text(columns.kind),
                .text(columns.email), .text(columns.product?.text),
                columns.quantity.map { .integer($0) } ?? .noInteger,
                columns.price.map { .integer($0.thousandths) } ?? .noInteger,
                columns.newPrice.map { .integer($0.thousandths) } ?? .noInteger,
                .text(columns.price?.currency), .text(prompt.address), .blob(pageDigest),
                .blob(secretDigest), .date(prompt.start), .date(prompt.end),
                columns.item.map { .integer($0.number) } ?? .noInteger,
                .text(columns.referral?.affiliateToken), .text(columns.referral?.campaign),
                .text(columns.referral?.provider),
            ]
        ) { PromptID(number: $0.integer(0)) }
        return Prompt(
            id: try id.orMissing("prompt"), details: prompt, attempts: 0, ending: nil,
            isCollected: false)
    }

    /// Counts a password that is tried, and gives how many there were with it.
    package func countAttempt(of id: PromptID) throws -> Int {
        let count = try connection.row(
            "UPDATE prompt SET attempts = attempts + 1 WHERE id = ?1 RETURNING attempts",
            [.integer(id.number)]
        ) { Int($0.integer(0)) }
        return try count.orMissing("attempt")
    }

    /// Records how a prompt ended. The schema refuses a second time.
    package func record(_ ending: Prompt.Ending, of id: PromptID, at date: Date) throws {
        var code: String?
        var account = SQLValue.noInteger
        let name: String
        switch ending {
        case .abandoned: name = "abandoned"
        case .exhausted: name = "exhausted"
        case .decided(.yes): name = "yes"
        case .decided(.no): name = "no"
        case .decided(.later): name = "later"
        case .decided(.done): name = "done"
        case .decided(.code(let typed)): (name, code) = ("code", typed)
        case .decided(.signedIn(let id)): (name, account) = ("signedIn", .integer(id.number))
        }
        try connection.run(
            "UPDATE prompt SET ending = ?2, code = ?3, signed_in = ?4, ended = ?5 WHERE id = ?1",
            [.integer(id.number), .text(name), .text(code), account, .date(date)])
    }

    /// Records when the page of an item counts as closed; nil where nothing speaks for that.
    package func recordAbsence(from date: Date?, of id: PromptID) throws {
        try connection.run(
            "UPDATE prompt SET absent = ?2 WHERE id = ?1", [.integer(id.number), .date(date)])
    }

    /// Records that the device gets its session.
    ///
    /// - Returns: whether it was the first time.
    package func recordCollection(of id: PromptID, at date: Date) throws -> Bool {
        try connection.row(
            """
            UPDATE prompt SET collected = ?2 WHERE id = ?1 AND collected IS NULL RETURNING id
            """, [.integer(id.number), .date(date)]
        ) { _ in true } ?? false
    }

    /// Deletes prompts whose time was over before a date.
    package func deletePrompts(endedBefore date: Date) throws {
        try connection.run("DELETE FROM prompt WHERE ends < ?1", [.date(date)])
    }

    // MARK: Browsers

    package func insertPageSession(
        tokenDigest: Data, account: AccountID, start: Date, end: Date
    ) throws {
        try connection.run("DELETE FROM page_session WHERE ends <= ?1", [.date(start)])
        try connection.run(
            "INSERT INTO page_session (token_digest, account, started, ends) VALUES (?1, ?2, ?3, ?4)",
            [.blob(tokenDigest), .integer(account.number), .date(start), .date(end)])
    }

    /// The account of a browser's session that has not ended.
    package func pageSession(tokenDigest: Data, at date: Date) throws -> Account? {
        let id = try connection.row(
            "SELECT account FROM page_session WHERE token_digest = ?1 AND ends > ?2",
            [.blob(tokenDigest), .date(date)]
        ) { AccountID(number: $0.integer(0)) }
        return try id.flatMap(AccountRepository(connection: connection).account)
    }

    package func deletePageSession(tokenDigest: Data) throws {
        try connection.run(
            "DELETE FROM page_session WHERE token_digest = ?1", [.blob(tokenDigest)])
    }

    // MARK: Rows

    private static func readPrompt(_ row: any SQLRow) throws -> Prompt {
        let ending = try row.optionalText(15).map { try readEnding($0, row) }
        return Prompt(
            id: PromptID(number: row.integer(0)),
            details: PromptDraft(
                environment: try row.value(1, StoreEnvironment.init(rawValue:)),
                app: AppID(number: row.integer(2)),
                account: row.optionalInteger(3).map { AccountID(number: $0) },
                subject: try readSubject(row), address: row.text(11), start: row.date(12),
                end: row.date(13)),
            attempts: Int(row.integer(14)), ending: ending, isCollected: !row.isNull(18),
            absence: row.isNull(23) ? nil : row.date(23))
    }

    private static func readSubject(_ row: any SQLRow) throws -> PromptSubject {
        func money(_ column: Int) -> Money {
            Money(thousandths: row.integer(column), currency: row.text(10))
        }
        switch row.text(4) {
        case "signIn": return .signIn(email: row.optionalText(5))
        case "redeem": return .redeem
        case "confirm":
            return .confirm(
                try row.value(6) { ProductID($0) }, quantity: Int(row.integer(7)), price: money(8))
        case "consent":
            return .consent(
                try row.value(6) { ProductID($0) }, currentPrice: money(8), newPrice: money(9))
        case "item":
            return .item(
                ItemID(number: row.integer(19)),
                Referral(
                    affiliateToken: row.optionalText(20), campaign: row.optionalText(21),
                    provider: row.optionalText(22)))
        default: return try row.value(4) { _ in nil }
        }
    }

    private static func readEnding(_ name: String, _ row: any SQLRow) throws -> Prompt.Ending {
        switch name {
        case "yes": .decided(.yes)
        case "no": .decided(.no)
        case "later": .decided(.later)
        case "done": .decided(.done)
        case "code": .decided(.code(row.text(16)))
        case "signedIn": .decided(.signedIn(AccountID(number: row.integer(17))))
        case "abandoned": .abandoned
        case "exhausted": .exhausted
        default: try row.value(15) { _ in nil }
        }
    }
}

/// A subject as columns.
private struct PromptColumns {
    var kind: String
    var email: String?
    var product: ProductID?
    var quantity: Int?
    var price: Money?
    var newPrice: Money?
    var item: ItemID?
    var referral: Referral?

    init(_ subject: PromptSubject) {
        switch subject {
        case .signIn(let wanted):
            kind = "signIn"
            email = wanted
        case .redeem:
            kind = "redeem"
        case .confirm(let id, let count, let one):
            kind = "confirm"
            (product, quantity, price) = (id, count, one)
        case .consent(let id, let current, let new):
            kind = "consent"
            (product, price, newPrice) = (id, current, new)
        case .item(let id, let sender):
            kind = "item"
            (item, referral) = (id, sender)
        }
    }
}
