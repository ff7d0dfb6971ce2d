import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A store with a team that has something of everything, and callers of every kind.
///
/// All fixtures are copies of one that is furnished once in a run.
final class WalkFixture: Sendable {
    static let secrets = ["com.example.shop", "Sample shop", "A badge", "Guide for walkers"]

    let folder: TemporaryFolder
    let store: Store
    let clock = SettableClock()
    let people: WalkPeople
    /// Identifiers of what the team has, by the types of the API and the parts of paths.
    let known: [String: String]
    private let router: Router

    var team: Int64 { people.team }

    private static let furnished = Task { try await FurnishedStore() }

    /// A furnished store that is closed, as files: those of a folder would outlive the run.
    private struct FurnishedStore: Sendable {
        let files: [String: Data]
        let people: WalkPeople
        let known: [String: String]

        init() async throws {
            let folder = try TemporaryFolder()
            let fixture = try await WalkFixture(furnishing: folder)
            fixture.store.close()
            (people, known) = (fixture.people, fixture.known)
            let paths = FileManager.default.enumerator(atPath: folder.file("store").path)
            var files: [String: Data] = [:]
            while let path = paths?.nextObject() as? String {
                files[path] = try? Data(contentsOf: folder.file("store/\(path)"))
            }
            self.files = files
        }

        /// Writes the files, which only their owner may read.
        func copy() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for (path, data) in files {
                let file = try folder.write("store/\(path)", data)
                for place in [file, file.deletingLastPathComponent()] {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: place == file ? 0o600 : 0o700],
                        ofItemAtPath: place.path)
                }
            }
            return folder
        }
    }

    convenience init() async throws {
        let furnished = try await Self.furnished.value
        try self.init(
            furnished.copy(), people: furnished.people, known: furnished.known)
    }

    private convenience init(furnishing folder: TemporaryFolder) async throws {
        let clock = SettableClock()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        let store = try Self.open(folder, clock)
        defer { store.close() }
        _ = try await store.importCatalog(
            configuration: SampleShop.configuration,
            content: SampleShop.writeContent(into: folder, noiseBytes: 1000),
            bundleID: SampleShop.bundleID, appName: "Sample shop")
        let people = try await WalkPeople(store)
        let contents = try await WalkFixtureContents(store, clock, people)
        try self.init(folder, people: people, known: contents.known)
    }

    private init(
        _ folder: TemporaryFolder, people: WalkPeople, known: [String: String]
    ) throws {
        self.folder = folder
        self.people = people
        self.known = known
        store = try Self.open(folder, clock)
        router = try StoreRoutes(services: store.services).router()
    }

    deinit {
        store.close()
    }

    private static func open(_ folder: TemporaryFolder, _ clock: SettableClock) throws -> Store {
        try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests,
            log: .silent)
    }

    // MARK: Requests

    /// Sends a request to the API.
    ///
    /// - Parameter known: the identifiers in the path; nil for those of the team.
    func send(
        _ operation: ConnectOperation, by caller: WalkCaller, body: Data,
        known: [String: String]? = nil
    ) async throws -> HTTPResponse {
        guard let path = PathParameters.fill(operation.pattern, known ?? self.known) else {
            throw UnknownParameter(pattern: operation.pattern)
        }
        return try await router.answer(
            operation, at: path, token: people.token(of: caller, at: clock.now()), body: body)
    }

    // MARK: What is kept

    /// Everything that the store keeps but when a key was used last, which every request
    /// with it may write: rows of the database, and the names and sizes of files.
    func dump() async throws -> [Substring] {
        let (status, output) = try await ChildProgram.run(
            "/usr/bin/sqlite3",
            [
                "-batch", "-cmd", ".timeout 3600000",
                folder.file("store/store.sqlite").path, ".dump",
            ])
        try #require(status == 0, "\(String(decoding: output.prefix(1000), as: UTF8.self))")
        let rows = String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
            // The last of its columns.
            line.hasPrefix("INSERT INTO api_key ")
                ? line[..<(line.lastIndex(of: ",") ?? line.endIndex)] : line
        }
        return rows + files()
    }

    private func files() -> [Substring] {
        let store = folder.file("store")
        let paths = FileManager.default.enumerator(atPath: store.path)
        return (paths?.compactMap { $0 as? String } ?? []).filter {
            !$0.hasPrefix("store.sqlite")
        }.map { path in
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: store.appendingPathComponent(path).path)
            let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
            return "file \(path) \(isFile ? attributes?[.size] as? Int ?? 0 : 0)"
        }.sorted()
    }

    /// A number that is another one after everything that was written.
    func lastCommit() throws -> Int64 { try store.database.changes() }
}

extension Router {
    /// Answers a request to the API.
    func answer(
        _ operation: ConnectOperation, at path: String, token: String?, body: Data
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: operation.method.rawValue, path: ConnectRouteTable.prefix + path, query: [],
            headers: ["Host": "store.example", "Content-Type": "application/json"], body: body)
        request.statedOrigin = "http://store.example"
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        switch respond(to: request) {
        case .now(let answer): return answer
        case .later(let work): return await work()
        }
    }
}

extension HTTPResponse {
    /// The bytes that are sent; none for a file.
    var bytes: Data {
        if case .data(let data) = body { data } else { Data() }
    }
}

/// A route for whose parameters the team has nothing.
private struct UnknownParameter: Error {
    let pattern: String
}
