import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

@testable import StoreContent

/// Reading where others answer, or something else than was asked for.
@Suite(.usesObjectServer) struct ObjectReadingTests {
    private let server: ObjectServer
    private let prefix = "reading-\(UUID().uuidString)"
    private let folder: TemporaryFolder

    init() throws {
        server = try ObjectServer.shared
        folder = try TemporaryFolder()
    }

    private func retryPolicy(
        _ sleep: @escaping @Sendable (TimeInterval) -> Void = { _ in }
    ) -> ObjectRetryPolicy {
        var retryPolicy = ObjectRetryPolicy()
        retryPolicy.sleep = sleep
        return retryPolicy
    }

    private func client() throws -> ObjectClient {
        try server.client(prefix, retryPolicy: retryPolicy())
    }

    private func bytes(
        _ client: ObjectClient, _ name: String, _ range: Range<UInt64>? = nil
    ) throws -> Data? {
        var data = Data()
        return try client.read(name, range, into: { data.append(contentsOf: $0) }) ? data : nil
    }

    private func digest(_ data: Data) -> ContentDigest { ContentDigest(SHA256Digest.hex(data))! }

    // MARK: Going on

    @Test(arguments: [nil, "bytes 0-99/1000000", "bytes 300001-300100/1000000"])
    func `bytes from elsewhere are not taken for the next ones`(range: String?) async throws {
        let client = try client()
        try client.store(SampleShop.noise(1_000_000, seed: 1), as: "a")
        try await server.plan("\(prefix)/a") { ($0.method, $0.cutAfter) = ("GET", 300_000) }
        try await server.plan("\(prefix)/a") {
            ($0.method, $0.status) = ("GET", 206)
            $0.body = String(repeating: "x", count: 100)
            $0.headers = range.map { ["Content-Range": $0] }
        }
        #expect(throws: ObjectStoreError(.answer, "")) { try bytes(client, "a") }
    }

    @Test func `an object that changed while it was read is not put together of two`()
        async throws
    {
        let other = try client()
        let client = try server.client(
            prefix,
            retryPolicy: retryPolicy { _ in try? other.store(Data(count: 600_000), as: "a") })
        try client.store(SampleShop.noise(1_000_000, seed: 1), as: "a")
        try await server.plan("\(prefix)/a") { ($0.method, $0.cutAfter) = ("GET", 300_000) }
        #expect(throws: ObjectStoreError(.answer, "")) { try bytes(client, "a") }
    }

    @Test func `a connection that breaks after the last byte has brought all`() async throws {
        let client = try client()
        try client.store(Data("0123456789".utf8), as: "a")
        try await server.plan("\(prefix)/a") {
            ($0.method, $0.status, $0.body) = ("GET", 206, "0123456789")
            $0.headers = ["Content-Range": "bytes 0-9/10", "Content-Length": "11"]
        }
        #expect(try bytes(client, "a", 0..<10) == Data("0123456789".utf8))
        #expect(try await server.seen("\(prefix)/a").filter { $0.method == "GET" }.count == 1)
    }

    // MARK: Who says that there is nothing

    @Test(
        arguments: [
            ("<html>There is no such host</html>", ObjectStoreError.Code.answer), ("", .answer),
            ("<Error><Code>NoSuchBucket</Code></Error>", .bucket),
        ]) func `a 404 of somebody else is no missing object`(
            body: String, code: ObjectStoreError.Code
        ) async throws
    {
        let client = try client()
        try client.store(Data("a".utf8), as: "a")
        // A HEAD and the question after it, a GET and a DELETE.
        try await server.plan("\(prefix)/a") {
            ($0.status, $0.body, $0.times) = (404, body, 4)
        }
        let wanted = ObjectStoreError(code, "")
        #expect(throws: wanted) { try client.length(of: "a") }
        #expect(throws: wanted) { try bytes(client, "a") }
        #expect(throws: wanted) { try client.remove("a") }
        #expect(try bytes(client, "a") == Data("a".utf8))
    }

    @Test func `what is missing is missing`() throws {
        let client = try client()
        #expect(try client.length(of: "nothing") == nil)
        #expect(try bytes(client, "nothing") == nil)
        try client.remove("nothing")
    }

    @Test(arguments: ["9223372036854775808", "18446744073709551615", "99999999999999999999", "-1"])
    func `a length that no file can have is refused`(length: String) async throws {
        let client = try client()
        try await server.plan("\(prefix)/a") {
            ($0.method, $0.status, $0.body) = ("HEAD", 200, "")
            $0.headers = ["Content-Length": length]
        }
        #expect(throws: ObjectStoreError.self) { try client.length(of: "a") }
    }

    // MARK: Content

    @Test(arguments: [Data("shorter".utf8), Data(count: 1000)])
    func `other bytes under a digest are mended by storing again`(wrong: Data) throws {
        let storage = try server.storage(prefix, retryPolicy: retryPolicy())
        let data = SampleShop.noise(1000, seed: 4)
        try storage.client.store(wrong, as: "content/\(digest(data))")
        #expect(throws: ObjectStoreError(.damaged, "")) { try storage.content.open(digest(data)) }
        try storage.content.store(file: try folder.write("new", data), digest: digest(data))
        #expect(try bytes(storage.client, "content/\(digest(data))") == data)
        #expect(try storage.content.open(digest(data))?.length == 1000)
        // Nobody has looked at these.
        try storage.client.store(Data("short".utf8), as: "content/\(digest(data))")
        try storage.content.store(file: try folder.write("new", data), digest: digest(data))
        #expect(try bytes(storage.client, "content/\(digest(data))") == data)
    }

    @Test(arguments: [405, 501])
    func `an object store that copies nothing is sent the bytes again`(status: Int) async throws {
        let storage = try server.storage(prefix, retryPolicy: retryPolicy())
        let data = SampleShop.noise(1000, seed: 5)
        try storage.content.store(file: try folder.write("new", data), digest: digest(data))
        try await server.plan("\(prefix)/content/") { ($0.method, $0.status) = ("PUT", status) }
        try storage.content.store(file: try folder.write("new", data), digest: digest(data))
        let puts = try await server.seen("\(prefix)/content/").filter { $0.method == "PUT" }
        #expect(puts.count == 3)
    }

    // MARK: Pictures

    @Test func `bytes that have not arrived are not made up`() throws {
        let pictures = try server.storage(prefix).pictures
        let id = AssetID(UUID())
        try pictures.write(Data("lo".utf8), at: 3, of: id)
        #expect(try pictures.finish(id) == nil)
        try pictures.write(Data("he".utf8), at: 0, of: id)
        #expect(try pictures.finish(id) == nil)
        try pictures.write(Data("hel".utf8), at: 0, of: id)
        #expect(try pictures.finish(id)?.digest == digest(Data("hello".utf8)))
    }

    @Test(arguments: [0, 3])
    func `a picture is there, also where its parts can't be taken away`(part: Int) async throws {
        let pictures = try server.storage(prefix, retryPolicy: retryPolicy()).pictures
        let id = AssetID(UUID())
        try pictures.write(Data("hel".utf8), at: 0, of: id)
        try pictures.write(Data("lo".utf8), at: 3, of: id)
        let folder = "\(prefix)/assets/arriving/\(id.text)/"
        try await server.plan("\(folder)\(part)") { ($0.method, $0.times) = ("DELETE", 5) }
        let hello = digest(Data("hello".utf8))
        #expect(try pictures.finish(id)?.digest == hello)
        #expect(try pictures.exists(hello))
        // Who confirms again gets the same picture, or hears that nothing has arrived.
        let again = try pictures.finish(id)
        #expect(again?.digest == (part == 0 ? hello : nil))
        try pictures.abandon(before: .distantFuture)
        #expect(try pictures.finish(id) == nil)
    }
}
