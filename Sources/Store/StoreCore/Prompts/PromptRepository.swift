import Foundation
import StoreDatabase
import StoreModel

/// Questions to customers, and the browsers that answered some.
package struct PromptRepository {
    let connection: any SQLConnection

    package func prompt(_ id: PromptID) throws -> Prompt? {
        try connection.find(PromptRow.self, id)?.prompt()
    }

    package func prompt(_ id: PromptID, secretDigest: Data) throws -> Prompt? {
        try connection.first(
            PromptRow.self, "WHERE id = \(id) AND secret_digest = \(secretDigest)"
        )?.prompt()
    }

    package func prompt(pageDigest: Data) throws -> Prompt? {
        try connection.first(PromptRow.self, "WHERE page_digest = \(pageDigest)")?.prompt()
    }

    package func insert(_ prompt: PromptDraft, pageDigest: Data, secretDigest: Data) throws
        -> Prompt
    {
        try connection.inserted(
            PromptRow(prompt), with: OtherColumn("page_digest", pageDigest),
            OtherColumn("secret_digest", secretDigest)
        ).prompt()
    }

    /// Counts a password that is tried, and gives how many there were with it.
    package func countAttempt(of id: PromptID) throws -> Int {
        try connection.value(
            Int.self,
            "UPDATE prompt SET attempts = attempts + 1 WHERE id = \(id) RETURNING attempts"
        ).orMissing("attempt")
    }

    /// Records how a prompt ended. The schema refuses a second time.
    package func record(_ ending: Prompt.Ending, of id: PromptID, at date: Date) throws {
        let columns = PromptEndingColumns(ending)
        try connection.run(
            """
            UPDATE prompt SET ending = \(columns.name), code = \(columns.code),
                signed_in = \(columns.account), ended = \(date)
            WHERE id = \(id)
            """)
    }

    /// Records when the page of an item counts as closed; nil where nothing speaks for that.
    package func recordAbsence(from date: Date?, of id: PromptID) throws {
        try connection.run("UPDATE prompt SET absent = \(date) WHERE id = \(id)")
    }

    /// Records that the device gets its session.
    ///
    /// - Returns: whether it was the first time.
    package func recordCollection(of id: PromptID, at date: Date) throws -> Bool {
        try connection.value(
            PromptID.self,
            """
            UPDATE prompt SET collected = \(date) WHERE id = \(id) AND collected IS NULL
            RETURNING id
            """) != nil
    }

    /// Deletes prompts whose time was over before a date.
    package func deletePrompts(endedBefore date: Date) throws {
        try connection.run("DELETE FROM prompt WHERE ends < \(date)")
    }

    // MARK: Browsers

    package func insertPageSession(
        tokenDigest: Data, account: AccountID, start: Date, end: Date
    ) throws {
        try connection.run("DELETE FROM page_session WHERE ends <= \(start)")
        try connection.run(
            """
            INSERT INTO page_session (token_digest, account, started, ends)
            VALUES (\(tokenDigest), \(account), \(start), \(end))
            """)
    }

    /// The account of a browser's session that has not ended.
    package func pageSession(tokenDigest: Data, at date: Date) throws -> Account? {
        let id = try connection.value(
            AccountID.self,
            """
            SELECT account FROM page_session
            WHERE token_digest = \(tokenDigest) AND ends > \(date)
            """)
        return try id.flatMap { try connection.find(Account.self, $0) }
    }

    package func deletePageSession(tokenDigest: Data) throws {
        try connection.run("DELETE FROM page_session WHERE token_digest = \(tokenDigest)")
    }
}

extension StoreRepositories {
    package var prompts: PromptRepository { PromptRepository(connection: connection) }
}
