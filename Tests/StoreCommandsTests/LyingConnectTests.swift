import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreCommands

/// A store that answers a command's requests without an end.
@Suite struct LyingConnectTests {
    @Test func `a failure without an end is read so far as it says something`() async throws {
        let folder = try TemporaryFolder()
        let store = EndlessFailure()
        let api = ConnectAPI(
            address: "http://store.example", credential: .none, transport: store)
        let file = folder.file("a.csv")
        let error = await #expect(throws: ConnectFailure.self) {
            _ = try await api.download("/a", to: file)
        }
        #expect(error?.exitCode == ConnectFailure(status: 500, body: Data(), address: "").exitCode)
        let upload = try folder.write("b.csv", Data("a,b".utf8))
        await #expect(throws: ConnectFailure.self) {
            _ = try await api.send(file: upload, to: "/b", silence: 60)
        }
        #expect(store.sent.withLock { $0 } <= 2 * (2 << 20))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["b.csv"])
    }

    @Test(arguments: ["", "[]", "{}", #"{"data": "none"}"#])
    func `an answer without a list is no store's`(body: String) async throws {
        let api = ConnectAPI(
            address: "http://store.example", credential: .none, transport: FixedAnswer(body: body))
        await #expect(throws: ConnectFailure.self) { _ = try await api.list("/v1/apps") }
        guard !body.contains("data") else { return }
        await #expect(throws: ConnectFailure.self) { _ = try await api.show("/v1/apps/1") }
    }

    @Test(arguments: ["AWAITING_UPLOAD", "UPLOAD_COMPLETE"])
    func `an upload that stays as it is comes to an end`(state: String) async throws {
        let folder = try TemporaryFolder()
        let file = try UploadSource(folder.write("a.pkg", Data(repeating: 7, count: 10)))
        let store = StalledUpload(
            attributes: UploadAttributes(
                bundleId: try #require(BundleID("com.example.app")),
                productId: ProductID("com.example.a"), fileName: "a.pkg", fileSize: 10,
                sha256: try file.digest(), partSize: 1 << 10, partCount: 1,
                missingParts: state == "AWAITING_UPLOAD" ? [PartRange(first: 0, last: 0)] : [],
                receivedBytes: 0, state: state, processedBytes: 3, version: nil,
                productState: nil, problems: [], expirationDate: nil))
        let pauses = Mutex(0)
        var uploader = PackageUploader(
            session: ConnectRetryClient(
                address: "http://store.example", credential: .none, transport: store,
                retrying: { _ in }),
            file: file,
            creation: UploadCreation(
                bundleId: store.attributes.bundleId, productId: store.attributes.productId,
                fileName: "a.pkg", fileSize: 10, sha256: try file.digest()),
            sent: { _, _, _ in }, processed: { _ in })
        uploader.pause = { pauses.withLock { $0 += 1 } }
        let error = await #expect(throws: ConnectError.self) { _ = try await uploader.run() }
        if state == "AWAITING_UPLOAD" {
            #expect(store.parts.withLock { $0 } == 5)
            #expect(error?.description.contains("still waits") == true)
        } else {
            #expect(pauses.withLock { $0 } == 7200)
            #expect(error?.description.contains("for an hour") == true)
        }
    }
}

/// A store that fails, and says so for ever.
private final class EndlessFailure: RequestTransport {
    let sent = Mutex(0)

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        throw URLError(.badServerResponse)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 500, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        try accept(response)
        let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 16)
        while true {
            sent.withLock { $0 += piece.count }
            try sink(piece)
        }
    }
}

/// A store whose upload stands as it is, whatever arrives.
private final class StalledUpload: RequestTransport {
    let attributes: UploadAttributes
    let parts = Mutex(0)

    init(attributes: UploadAttributes) {
        self.attributes = attributes
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        if request.httpMethod == "PUT" { parts.withLock { $0 += 1 } }
        let links = JSONAPILinks(self: UploadRoute.upload("1"))
        let body = try WireCoding.encode(
            JSONAPIDocument(
                data: JSONAPIResource(
                    type: UploadRoute.type, id: "1", attributes: attributes, links: links),
                links: links))
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        return (body, response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        throw URLError(.unsupportedURL)
    }
}

/// A server that answers everything with the same.
private struct FixedAnswer: RequestTransport {
    let body: String

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        return (Data(body.utf8), response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        throw URLError(.unsupportedURL)
    }
}
