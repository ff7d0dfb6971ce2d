import Foundation
import StoreHTTP
import StoreServer
import StoreTestSupport
import Synchronization

extension ServingSettings {
    /// With endless timeouts for tests, which share a machine and are slow clients at times.
    static var forTests: ServingSettings {
        var settings = ServingSettings()
        settings.timeouts = .endless
        return settings
    }
}

extension RequestTimeouts {
    /// For tests that are about something else.
    static let endless = RequestTimeouts(header: .seconds(3600), grace: .seconds(3600))
}

/// A store in a folder of its own that listens with settings of its own, and keeps its log.
final class ListeningStore: Sendable {
    let folder: TemporaryFolder
    let store: Store
    let server: StoreServer
    let clock = SettableClock()
    private let lines: Lines

    private final class Lines: Sendable {
        let list = Mutex<[String]>([])
    }

    init(
        _ change: (inout ServingSettings) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        let lines = Lines()
        self.lines = lines
        store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests,
            log: EventLog { line in lines.list.withLock { $0.append(line) } })
        var settings = ServingSettings.forTests
        settings.version = "7.8.9"
        change(&settings)
        server = try StoreServer(store: store, settings: settings)
    }

    deinit {
        // Stopping waits for requests whose tasks may need this very thread.
        Thread.detachNewThread { [server, folder] in
            server.stop()
            _ = folder
        }
    }

    var log: [String] { lines.list.withLock { $0 } }

    func get(_ path: String, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await LoopbackClient(port: server.port)
            .send(HTTPRequest(method: "GET", path: path, headers: headers))
    }

    /// The lines of `/metrics` without comments, by what stands before the value.
    func metrics() async throws -> [String: Double] {
        let text = try await get("/metrics").text
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let blank = line.lastIndex(of: " ") else { continue }
            values[String(line[..<blank])] = Double(line[line.index(after: blank)...])
        }
        return values
    }
}
