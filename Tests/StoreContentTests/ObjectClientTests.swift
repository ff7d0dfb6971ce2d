import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreSecurity
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreContent

/// Against a server that checks signatures and digests as S3 does.
@Suite(.usesObjectServer) struct ObjectClientTests {
    private let server: ObjectServer
    private let prefix = "client-\(UUID().uuidString)"
    private let folder: TemporaryFolder
    private let pauses = Pauses()

    /// What would have been waited.
    private final class Pauses: Sendable {
        private let all = Mutex<[TimeInterval]>([])
        var value: [TimeInterval] { all.withLock { $0 } }
        func add(_ seconds: TimeInterval) { all.withLock { $0.append(seconds) } }
    }

    init() throws {
        server = try ObjectServer.shared
        folder = try TemporaryFolder()
    }

    private var retryPolicy: ObjectRetryPolicy {
        var retryPolicy = ObjectRetryPolicy()
        retryPolicy.sleep = { [pauses] in pauses.add($0) }
        retryPolicy.random = { 1 }
        return retryPolicy
    }

    private func client(more: String = "", secret: String? = nil) throws -> ObjectClient {
        try server.client(prefix, more: more, secret: secret, retryPolicy: retryPolicy)
    }

    private func bytes(
        _ client: ObjectClient, _ name: String, _ range: Range<UInt64>? = nil
    ) throws -> Data? {
        var data = Data()
        return try client.read(name, range, into: { data.append(contentsOf: $0) }) ? data : nil
    }

    private func digest(_ data: Data) -> ContentDigest { ContentDigest(SHA256Digest.hex(data))! }

    // MARK: Refusals

    @Test func `a wrong secret and an unknown key are refused, and not told`() throws {
        for other in [
            try client(secret: "hush-hush"),
            ObjectClient(
                try ObjectLocation(server.option(prefix)),
                credentials: ObjectCredentials(accessKey: "NOBODY", secret: "hush-hush")),
        ] {
            let error = try #require(throws: ObjectStoreError.self) {
                try other.store(Data("a".utf8), as: "a")
            }
            #expect(error.code == .credentials, "\(error)")
            #expect(!error.description.contains("hush"))
        }
        #expect(try bytes(client(), "a") == nil)
        #expect(pauses.value.isEmpty, "trying again does not help")
    }

    @Test func `a bucket that is not there, and one who does not answer, are told`() throws {
        let none = ObjectClient(
            try ObjectLocation("s3://nothing-here?endpoint=\(server.address)"),
            credentials: ObjectCredentials(accessKey: server.accessKey, secret: server.secret))
        let storage = ObjectStorage(client: none, makeDigest: { preconditionFailure() })
        let error = try #require(throws: ObjectStoreError.self) { try storage.claim(for: "me") }
        #expect(error.code == .bucket)
        #expect(error.description.contains("no bucket nothing-here"))

        let silent = ObjectClient(
            try ObjectLocation("s3://b?endpoint=http://127.0.0.1:1"),
            credentials: ObjectCredentials(accessKey: "a", secret: "b"), retryPolicy: retryPolicy)
        #expect(throws: ObjectStoreError(.unreachable, "")) { try silent.length(of: "a") }
        #expect(pauses.value == [0.2, 0.4, 0.8, 1.6])
    }

    @Test func `a clock that is wrong is told with how much`() throws {
        var retryPolicy = retryPolicy
        let start = Date()
        retryPolicy.now = { start.addingTimeInterval(3600) }
        let client = try server.client(prefix, retryPolicy: retryPolicy)
        let error = try #require(throws: ObjectStoreError.self) {
            try client.store(Data(), as: "a")
        }
        #expect(error.code == .clock)
        let match = try #require(error.description.firstMatch(of: /by ([0-9]+) minutes/))
        let minutes = try #require(Int(match.1))
        // An hour, but for the time until the server has looked at its clock.
        let most = Date().timeIntervalSince(start)
        #expect(minutes <= 60 && minutes >= Int((3599 - most) / 60), "\(error)")
    }

    @Test(arguments: ["Tüe, 24 Nov 2026 17:00:00 GMT", "\u{1F600}", "0"])
    func `a date that is none is not told of a wrong clock`(_ date: String) throws {
        var answer = ObjectAnswer()
        answer.status = 403
        answer.headers = ["date": date]
        answer.body = Data("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8)
        let client = try server.client(prefix, retryPolicy: retryPolicy)
        let error = ObjectRefusal(answer, ObjectRequest("PUT", "a"), client).error
        #expect(error.code == .clock && error.description.hasSuffix("is wrong. Set it."))
    }

    @Test func `two stores don't share a place`() throws {
        let storage = try server.storage(prefix)
        try storage.claim(for: "one")
        try storage.claim(for: "one")
        #expect(throws: ObjectStoreError(.foreign, "")) { try storage.claim(for: "two") }
    }

    // MARK: Storing

    @Test func `a large file is sent in parts, and seen when it is whole`() async throws {
        let client = try client()
        let data = SampleShop.noise(12_000_000, seed: 5)
        let file = try folder.write("large", data)
        try client.store(file: file, as: "large", digest: digest(data), partSize: 5 << 20)
        #expect(try bytes(client, "large") == data)
        #expect(try bytes(client, "large", 5_242_870..<5_242_890) == data[5_242_870..<5_242_890])
        let parts = try await server.seen("\(prefix)/large").filter {
            $0.query.contains("partNumber=")
        }
        #expect(parts.count == 3)
        #expect(try client.abandonParts(before: .distantFuture) == 0)
    }

    @Test(arguments: [1 << 20, 12_000_000])
    func `bytes with another digest are not stored, and leave no parts`(size: Int) throws {
        let client = try client()
        let file = try folder.write("large", SampleShop.noise(size, seed: 5))
        #expect(throws: ObjectStoreError(.damaged, "")) {
            try client.store(
                file: file, as: "large", digest: digest(Data("x".utf8)), partSize: 5 << 20)
        }
        #expect(try client.length(of: "large") == nil)
        #expect(try client.abandonParts(before: .distantFuture) == 0)
    }

    @Test func `a part that is not taken ends the upload, and what is left goes later`()
        async throws
    {
        let client = try client()
        let data = SampleShop.noise(12_000_000, seed: 6)
        let file = try folder.write("large", data)
        try await server.plan("\(prefix)/large") {
            ($0.method, $0.query, $0.times) = ("PUT", "partNumber=2", 99)
        }
        // Nor is it taken back.
        try await server.plan("\(prefix)/large") { ($0.method, $0.times) = ("DELETE", 5) }
        #expect(throws: ObjectStoreError(.unreachable, "")) {
            try client.store(file: file, as: "large", digest: digest(data), partSize: 5 << 20)
        }
        #expect(try client.length(of: "large") == nil)
        #expect(try client.abandonParts(before: Date(timeIntervalSinceNow: -86_400)) == 0)
        try await server.age(prefix, 2 * 86_400)
        #expect(try client.abandonParts(before: Date(timeIntervalSinceNow: -86_400)) == 1)
        #expect(try client.abandonParts(before: .distantFuture) == 0)
    }

    @Test func `an upload whose last answer is lost was stored`() async throws {
        let client = try client()
        let data = SampleShop.noise(6_000_000, seed: 7)
        let file = try folder.write("large", data)
        try await server.plan("\(prefix)/large") {
            ($0.method, $0.query, $0.after, $0.cut) = ("POST", "uploadId=", true, true)
        }
        try client.store(file: file, as: "large", digest: digest(data), partSize: 5 << 20)
        #expect(try client.length(of: "large") == 6_000_000)
        let ends = try await server.seen("\(prefix)/large").filter {
            $0.method == "POST" && $0.query.contains("uploadId=")
        }
        #expect(ends.count == 2, "it was asked again, and answered that there is no such upload")
    }

    @Test func `an upload that fails after its answer began is tried again`() async throws {
        let client = try client()
        let data = SampleShop.noise(6_000_000, seed: 8)
        let file = try folder.write("large", data)
        try await server.plan("\(prefix)/large") {
            ($0.method, $0.query, $0.status) = ("POST", "uploadId=", 200)
            $0.body = "<Error><Code>InternalError</Code></Error>"
        }
        try client.store(file: file, as: "large", digest: digest(data), partSize: 5 << 20)
        #expect(try bytes(client, "large") == data)
    }

    // MARK: Trying again

    @Test func `what may go better is tried again, later each time, and not for ever`()
        async throws
    {
        let client = try client()
        try await server.plan("\(prefix)/a") { ($0.method, $0.times) = ("PUT", 2) }
        // Over a connection that was used before, libcurl sends it once more by itself.
        try await server.plan("\(prefix)/a") {
            ($0.method, $0.times, $0.cut) = ("PUT", 2, true)
        }
        try client.store(Data("a".utf8), as: "a")
        #expect(pauses.value == [0.2, 0.4, 0.8])
        try await server.plan("\(prefix)/a") { ($0.status, $0.times) = (500, 99) }
        let error = try #require(throws: ObjectStoreError.self) { try client.length(of: "a") }
        #expect(error.code == .unreachable)
        #expect(pauses.value.count == 7)
        // What is of no use later is not tried for so long.
        #expect(throws: ObjectStoreError.self) { try client.length(of: "a", isUrgent: true) }
        #expect(pauses.value.count == 8)
    }

    @Test(arguments: [nil, 100..<900_000 as Range<UInt64>])
    func `reading goes on where a connection breaks`(range: Range<UInt64>?) async throws {
        let client = try client()
        let data = SampleShop.noise(1_000_000, seed: 9)
        try client.store(data, as: "a")
        try await server.plan("\(prefix)/a") {
            ($0.method, $0.cutAfter, $0.times) = ("GET", 300_000, 2)
        }
        let wanted = range.map { data[Int($0.lowerBound)..<Int($0.upperBound)] } ?? data[...]
        #expect(try bytes(client, "a", range) == Data(wanted))
        let ranges = try await server.seen("\(prefix)/a").filter { $0.method == "GET" }.map(\.range)
        #expect(ranges.count == 3)
        #expect(ranges.last?.isEmpty == false)
        #expect(Set(ranges).count == 3, "nothing is fetched twice: \(ranges)")
    }

    // MARK: Answers of others

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b \"c\">]><ListBucketResult>&b;</ListBucketResult>",
        "<html>Welcome</html>", "{}", "",
        "<ListBucketResult><IsTruncated>true</IsTruncated>"
            + "<NextContinuationToken>a</NextContinuationToken></ListBucketResult>",
    ])
    func `an answer that is none of an object store is refused`(body: String) async throws {
        let other = try server.client("odd-\(UUID().uuidString)", retryPolicy: retryPolicy)
        let query = other.location.prefix.dropLast()
        try await server.plan("/\(ObjectServer.bucket)") {
            ($0.query, $0.status, $0.body) = ("prefix=\(query)", 200, body)
        }
        #expect(throws: ObjectStoreError(.answer, "")) { try other.list("") { _ in } }
    }

    @Test func `a list that comes back to an earlier page is refused`() async throws {
        let other = try server.client("odd-\(UUID().uuidString)", retryPolicy: retryPolicy)
        let prefix = other.location.prefix
        let tokens = [UUID().uuidString, UUID().uuidString]
        func plan(_ query: String, times: Int = 2, next: String) async throws {
            try await server.plan("/\(ObjectServer.bucket)") {
                ($0.query, $0.status, $0.times) = (query, 200, times)
                $0.body =
                    "<ListBucketResult><Contents><Key>\(prefix)a</Key><Size>1</Size></Contents>"
                    + "<IsTruncated>true</IsTruncated>"
                    + "<NextContinuationToken>\(next)</NextContinuationToken></ListBucketResult>"
            }
        }
        try await plan("continuation-token=\(tokens[0])", next: tokens[1])
        try await plan("continuation-token=\(tokens[1])", next: tokens[0])
        try await plan("prefix=\(prefix.dropLast())", times: 1, next: tokens[0])
        #expect(throws: ObjectStoreError(.answer, "")) { try other.list("") { _ in } }
    }

    @Test func `an answer without an end is not kept in memory`() async throws {
        let other = try server.client("odd-\(UUID().uuidString)", retryPolicy: retryPolicy)
        let query = other.location.prefix.dropLast()
        try await server.plan("/\(ObjectServer.bucket)") {
            ($0.query, $0.status) = ("prefix=\(query)", 200)
            ($0.body, $0.repeat) = (String(repeating: "<a>", count: 1 << 16), 60)
        }
        #expect(throws: ObjectStoreError(.answer, "")) { try other.list("") { _ in } }
    }

    @Test func `the whole is not taken for a part, nor other bytes for the right ones`()
        async throws
    {
        let storage = try server.storage(prefix)
        let data = SampleShop.noise(1000, seed: 1)
        let name = "content/\(digest(data))"
        try storage.client.store(data, as: name)
        try await server.plan(name) { ($0.method, $0.status, $0.body) = ("GET", 200, "wrong") }
        #expect(throws: ObjectStoreError.self) {
            try storage.content.open(digest(data)) { _ in 10..<20 }
        }
        try storage.client.store(Data("other".utf8), as: name)
        #expect(throws: ObjectStoreError(.damaged, "")) { try storage.content.open(digest(data)) }
    }

    // MARK: Addresses

    private func fetch(_ address: String, range: String? = nil) async throws -> (Int, Data) {
        var request = URLRequest(url: URL(string: address)!)
        if let range { request.setValue(range, forHTTPHeaderField: "Range") }
        let (data, response) = try await HTTPTransport().send(request)
        return (response.statusCode, data)
    }

    @Test func `a signed address gives the bytes, for a while, and nothing else`() async throws {
        let client = try client()
        try client.store(Data("0123456789".utf8), as: "a b/ü+&")
        let query = [("response-content-disposition", "attachment; filename=\"a b\"")]
        // Hours, so that it is good however slow the machine is.
        let address = client.address("GET", "a b/ü+&", query: query, lifetime: 86_400)
        #expect(try await fetch(address) == (200, Data("0123456789".utf8)))
        #expect(try await fetch(address, range: "bytes=2-4") == (206, Data("234".utf8)))
        #expect(try await fetch(address.replacingOccurrences(of: "a%20b", with: "b")).0 == 403)
        #expect(
            try await fetch(
                address.replacingOccurrences(of: "Expires=86400", with: "Expires=86401")
            ).0 == 403)
        var retryPolicy = retryPolicy
        retryPolicy.now = { Date(timeIntervalSinceNow: -120) }
        let old = try server.client(prefix, retryPolicy: retryPolicy)
            .address("GET", "a b/ü+&", lifetime: 60)
        #expect(try await fetch(old).0 == 403)
        let wrong = try self.client(secret: "wrong").address("GET", "a b/ü+&", lifetime: 86_400)
        #expect(try await fetch(wrong).0 == 403)
    }
}
