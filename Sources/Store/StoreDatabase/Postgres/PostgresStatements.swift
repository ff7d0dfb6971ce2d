import Synchronization

/// Statements in PostgreSQL's words, each translated once.
enum PostgresStatements {
    private static let known = Mutex<[StatementText: String]>([:])

    static func translation(of text: StatementText) -> String {
        known.withLock { known in
            if let translation = known[text] { return translation }
            let translation = PostgresText.translated(text.description)
            known[text] = translation
            return translation
        }
    }
}
