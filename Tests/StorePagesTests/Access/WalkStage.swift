import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire

/// A store with a team that has something of everything, and callers of every kind.
final class WalkStage: Sendable {
    static let secrets = ["com.example.shop", "Sample shop", "A badge"]

    let folder: TemporaryFolder
    let store: Store
    let clock = SettableClock()
    let team: Int64
    private let router: Router
    private let keys: [String: (key: APIKey, signer: SigningKey)]
    /// Identifiers of what the team has, by the types of the API and the parts of paths.
    let known: [String: String]

    init() async throws {
        let folder = try TemporaryFolder()
        let clock = clock
        let store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault(logN: 10),
            log: .silent)
        self.folder = folder
        self.store = store
        _ = try await store.importCatalog(
            configuration: SampleShop.configuration,
            content: SampleShop.writeContent(into: folder, noiseBytes: 1000),
            bundleID: SampleShop.bundleID, appName: "Sample shop")
        let app = try await store.database.read { try $0.catalog.app(SampleShop.bundleID)! }
        team = app.teamID
        let other = try await store.database.write {
            try $0.catalog.save(TeamDraft(name: "Stranger", hasPaidAgreement: true)).id
        }
        var keys: [String: (key: APIKey, signer: SigningKey)] = [:]
        for role in ConnectRole.allCases where role != .accountHolder {
            let made = try await store.makeAPIKey(
                name: role.rawValue, role: role, team: role.isStaff ? nil : app.teamID,
                in: folder.url)
            keys[role.rawValue] = (made.key, made.file.key)
        }
        let made = try await store.makeAPIKey(
            name: "stranger", role: .admin, team: other, in: folder.url)
        keys["stranger"] = (made.key, made.file.key)
        self.keys = keys
        router = try StoreRoutes(services: store.services).router()
        known = try await Self.furnish(store, app, clock)
    }

    deinit {
        store.close()
    }

    /// Gives the team something of everything that takes more than a form.
    private static func furnish(
        _ store: Store, _ app: App, _ clock: SettableClock
    ) async throws -> [String: String] {
        let numbers = try await store.database.read { repositories in
            try [SampleShop.badge, SampleShop.chapter, SampleShop.credits].map {
                try repositories.products.number(of: ProductID($0)!, in: app.id)!
            }
        }
        for number in numbers { try await store.addScreenshot(to: number) }
        let versions = AppVersionService(database: store.database, clock: clock)
        let version = AppVersionID(UUID().uuidString)!
        let build = AppBuildID(UUID().uuidString)!
        _ = try await versions.create(
            "1.0", id: version, of: app.id, platform: .linux, by: .machine)
        _ = try await versions.addBuild(
            "1", id: build, to: version, digest: String(repeating: "e", count: 64), size: 1000,
            by: .machine)
        // One waits, one is being reviewed, one is left to be changed.
        let reviews = store.services.reviews
        let waiting = try await reviews.submit(
            [ProductID(SampleShop.badge)!], of: app.id, by: .machine)
        let begun = try await reviews.submit(
            [ProductID(SampleShop.credits)!], of: app.id, by: .machine)
        _ = try await reviews.claim(begun.id, by: .machine)
        return [
            "apps": String(app.id.number), "inAppPurchases": numbers[1].description,
            "products": numbers[1].description, "appStoreVersions": version.text,
            "versions": version.text, "builds": build.text,
            "reviewSubmissions": waiting.id.description, "submissions": waiting.id.description,
            "review": waiting.id.description,
            "reviewSubmissionItems": begun.items[0].id.description,
            "items": waiting.items[0].id.description, "contentHostings": numbers[1].description,
            "teams": String(app.teamID), "territories": "USA",
        ]
    }

    // MARK: Requests

    /// How a caller comes to the API.
    enum Caller: Sendable, Hashable, CustomStringConvertible {
        case role(ConnectRole)
        case stranger
        case nobody
        case garbage
        case expired

        var description: String {
            switch self {
            case .role(let role): role.rawValue
            case .stranger: "another team"
            case .nobody: "nobody"
            case .garbage: "garbage"
            case .expired: "expired"
            }
        }
    }

    private func token(_ caller: Caller) throws -> String? {
        let name: String
        var age: TimeInterval = 0
        switch caller {
        case .role(let role): name = role.rawValue
        case .stranger: name = "stranger"
        case .nobody: return nil
        case .garbage: return "garbage.garbage.garbage"
        case .expired: (name, age) = (ConnectRole.admin.rawValue, 3600)
        }
        guard let (key, signer) = keys[name] else { return nil }
        let issued = clock.now().addingTimeInterval(-age)
        return try APIToken.sign(
            APIToken.Claims(
                issuer: key.issuer.text, issued: issued,
                expiration: issued.addingTimeInterval(600), audiences: [APITokenRules.audience]),
            keyID: key.id.text, key: signer)
    }

    func send(_ operation: ConnectOperation, by caller: Caller, body: Data) async throws
        -> HTTPResponse
    {
        let path = ConnectRouteTable.prefix + PathParameters.fill(operation.pattern, known)
        var request = HTTPRequest(
            method: operation.method.rawValue, path: path, query: [],
            headers: ["Host": "store.example", "Content-Type": "application/json"], body: body)
        request.headers["Authorization"] = try token(caller).map { "Bearer \($0)" }
        switch router.respond(to: request) {
        case .now(let answer): return answer
        case .later(let work): return await work()
        }
    }

    /// Everything in the database but who signed in and when a key was used.
    func dump() throws -> [Substring] {
        let (_, output) = try ChildProgram.run(
            "/usr/bin/sqlite3",
            [
                "-batch", "-cmd", ".timeout 10000",
                folder.file("store/store.sqlite").path, ".dump",
            ])
        let passing = [
            "INSERT INTO connect_session ", "INSERT INTO sign_in_failure ",
            "INSERT INTO api_key ", "INSERT INTO page_session ",
        ]
        return String(decoding: output, as: UTF8.self).split(separator: "\n")
            .filter { line in !passing.contains { line.hasPrefix($0) } }
    }

    /// When something was last written.
    func lastWrite() throws -> Date {
        let path = folder.file("store/store.sqlite-wal").path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.modificationDate] as? Date ?? .distantPast
    }
}

/// Paths with identifiers in the place of their parameters.
enum PathParameters {
    /// A parameter is named after what stands before it: `/v1/apps/{id}` is one of the apps.
    static func fill(_ pattern: String, _ known: [String: String]) -> String {
        var parts: [String] = []
        for part in pattern.split(separator: "/", omittingEmptySubsequences: false) {
            guard part.hasPrefix("{") else {
                parts.append(String(part))
                continue
            }
            let name = String(part.dropFirst().dropLast())
            parts.append(known[parts.last ?? ""] ?? known[name] ?? "1")
        }
        return parts.joined(separator: "/")
    }

    static func has(_ pattern: String) -> Bool { pattern.contains("{") }
}

/// Bodies that a description allows.
struct SampleBodies {
    let known: [String: String]

    /// The body of an operation; empty where it takes none.
    func body(of operation: ConnectOperation) throws -> Data {
        for description in [APIDescription.appStoreConnect, .openStore] {
            let described = description.document["paths"]?[operation.pattern]?[
                operation.method.rawValue.lowercased()]
            guard
                let schema = described?["requestBody"]?["content"]?["application/json"]?["schema"]
            else { continue }
            let value = sample(schema, in: description.document, depth: 0)
            return try JSONSerialization.data(
                withJSONObject: value, options: [.fragmentsAllowed])
        }
        return Data()
    }

    private func resolved(_ schema: JSONValue, in document: JSONValue) -> JSONValue {
        guard let name = schema["$ref"]?.text?.split(separator: "/").last else { return schema }
        return document["components"]?["schemas"]?[String(name)] ?? .null
    }

    private func sample(_ schema: JSONValue, in document: JSONValue, depth: Int) -> Any {
        let schema = resolved(schema, in: document)
        if let first = schema["enum"]?.elements?.first?.text { return first }
        switch schema["type"]?.text {
        case "object":
            let members = schema["properties"]?.members ?? [:]
            var result: [String: Any] = [:]
            let type = members["type"].map { sample($0, in: document, depth: depth) } as? String
            // Everything that may be sent, so that the rules have something to refuse.
            for (name, member) in members where depth < 8 && name != "included" {
                if name == "id", let type {
                    result[name] = known[type] ?? "1"
                } else {
                    result[name] = sample(member, in: document, depth: depth + 1)
                }
            }
            return result
        case "array":
            return schema["items"].map { [sample($0, in: document, depth: depth + 1)] } ?? []
        case "integer", "number": return schema["minimum"]?.integer ?? 1
        case "boolean": return true
        default:
            return switch schema["format"]?.text {
            case "date": "2030-01-01"
            case "date-time": "2030-01-01T00:00:00Z"
            case "email": "someone@example.com"
            case "uri": "https://example.com/"
            default: String(repeating: "a", count: max(3, schema["minLength"]?.integer ?? 3))
            }
        }
    }
}
