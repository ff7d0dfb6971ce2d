import Synchronization

/// Statements in PostgreSQL's words, each translated once.
enum PostgresStatements {
    private struct Known: @unchecked Sendable {
        // Sendable: addresses of literals, which never move and are never written.
        var texts: [UnsafePointer<UInt8>: String] = [:]
    }

    private static let known = Mutex(Known())

    static func text(of sql: StaticString) -> String {
        known.withLock { known in
            if let text = known.texts[sql.utf8Start] { return text }
            let text = PostgresText.translated(sql.description)
            known.texts[sql.utf8Start] = text
            return text
        }
    }
}
