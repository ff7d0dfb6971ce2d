import StoreModel
import StoreWire
import Synchronization

/// A download that the agent fetches, as its app sees it.
struct AgentDownload: Sendable {
    let folder: DownloadFolder
    let agent: AgentAccess
    let device: StoreDevice
    let transaction: TransactionID
    let content: DownloadRequest
    let grants: DownloadGrants
    let retry: RetryPolicy
    let report: @Sendable (Int64, Int64) -> Void

    /// The agent may be killed so often without progress before the app fetches by itself.
    private static let attempts = 4

    /// Has the agent fetch.
    ///
    /// - Returns: whether all is there; else the app has to fetch by itself, and nobody else does.
    /// - Throws: what kept the store from giving its permission; `CancellationError`.
    func run() async throws -> Bool {
        guard let first = await agent.connect() else { return false }
        let answer = try await retry.trying(log: device.log) { try await grants.fetchAnswer() }
        guard answer.token != nil else { return false }
        try folder.files.make()
        let order = DownloadOrder(
            number: UUID().uuidString, transaction: transaction, content: content,
            profile: device.profile.text, device: device.client.deviceID, answer: answer,
            libraries: InstalledContent.libraries(device))
        try folder.begin(order)
        defer {
            folder.endOrder()
            agent.forget(folder)
        }
        var connection: AgentConnection? = first
        var failures = 0
        var last: Int64 = -1
        while let current = connection, failures < Self.attempts {
            let (event, present) = await follow(current)
            try Task.checkCancellation()
            if folder.isFinished(order) { return true }
            if event == .released { return false }
            // The agent was killed: another one goes on.
            failures = present > last ? 0 : failures + 1
            last = max(last, present)
            connection = await agent.connect()
        }
        return false
    }

    /// Listens till the agent has said how it ended, or has ended itself.
    private func follow(
        _ connection: AgentConnection
    ) async -> (AgentReport.Event?, present: Int64) {
        let path = folder.path
        let most = Mutex<Int64>(-1)
        let event = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    connection.send(AgentRequest(verb: .fetch, folder: path))
                    continuation.resume(returning: listen(connection, most))
                }
                thread.stackSize = 256 << 10
                thread.start()
            }
        } onCancel: {
            // First on disk: who is killed before the agent hears of it wants it no more either.
            folder.endOrder()
            connection.send(AgentRequest(verb: .stop, folder: path))
        }
        return (event, most.withLock { $0 })
    }

    private func listen(
        _ connection: AgentConnection, _ most: borrowing Mutex<Int64>
    ) -> AgentReport.Event? {
        while let message = connection.receive(AgentReport.self) {
            switch message.event {
            case .progress:
                guard let present = message.present, let total = message.total,
                    (0...total).contains(present), total <= WireContent.longest
                else { continue }
                most.withLock { $0 = max($0, present) }
                report(present, total)
            case .finished, .released:
                return message.event
            }
        }
        return nil
    }

    /// Has the agent let go of a folder, if it fetches into it, whose order was taken back.
    static func release(_ folder: DownloadFolder, by agent: AgentAccess) async {
        guard let connection = agent.connectIfRunning() else { return }
        await withCheckedContinuation { continuation in
            let thread = Thread {
                connection.send(AgentRequest(verb: .stop, folder: folder.path))
                _ = connection.receive(AgentReport.self)
                continuation.resume()
            }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }
}
