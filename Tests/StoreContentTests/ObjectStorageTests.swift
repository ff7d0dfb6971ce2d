import Foundation
import FoundationNetworking
import StoreCore
import StoreKit
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

@testable import StoreContent

/// A bucket as a whole: whose it is, how it is spoken to, and lists of more than one page.
@Suite(.usesObjectServer) struct ObjectStorageTests {
    private let server: ObjectServer
    private let prefix = "storage-\(UUID().uuidString)"
    private let folder: TemporaryFolder

    init() throws {
        server = try ObjectServer.shared
        folder = try TemporaryFolder()
    }

    private var retryPolicy: ObjectRetryPolicy {
        var retryPolicy = ObjectRetryPolicy()
        retryPolicy.sleep = { _ in }
        return retryPolicy
    }

    private func storage() throws -> ObjectStorage {
        try server.storage(prefix, retryPolicy: retryPolicy)
    }

    private func digest(_ data: Data) -> ContentDigest { ContentDigest(SHA256Digest.hex(data))! }

    // MARK: Whose it is

    @Test func `of two stores that find the place free at once, one is refused`() async throws {
        let storage = try storage()
        try storage.claim(for: "one")
        // What the second one has seen before the first one came.
        try await server.plan("\(prefix)/store-root") {
            ($0.method, $0.status) = ("GET", 404)
            $0.body = "<Error><Code>NoSuchKey</Code></Error>"
        }
        #expect(throws: ObjectStoreError(.foreign, "")) { try storage.claim(for: "two") }
        try storage.claim(for: "one")
    }

    @Test func `an object store without conditions is claimed as well`() async throws {
        let storage = try storage()
        try await server.plan("\(prefix)/store-root") { ($0.method, $0.status) = ("PUT", 501) }
        try storage.claim(for: "one")
        #expect(throws: ObjectStoreError(.foreign, "")) { try storage.claim(for: "two") }
    }

    @Test func `who does not serve looks whose it is before it touches anything`() async throws {
        let free = try storage()
        free.expect(owner: "one")
        #expect(try !free.content.exists(digest(Data())))
        #expect(try await server.seen("\(prefix)/store-root").allSatisfy { $0.method == "GET" })
        try storage().claim(for: "one")
        let other = try storage()
        other.expect(owner: "two")
        for _ in 1...2 {
            #expect(throws: ObjectStoreError(.foreign, "")) {
                try other.content.exists(digest(Data()))
            }
        }
        #expect(throws: ObjectStoreError(.foreign, "")) {
            try other.content.store(
                file: try folder.write("new", Data()), digest: digest(Data()))
        }
        let own = try storage()
        own.expect(owner: "one")
        #expect(try !own.content.exists(digest(Data())))
    }

    // MARK: How it is spoken to

    private func fetch(_ address: String) async throws -> (Int, Data) {
        let (data, response) = try await HTTPTransport().send(
            URLRequest(url: URL(string: address)!))
        return (response.statusCode, data)
    }

    @Test func `a key with a session's token is taken, in headers and in addresses`()
        async throws
    {
        let location = try ObjectLocation(server.option(prefix))
        let client = ObjectClient(location, credentials: server.session, retryPolicy: retryPolicy)
        try client.store(Data("0123".utf8), as: "a b")
        #expect(try client.data(of: "a b", limit: 10) == Data("0123".utf8))
        let address = client.address("GET", "a b", lifetime: 86_400)
        #expect(try await fetch(address) == (200, Data("0123".utf8)))
        let forged = ObjectClient(
            location,
            credentials: ObjectCredentials(
                accessKey: server.session.accessKey, secret: server.session.secret,
                sessionToken: "another"), retryPolicy: retryPolicy)
        #expect(throws: ObjectStoreError(.credentials, "")) {
            try forged.data(of: "a b", limit: 10)
        }
        #expect(try await fetch(forged.address("GET", "a b", lifetime: 86_400)).0 == 400)
    }

    @Test func `a bucket with a host of its own is spoken to by its name`() async throws {
        // libcurl takes every name below localhost for this machine.
        let port = try #require(URL(string: server.address)?.port)
        let own = try ObjectLocation(
            "s3://\(ObjectServer.bucket)/\(prefix)?endpoint=http://localhost:\(port)&style=host")
        let client = ObjectClient(
            own,
            credentials: ObjectCredentials(accessKey: server.accessKey, secret: server.secret),
            retryPolicy: retryPolicy)
        try client.store(Data("0123".utf8), as: "a b/ü")
        #expect(try client.data(of: "a b/ü", limit: 10) == Data("0123".utf8))
        #expect(try storage().client.length(of: "a b/ü") == 4)
        var names: [String] = []
        try client.list("") { names.append($0.name) }
        #expect(names == ["a b/ü"])
    }

    @Test func `requests one after the other use one connection`() async throws {
        let client = try storage().client
        try client.store(Data("0123".utf8), as: "a")
        for _ in 1...20 { #expect(try client.length(of: "a") == 4) }
        let ports = try await server.seen("\(prefix)/a").map(\.port)
        #expect(ports.count == 21)
        #expect(Set(ports).count == 1)
    }

    @Test func `many threads read and write at once, each its own`() async throws {
        let content = try storage().content
        let all = (0..<24).map { SampleShop.noise(100_000 + $0, seed: UInt64($0 + 1)) }
        let files = try all.enumerated().map { try folder.write("f\($0)", $1) }
        let read = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (data, file) in zip(all, files) {
                group.addTask {
                    let digest = ContentDigest(SHA256Digest.hex(data))!
                    return try await content.apart {
                        try content.store(file: file, digest: digest)
                        guard let open = try content.open(digest) else { return false }
                        let handle = FileHandle(
                            fileDescriptor: open.descriptor, closeOnDealloc: true)
                        return try handle.readToEnd() == data
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(read == 24)
        #expect(try content.list().count == 24)
    }

    // MARK: Pages

    @Test func `lists go on over pages`() throws {
        let storage = try storage()
        let names = (1...8).map { "many/\($0)/part" }
        for name in names { try storage.client.store(Data("x".utf8), as: name) }
        var found: [String] = []
        try storage.client.list("many/") { found.append($0.name) }
        #expect(found == names)
        #expect(try storage.client.folders("many/") == (1...8).map(String.init))
    }

    @Test func `what was begun in parts is given up over pages`() async throws {
        let client = try storage().client
        for number in 1...5 {
            let data = SampleShop.noise(6_000_000, seed: UInt64(number))
            let file = try folder.write("large", data)
            try await server.plan("\(prefix)/\(number)") {
                ($0.method, $0.query, $0.times) = ("PUT", "partNumber=", 5)
            }
            try await server.plan("\(prefix)/\(number)") { ($0.method, $0.times) = ("DELETE", 5) }
            #expect(throws: ObjectStoreError(.unreachable, "")) {
                try client.store(
                    file: file, as: "\(number)", digest: digest(data), partSize: 5 << 20)
            }
        }
        #expect(try client.abandonParts(before: .distantFuture) == 5)
        #expect(try client.abandonParts(before: .distantFuture) == 0)
    }

    // MARK: The end of an upload in parts

    @Test func `an answer that begins with white space counts`() async throws {
        let client = try storage().client
        let data = SampleShop.noise(6_000_000, seed: 7)
        let file = try folder.write("large", data)
        try await server.plan("\(prefix)/large") {
            ($0.method, $0.query, $0.after, $0.status) = ("POST", "uploadId=", true, 200)
            $0.body =
                "\r\n \n<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                + "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>"
        }
        try client.store(file: file, as: "large", digest: digest(data), partSize: 5 << 20)
        #expect(try client.length(of: "large") == 6_000_000)
    }

    @Test func `an upload that was put together counts, whatever is heard of it`() async throws {
        let client = try storage().client
        let data = SampleShop.noise(6_000_000, seed: 8)
        let file = try folder.write("large", data)
        try await server.plan("\(prefix)/large") {
            ($0.method, $0.query, $0.after, $0.status) = ("POST", "uploadId=", true, 200)
            $0.body = "<html>The proxy waits for too long</html>"
        }
        try client.store(file: file, as: "large", digest: digest(data), partSize: 5 << 20)
        #expect(try client.length(of: "large") == 6_000_000)
    }

    @Test func `sending a file in parts ends where it is not to go on`() throws {
        let client = try storage().client
        let data = SampleShop.noise(12_000_000, seed: 9)
        let file = try folder.write("large", data)
        var count = 0
        #expect(throws: CancellationError.self) {
            try client.store(
                file: file, as: "large", digest: digest(data), partSize: 5 << 20
            ) {
                count += 1
                if count == 2 { throw CancellationError() }
            }
        }
        #expect(try client.length(of: "large") == nil)
        #expect(try client.abandonParts(before: .distantFuture) == 0)
    }
}
