import CStoreLinux
import StoreKernel
import Synchronization

/// The download agent of a user: does the orders of apps, whether they run or not, and ends when
/// nothing is left.
package final class DownloadAgent: Sendable {
    /// How long things take.
    package struct Times: Sendable {
        /// So long nothing is to be done before the agent ends.
        package var idle: Duration
        /// So long an order is tried for that no app waits for.
        package var patience: Duration

        package init(idle: Duration = .seconds(10), patience: Duration = .seconds(14 * 86_400)) {
            self.idle = idle
            self.patience = patience
        }
    }

    private struct State {
        var jobs: [String: AgentJob] = [:]
        var connections = 0
        /// Raised with each thing that is begun: an end that was planned before is off.
        var beginnings = 0
        var isEnding = false
    }

    /// More connections than any user's apps have downloads at once.
    private static let mostConnections = 1000

    private let socket: AgentSocket
    private let list: AgentList
    private let times: Times
    private let worker: AgentWorker
    private let state = Mutex(State())
    private let end: AsyncStream<Void>
    private let ending: AsyncStream<Void>.Continuation

    /// - Parameter environment: has the XDG variables.
    /// - Returns: nil where the user has no folder for sockets.
    package init?(
        environment: [String: String], times: Times = Times(),
        transport: any RequestTransport = HTTPTransport(), retry: RetryPolicy = .standard,
        log: @escaping @Sendable (String) -> Void
    ) {
        guard let socket = AgentSocket(environment: environment) else { return nil }
        self.socket = socket
        self.times = times
        list = AgentList(environment: environment)
        worker = AgentWorker(
            transport: transport, retry: retry.downloading, patience: times.patience, log: log)
        (end, ending) = AsyncStream.makeStream()
    }

    /// Whether unfinished downloads wait for an agent, and none of this user listens.
    ///
    /// Where systemd listens, it starts an agent at this look.
    package func isNeeded() -> Bool {
        !list.downloads().isEmpty && socket.connect() == nil
    }

    /// Does what there is to do, and returns when nothing is left, or when another agent does it.
    ///
    /// - Parameter listener: a socket that listens already; nil where it is to be made.
    /// - Throws: an error of the file system.
    package func run(listener: Int32?) async throws {
        try socket.prepare()
        guard let lock = try await takeLock(isAlone: listener != nil) else { return }
        defer { withExtendedLifetime(lock) {} }
        let descriptor = try listener ?? socket.listen()
        Thread.detachNewThread { [self] in accept(descriptor) }
        for download in list.downloads() { _ = begin(download, for: nil) }
        considerEnd()
        for await _ in end { break }
        // Who connects from now on finds nobody, and starts another one.
        if listener == nil { unlink(socket.path) }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// The lock of who listens; nil where another agent does. One that is ending is waited for.
    ///
    /// - Parameter isAlone: whether systemd has the socket, and starts one agent at a time.
    private func takeLock(isAlone: Bool) async throws -> FolderLock? {
        while true {
            if let lock = try FolderLock.take(socket.lock) { return lock }
            if !isAlone, socket.connect() != nil { return nil }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: Connections

    private func accept(_ listener: Int32) {
        defer { close(listener) }
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if [EINTR, ECONNABORTED].contains(errno) { continue }
                if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) {
                    usleep(100_000)
                    continue
                }
                return
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = AgentConnection(descriptor)
            let isWelcome = state.withLock { state in
                guard connection.isOwn, !state.isEnding, state.connections < Self.mostConnections
                else { return false }
                state.connections += 1
                state.beginnings += 1
                return true
            }
            guard isWelcome else { continue }
            let thread = Thread { [self] in serve(connection) }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    private func serve(_ connection: AgentConnection) {
        defer {
            state.withLock { $0.connections -= 1 }
            considerEnd()
        }
        var followed: AgentJob?
        while let request = connection.receive(AgentRequest.self) {
            guard let download = DownloadFolder(path: request.folder) else { break }
            switch request.verb {
            case .fetch where followed == nil:
                followed = begin(download, for: connection)
            case .fetch: break
            case .stop:
                let job = state.withLock { $0.jobs[download.path] }
                guard let job else {
                    connection.send(AgentReport(event: .released))
                    continue
                }
                job.stop()
                job.whenOver { connection.send(AgentReport(event: .released)) }
            }
        }
        connection.shutDown()
        // An app that has taken its order back, and was killed before it could say so.
        followed?.leave(connection)
    }

    // MARK: Orders

    /// Begins to do an order, or lets one more hear of it.
    private func begin(_ download: DownloadFolder, for connection: AgentConnection?) -> AgentJob? {
        guard download.hasOrder else {
            connection?.send(AgentReport(event: .released))
            return nil
        }
        do {
            try list.add(download)
        } catch {
            // It is done nevertheless; only a killed agent would forget it.
            worker.log("\(download.path) can't be kept in mind: \(error)")
        }
        let (job, isNew) = state.withLock { state in
            if let known = state.jobs[download.path] { return (known, false) }
            let job = AgentJob(download)
            state.jobs[download.path] = job
            state.beginnings += 1
            return (job, true)
        }
        if let connection { job.join(connection) }
        if isNew { job.start { [self] in await perform(job) } }
        return job
    }

    private func perform(_ job: AgentJob) async {
        let outcome = await worker.run(job)
        // What was left to the app begins again when the app says so.
        list.remove(job.download)
        state.withLock { $0.jobs[job.download.path] = nil }
        // Who comes from now on begins another one.
        job.end(AgentReport(event: outcome))
        considerEnd()
    }

    private func considerEnd() {
        let beginnings = state.withLock { state in
            state.jobs.isEmpty && state.connections == 0 ? state.beginnings : nil
        }
        guard let beginnings else { return }
        Task { [self] in
            try? await Task.sleep(for: times.idle)
            let isIdle = state.withLock { state in
                guard state.jobs.isEmpty, state.connections == 0, state.beginnings == beginnings
                else { return false }
                state.isEnding = true
                return true
            }
            if isIdle { ending.finish() }
        }
    }
}
