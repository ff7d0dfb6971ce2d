import Synchronization

/// An order that the download agent does, and the apps that listen.
final class AgentJob: Sendable {
    private struct State {
        var listeners: [AgentConnection] = []
        var task: Task<Void, Never>?
        var rest: Task<Void, any Error>?
        var last: AgentReport?
        var isStopped = false
        var isOver = false
        var afterwards: [@Sendable () -> Void] = []
    }

    let download: DownloadFolder
    private let state = Mutex(State())

    init(_ download: DownloadFolder) {
        self.download = download
    }

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.task = Task { await body() }
            if state.isStopped { state.task?.cancel() }
        }
    }

    /// Whether an app listens.
    var isAwaited: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Lets an app hear of it; a pause between attempts is over with that.
    func join(_ connection: AgentConnection) {
        let (last, rest) = state.withLock { state in
            if !state.isOver { state.listeners.append(connection) }
            return (state.last, state.rest)
        }
        rest?.cancel()
        if let last { connection.send(last) }
    }

    func leave(_ connection: AgentConnection) {
        state.withLock { $0.listeners.removeAll { $0 === connection } }
        if !download.hasOrder { stop() }
    }

    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }

    func report(_ report: AgentReport) {
        let listeners = state.withLock { state in
            state.last = report
            return state.listeners
        }
        for listener in listeners { listener.send(report) }
    }

    /// Tells the end, once.
    func end(_ report: AgentReport) {
        self.report(report)
        let afterwards = state.withLock { state in
            state.isOver = true
            defer { state.afterwards = [] }
            return state.afterwards
        }
        for body in afterwards { body() }
    }

    /// Calls something when it has ended, or at once.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.afterwards.append(body) }
            return state.isOver
        }
        if isOver { body() }
    }

    /// Waits, unless an app comes to listen.
    func rest(_ sleep: @escaping @Sendable () async throws -> Void) async {
        let task = Task { try await sleep() }
        let isAwaited = state.withLock { state in
            state.rest = task
            return !state.listeners.isEmpty
        }
        if isAwaited { task.cancel() }
        await withTaskCancellationHandler {
            _ = await task.result
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.rest = nil }
    }
}
