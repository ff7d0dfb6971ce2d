import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreWire
import Synchronization

/// Connect's API, as commands use it.
///
///     let teams = try await api.list("/openstore/v1/teams", ["filter[name]": "Example"])
///     let team = try await api.create(
///         "teams", at: "/openstore/v1/teams", ["name": "Example"])
///
/// Paths begin below `/connect`. Resources come back as they are in documents: `id`, `type`,
/// `attributes`, `relationships`.
struct ConnectAPI: Sendable {
    /// As many as one page of a list has.
    private static let pageSize = 200

    /// Scheme, host and port of the store.
    let address: String
    let credential: ConnectCredential
    let transport: any RequestTransport

    init(
        address: String, credential: ConnectCredential,
        transport: any RequestTransport = HTTPTransport()
    ) {
        self.address = address
        self.credential = credential
        self.transport = transport
    }

    /// Whether the command works on the folder of a store that does not run.
    var isInThisProcess: Bool { transport is RouterTransport }

    // MARK: Resources

    /// One resource, or what a to-one relationship leads to.
    func show(_ path: String, _ query: [String: String] = [:]) async throws -> JSONValue {
        let document = try await send("GET", path, query)
        guard let data = document["data"] else {
            throw ConnectFailure.noStore(at: address, status: 200)
        }
        return data
    }

    /// All resources of a list, page by page.
    ///
    /// - Parameter limit: stops after so many; nil for no limit.
    func list(
        _ path: String, _ query: [String: String] = [:], limit: Int? = nil
    ) async throws -> [JSONValue] {
        var resources: [JSONValue] = []
        var query = query
        var pages = PageTrail(address)
        while true {
            let left = limit.map { $0 - resources.count } ?? Self.pageSize
            guard left > 0 else { return resources }
            query["limit"] = String(min(Self.pageSize, left))
            let document = try await send("GET", path, query)
            guard let elements = document["data"]?.elements else {
                throw ConnectFailure.noStore(at: address, status: 200)
            }
            resources += elements
            guard let next = try pages.next(after: document) else { return resources }
            query["cursor"] = next
        }
    }

    /// Makes a resource.
    ///
    /// - Parameters:
    ///   - attributes: those that are null are left out.
    ///   - relationships: type and identifier of what they refer to.
    func create(
        _ type: String, at path: String, _ attributes: [String: JSONValue],
        relationships: [String: (type: String, id: String)] = [:]
    ) async throws -> JSONValue {
        let body = Self.document(
            type, id: nil, attributes.filter { $0.value != .null }, relationships)
        return try await send("POST", path, [:], body)["data"] ?? .null
    }

    /// Changes a resource.
    ///
    /// - Parameters:
    ///   - id: nil where the last part of the path is the identifier.
    ///   - attributes: null takes away what was there.
    func update(
        _ type: String, at path: String, id: String? = nil, _ attributes: [String: JSONValue],
        relationships: [String: (type: String, id: String)] = [:]
    ) async throws -> JSONValue {
        let id = id ?? path.split(scalar: "/").last.map(String.init) ?? ""
        let body = Self.document(type, id: id, attributes, relationships)
        return try await send("PATCH", path, [:], body)["data"] ?? .null
    }

    func delete(_ path: String) async throws {
        _ = try await send("DELETE", path)
    }

    // MARK: Requests

    /// Sends a request, and gives the document of its answer; null for an empty one.
    ///
    /// - Throws: `ConnectFailure`.
    func send(
        _ method: String, _ path: String, _ query: [String: String] = [:],
        _ body: JSONValue? = nil
    ) async throws -> JSONValue {
        let data = try await data(
            method, path, query, body?.encoded(),
            type: body == nil ? nil : "application/json")
        guard !data.isEmpty else { return .null }
        do { return try JSONValue(reading: data, depth: 64) } catch {
            throw ConnectFailure.noStore(at: address, status: 200)
        }
    }

    /// A request that shows who sends it.
    ///
    /// - Throws: `ConnectFailure`.
    func request(
        _ method: String, _ path: String, _ query: [String: String] = [:]
    ) throws -> URLRequest {
        guard var components = URLComponents(string: address) else {
            throw ConnectFailure.unreachable(address, "it is not an address")
        }
        components.path += "/connect\(path)"
        if !query.isEmpty {
            components.queryItems = query.sorted { $0.key < $1.key }
                .map { URLQueryItem(name: $0.key, value: $0.value) }
            // A plus stays a plus: the store takes none for a space, but others do.
            components.percentEncodedQuery = components.percentEncodedQuery?
                .replacing(scalar: "+", with: "%2B")
        }
        guard let url = components.url else {
            throw ConnectFailure.unreachable(address, "it is not an address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let token = try credential.token(at: Date()) {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    /// Sends a request with any body, and gives the body of its answer.
    ///
    /// - Parameter silence: how long the store may work before it answers, seconds.
    /// - Throws: `ConnectFailure`.
    func data(
        _ method: String, _ path: String, _ query: [String: String] = [:], _ body: Data? = nil,
        type: String? = nil, silence: TimeInterval = 60
    ) async throws -> Data {
        var request = try request(method, path, query)
        request.httpBody = body
        request.timeoutInterval = silence
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        do {
            let (data, response) = try await transport.send(request)
            guard !response.isSuccess else { return data }
            throw ConnectFailure(status: response.statusCode, body: data, address: address)
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            throw ConnectFailure.unreachable(address, error.localizedDescription)
        }
    }

    /// The most bytes that are read of a failure.
    private static let longestFailure = 1 << 20

    /// So much of a failure was read.
    private struct ReadEnough: Error {}

    /// Sends a request, and hands over what answers it piece by piece.
    ///
    /// - Returns: the header of the answer.
    /// - Throws: `ConnectFailure`, also for an answer that is no success, of which so much is read
    ///   as says why; what `sink` throws.
    func stream(
        _ request: URLRequest, sink: @escaping @Sendable (Data) throws -> Void
    ) async throws -> HTTPURLResponse {
        let header = Mutex<HTTPURLResponse?>(nil)
        let failure = Mutex(Data())
        do {
            try await transport.stream(
                request, accept: { response in header.withLock { $0 = response } },
                sink: { piece in
                    guard header.withLock({ $0?.isSuccess == false }) else {
                        return try sink(piece)
                    }
                    let length = failure.withLock { failure in
                        failure += piece
                        return failure.count
                    }
                    if length > Self.longestFailure { throw ReadEnough() }
                })
        } catch is ReadEnough {
            // What was read says why.
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            throw ConnectFailure.unreachable(address, error.localizedDescription)
        }
        guard let response = header.withLock({ $0 }) else {
            throw ConnectFailure.unreachable(address, "there was no answer")
        }
        guard response.isSuccess else {
            throw ConnectFailure(
                status: response.statusCode, body: failure.withLock { $0 }, address: address)
        }
        return response
    }

    private static func document(
        _ type: String, id: String?, _ attributes: [String: JSONValue],
        _ relationships: [String: (type: String, id: String)]
    ) -> JSONValue {
        var data: [String: JSONValue] = ["type": .string(type)]
        data["id"] = id.map(JSONValue.string)
        if !attributes.isEmpty { data["attributes"] = .object(attributes) }
        if !relationships.isEmpty {
            data["relationships"] = .object(
                relationships.mapValues {
                    ["data": ["type": .string($0.type), "id": .string($0.id)]]
                })
        }
        return ["data": .object(data)]
    }
}

/// The pages of a list that were read, each once.
struct PageTrail {
    /// Two million resources; no list has as many.
    private static let limit = 10_000

    private let address: String
    private var seen: Set<String> = []

    init(_ address: String) {
        self.address = address
    }

    /// The cursor of the page behind this one; nil for the last.
    ///
    /// - Throws: `ConnectFailure` for a page that was read before, or too many: such a list has
    ///   no end.
    mutating func next(after document: JSONValue) throws -> String? {
        guard let cursor = document["meta"]?["paging"]?["nextCursor"]?.text else { return nil }
        guard seen.insert(cursor).inserted, seen.count <= Self.limit else {
            throw ConnectFailure.endlessList(at: address)
        }
        return cursor
    }
}

/// What commands show to the store.
enum ConnectCredential: Sendable {
    case key(UploadKey)
    /// The token of a session of `openstore login`.
    case session(String)
    case none

    func token(at date: Date) throws -> String? {
        switch self {
        case .key(let key): try key.token(at: date)
        case .session(let token): token
        case .none: nil
        }
    }
}

extension HTTPURLResponse {
    fileprivate var isSuccess: Bool { (200..<300).contains(statusCode) }
}

extension JSONValue {
    /// The identifier of a resource.
    var id: String { self["id"]?.text ?? "" }

    /// An attribute of a resource, as people read it: lists with commas, nothing for null.
    func attribute(_ name: String) -> String {
        (self["attributes"]?[name] ?? .null).plainText
    }

    /// The value as people read it.
    var plainText: String {
        switch self {
        case .null: ""
        case .bool(let flag): flag ? "yes" : "no"
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .string(let text): text
        case .array(let elements): elements.map(\.plainText).joined(separator: ", ")
        case .object: String(decoding: encoded(), as: UTF8.self)
        }
    }
}
