import StoreDatabase

/// What a transaction can reach: the records of each subject, over one connection.
package struct StoreRepositories {
    let connection: any SQLConnection
    let index: ItemSearchIndex
    let notificationNews: NotificationNews
    let woken = WokenAccounts()
    /// How the sandbox differs from production.
    package let sandbox: SandboxRules

    /// Those of a transaction that reads, and has nothing to announce.
    init(connection: any SQLConnection, sandbox: SandboxRules = .standard) {
        self.init(
            in: WriteTransaction(on: connection, asked: .now, uptime: { .now }), sandbox: sandbox)
    }

    /// Those of a transaction that writes.
    init(in transaction: WriteTransaction, sandbox: SandboxRules) {
        connection = transaction.connection
        self.sandbox = sandbox
        notificationNews = NotificationNews(transaction)
        index = ItemSearchIndex(connection: connection)
    }

    /// Writes what waits for the end of a transaction.
    func finish() throws {
        try index.finish()
    }
}
