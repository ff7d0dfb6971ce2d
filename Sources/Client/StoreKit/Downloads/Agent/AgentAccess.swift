import Synchronization

/// How an app finds the download agent of its user, and starts it.
final class AgentAccess: Sendable {
    private let socket: AgentSocket
    private let list: AgentList
    private let program: String?
    private let environment: [String: String]
    private let log: @Sendable (String) -> Void
    private struct State {
        var starting: Task<Void, Never>?
        /// Whether the program can't be run: it is not tried again.
        var isBroken = false
    }
    private let state = Mutex(State())

    /// - Parameter environment: `OPENSTORE_DOWNLOADS=inside` has the app fetch by itself, as it does
    ///   on a device of a test; `OPENSTORE_DOWNLOAD_AGENT` names the program, which is looked for in
    ///   `PATH` otherwise, and in `lib/openstore` beside its folders.
    /// - Returns: nil if the environment turns the agent off, or has no folder for its socket.
    init?(environment: [String: String], log: @escaping @Sendable (String) -> Void) {
        guard environment["OPENSTORE_DOWNLOADS"] != "inside",
            environment["OPENSTORE_DEVICES"]?.isEmpty ?? true,
            let socket = AgentSocket(environment: environment)
        else { return nil }
        self.socket = socket
        list = AgentList(environment: environment)
        self.environment = environment
        self.log = log
        program = Self.program(environment)
    }

    static let name = "openstore-downloads"
    /// An agent that runs and does not listen by then hangs.
    private static let longestStart: Duration = .seconds(60)

    private static func program(_ environment: [String: String]) -> String? {
        if let path = environment["OPENSTORE_DOWNLOAD_AGENT"], !path.isEmpty {
            return access(path, X_OK) == 0 ? path : nil
        }
        for folder in (environment["PATH"] ?? "").split(scalar: ":")
        where folder.hasPrefix(scalars: "/") {
            for path in ["\(folder)/\(name)", "\(folder)/../lib/openstore/\(name)"]
            where access(path, X_OK) == 0 {
                return path
            }
        }
        return nil
    }

    /// What the agent is told of the app's environment: where files, libraries, certificates and
    /// proxies are, and no password.
    static func inherited(_ environment: [String: String]) -> [String: String] {
        let names: Set<String> = [
            "HOME", "PATH", "LD_LIBRARY_PATH", "LANG", "TZ", "TMPDIR", "SSL_CERT_FILE",
            "SSL_CERT_DIR", "CURL_CA_BUNDLE", "http_proxy", "https_proxy", "HTTPS_PROXY",
            "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ]
        return environment.filter { name, _ in
            names.contains(name) || name.hasPrefix(scalars: "XDG_")
        }
    }

    /// A connection to the agent, which is started where it does not run.
    ///
    /// - Returns: nil where there is none.
    func connect() async -> AgentConnection? {
        if let connection = socket.connect() { return connection }
        guard let program else { return nil }
        let starting = state.withLock { state -> Task<Void, Never>? in
            if state.isBroken { return nil }
            if let starting = state.starting { return starting }
            let task = Task { await self.start(program) }
            state.starting = task
            return task
        }
        await starting?.value
        return socket.connect()
    }

    /// A connection to the running agent, or nil if none runs.
    func connectIfRunning() -> AgentConnection? { socket.connect() }

    /// Takes a download whose order has ended out of the agent's list: the agent may have been killed
    /// before it could, and the app may be the one that has finished it.
    func forget(_ download: DownloadFolder) { list.remove(download) }

    private func start(_ program: String) async {
        defer { state.withLock { $0.starting = nil } }
        let child = ChildProcess.start(
            program, [program], environment: Self.inherited(environment), isLasting: true)
        guard let child else { return giveUp("it can't be started") }
        let flag = FailureFlag()
        child.watch { flag.set() }
        // Till it listens: a moment, or longer where systemd starts it or the machine is busy.
        let end = ContinuousClock.now + Self.longestStart
        while ContinuousClock.now < end {
            if flag.isSet { return giveUp("it ended with an error") }
            if socket.connect() != nil { return }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        }
        giveUp("it does not listen")
    }

    private func giveUp(_ reason: String) {
        state.withLock { $0.isBroken = true }
        log("Downloads end with the app: \(program ?? Self.name) is not used, because \(reason).")
    }
}

private final class FailureFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
