import StoreDatabase

/// What a transaction can reach: the records of each subject, over one connection.
package class StoreRepositories {
    let connection: any SQLConnection
    let index: ItemSearchIndex
    let announcement: NotificationAnnouncement
    let woken: WokenAccounts
    /// How the sandbox differs from production.
    package let sandbox: SandboxRules

    /// Those of a transaction that reads, and has nothing to announce.
    convenience init(connection: any SQLConnection, sandbox: SandboxRules = .standard) {
        self.init(
            in: WriteTransaction(on: connection, asked: .now, uptime: { .now }), sandbox: sandbox)
    }

    /// Those of a transaction that writes.
    init(in transaction: WriteTransaction, sandbox: SandboxRules) {
        connection = transaction.connection
        index = ItemSearchIndex(connection: connection)
        announcement = NotificationAnnouncement(transaction)
        woken = WokenAccounts()
        self.sandbox = sandbox
    }

    /// Those of the same transaction.
    init(as other: StoreRepositories) {
        connection = other.connection
        index = other.index
        announcement = other.announcement
        woken = other.woken
        sandbox = other.sandbox
    }

    /// Writes what waits for the end of a transaction.
    func finish() throws {
        try index.finish()
    }
}
