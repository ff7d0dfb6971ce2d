import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

@Suite struct UploadRouteTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private static let large = SampleShop.noise((5 << 19) + 7, seed: 5)

    init() async throws {
        shop = try await TestStore.waitingForUpload(clock: clock)
    }

    private func client(_ altitude: Altitude = .router) async throws -> ConnectClient {
        try await ConnectClient(shop, clock: clock, altitude: altitude)
    }

    @Test(arguments: Altitude.allCases)
    func `a package that was sent becomes content that testers get`(
        altitude: Altitude
    ) async throws {
        let client = try await client(altitude)
        // Three parts.
        let package = try ConnectClient.package(noiseBytes: 5 << 19)
        let begun = try await client.begin(package)
        #expect(begun.status == 201)
        let upload = try begun.upload()
        #expect(upload.attributes.state == "AWAITING_UPLOAD")
        #expect(upload.attributes.partCount == 3)
        #expect(upload.attributes.missingParts == [PartRange(first: 0, last: 2)])
        #expect(upload.attributes.expirationDate != nil)
        for number in [2, 0, 1] {
            #expect(try await client.part(number, of: upload, package).status == 204)
        }
        let sent = try await client.status(upload.id)
        #expect(sent.missingParts.isEmpty)
        #expect(sent.receivedBytes == Int64(package.count))
        let committed = try await client.commit(upload.id).upload().attributes
        #expect(committed.state == "UPLOAD_COMPLETE")
        #expect(committed.productState == "PROCESSING_CONTENT")
        #expect(committed.expirationDate == nil)
        #expect(try await shop.chapter().currentRelease(in: .sandbox) == nil)

        #expect(try await ContentProcessor(store: shop.store).processWaiting() == 1)
        let done = try await client.status(upload.id)
        #expect(done.state == "COMPLETE")
        #expect(done.version == "1.0")
        #expect(done.productState == "READY_TO_SUBMIT")
        #expect(done.problems.isEmpty)
        #expect(try await shop.chapter().currentRelease(in: .sandbox)?.version.text == "1.0")
        #expect(try shop.store.uploadFiles.list().isEmpty)
        // Whoever lost the answer finds out what became of it.
        let again = try await client.begin(package)
        #expect(again.status == 200)
        #expect(try again.upload().attributes == done)
        #expect(try await client.commit(upload.id).upload().attributes == done)
    }

    @Test func `what can't follow is refused before its bytes, and asked for without an upload`()
        async throws
    {
        let client = try await client()
        let package = try ConnectClient.package()
        let version = ContentVersion("1.0")
        let asked = try await client.begin(package, version: version, validatesOnly: true)
        #expect(asked.status == 204 && asked.data.isEmpty)
        let upload = try await client.begin(package, version: version).upload()
        #expect(try await client.part(0, of: upload, package).status == 204)
        _ = try await client.commit(upload.id)
        #expect(try await ContentProcessor(store: shop.store).processWaiting() == 1)
        for validatesOnly in [true, nil] {
            for (size, version) in [(nil, "1.0"), (nil, "0.9"), (3_000_000_000, "1.1")]
                as [(Int64?, String)]
            {
                let refused = try await client.begin(
                    Self.large, size: size, version: ContentVersion(version),
                    validatesOnly: validatesOnly)
                #expect((400..<500).contains(refused.status), "\(version)")
            }
        }
        #expect(try shop.store.uploadFiles.list().isEmpty)
        let next = try await client.begin(
            Self.large, version: ContentVersion("1.1"), validatesOnly: true)
        #expect(next.status == 204)
    }

    @Test func `the same file finds the upload that was begun, with what is missing`()
        async throws
    {
        let client = try await client()
        let first = try await client.begun(Self.large)
        #expect(try await client.part(1, of: first, Self.large).status == 204)
        let again = try await client.begin(Self.large, name: "renamed.pkg")
        #expect(again.status == 200)
        let found = try again.upload()
        #expect(found.id == first.id)
        #expect(
            found.attributes.missingParts
                == [PartRange(first: 0, last: 0), PartRange(first: 2, last: 2)])
        #expect(found.attributes.receivedBytes == 1 << 20)
        // Another file is another upload.
        #expect(try await client.begun(Data("other".utf8)).id != first.id)
    }

    @Test func `a part is taken once, whoever sends it again`() async throws {
        let client = try await client()
        let upload = try await client.begun(Self.large)
        for _ in 1...2 {
            #expect(try await client.part(2, of: upload, Self.large).status == 204)
        }
        // Other bytes of the right length take the place of the first ones.
        let size = Self.large.count - (2 << 20)
        let other = Data(repeating: 7, count: size)
        #expect(try await client.part("2", of: upload.id, other).status == 204)
        let id = try #require(UploadID(upload.id))
        let digests = try await shop.store.services.uploads.parts(of: id)
        #expect(digests == [2: ContentDigest(SHA256Digest.hex(other))!])
        let file = try Data(contentsOf: shop.store.uploadedFile(of: id))
        #expect(file.suffix(size) == other)
    }

    @Test(arguments: Altitude.allCases)
    func `a part that is not what it should be is refused`(altitude: Altitude) async throws {
        let client = try await client(altitude)
        let upload = try await client.begun(Self.large)
        let bytes = Data(Self.large.prefix(1 << 20))
        let right = ConnectClient.digestHeader(bytes)
        for (number, bytes, digest, refusal) in [
            ("3", bytes, right, "404 NOT_FOUND"), ("-1", bytes, right, "404 NOT_FOUND"),
            ("+1", bytes, right, "404 NOT_FOUND"), ("0x1", bytes, right, "404 NOT_FOUND"),
            ("99999999999999999999", bytes, right, "404 NOT_FOUND"),
            ("1\u{0}", bytes, right, "404 NOT_FOUND"),
            (
                "0", bytes.dropLast(), ConnectClient.digestHeader(bytes.dropLast()),
                "400 PARAMETER_ERROR.INVALID"
            ),
            ("2", bytes, right, "400 PARAMETER_ERROR.INVALID"),
            ("0", bytes, "", "400 PARAMETER_ERROR.INVALID"),
            ("0", bytes, "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:", "400 PARAMETER_ERROR.INVALID"),
            ("0", bytes, "sha-256=:AAAA:", "400 PARAMETER_ERROR.INVALID"),
            (
                "0", bytes, "sha-256=\(right.dropFirst(9).dropLast())",
                "400 PARAMETER_ERROR.INVALID"
            ),
            ("0", bytes, ConnectClient.digestHeader(Data()), "409 ENTITY_ERROR.DIGEST"),
        ] as [(String, Data, String, String)] {
            // A NUL can't be sent through a socket.
            if altitude == .socket, number.contains("\u{0}") { continue }
            let response = try await client.part(number, of: upload.id, Data(bytes), digest: digest)
            #expect(try response.refusal() == refusal, "\(number) \(digest)")
        }
        #expect(try await client.status(upload.id).receivedBytes == 0)
        // Other algorithms may stand beside the one that counts.
        let both = "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, \(right)"
        #expect(try await client.part("0", of: upload.id, bytes, digest: both).status == 204)
    }

    @Test func `a part has at most the size of a body`() async throws {
        let client = try await client(.socket)
        let upload = try await client.begun(Self.large)
        let bytes = Data(Self.large.prefix(1 << 20) + [0])
        let response = try await client.part("0", of: upload.id, bytes)
        #expect(response.status == 413)
        #expect(try await client.status(upload.id).receivedBytes == 0)
    }

    @Test(arguments: ["", "/", "nothing", "00000000-0000-0000-0000-000000000000", "..%2f.."])
    func `an upload that there isn't is not found`(id: String) async throws {
        let client = try await client(.socket)
        for (method, path) in [
            ("GET", UploadRoute.upload(id)), ("DELETE", UploadRoute.upload(id)),
            ("PUT", "\(UploadRoute.upload(id))/parts/0"),
        ] {
            let response = try await client.send(
                method, path, Data("{}".utf8),
                headers: [UploadRoute.digestHeader: ConnectClient.digestHeader(Data("{}".utf8))])
            // An empty segment is no segment of a route.
            #expect(try response.refusal() == "404 NOT_FOUND", "\(method) \(path)")
        }
        #expect(try await client.commit(id).refusal() == "404 NOT_FOUND")
        #expect(try shop.store.uploadFiles.list().isEmpty)
    }

    @Test func `a commit tells which parts are missing`() async throws {
        let client = try await client()
        let upload = try await client.begun(Self.large)
        _ = try await client.part(1, of: upload, Self.large)
        let response = try await client.commit(upload.id)
        #expect(try response.refusal() == "409 STATE_ERROR.PARTS_MISSING")
        #expect(
            try response.errors().errors[0].meta?.missingParts
                == [PartRange(first: 0, last: 0), PartRange(first: 2, last: 2)])
        #expect(try await shop.chapter().details.state == .waitingForUpload)
    }

    @Test func `parts that were lost on the disk are missing again`() async throws {
        let client = try await client()
        let package = try ConnectClient.package(noiseBytes: 5 << 19)
        let upload = try await client.begun(package)
        for number in 0...2 { _ = try await client.part(number, of: upload, package) }
        // As after a loss of power: a hole in the middle, and the end cut off.
        let file = shop.store.uploadedFile(of: try #require(UploadID(upload.id)))
        var damaged = try Data(contentsOf: file)
        try #require(damaged.count > (1 << 20) + 4096)
        damaged[(1 << 20)..<(1 << 20) + 4096] = Data(count: 4096)
        damaged.removeLast()
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: damaged)
        try handle.truncate(atOffset: UInt64(damaged.count))
        let response = try await client.commit(upload.id)
        #expect(
            try response.errors().errors[0].meta?.missingParts == [PartRange(first: 1, last: 2)])
        #expect(
            try await client.status(upload.id).missingParts == [PartRange(first: 1, last: 2)])
        for number in 1...2 { _ = try await client.part(number, of: upload, package) }
        #expect(try await client.commit(upload.id).status == 200)
    }

    @Test func `parts that make another file are all missing again`() async throws {
        let client = try await client()
        let stated = ContentDigest(String(repeating: "a", count: 64))!
        let upload = try await client.begin(Self.large, digest: stated).upload()
        for number in 0...2 { _ = try await client.part(number, of: upload, Self.large) }
        #expect(try await client.commit(upload.id).refusal() == "409 STATE_ERROR.OTHER_FILE")
        #expect(
            try await client.status(upload.id).missingParts == [PartRange(first: 0, last: 2)])
    }

    @Test func `what can't become content is not begun`() async throws {
        let client = try await client()
        let file = Data("file".utf8)
        let unknown = BundleID("com.example.unknown")!
        for (response, refusal) in [
            (
                try await client.begin(file, name: "chapter.zip"),
                "409 ENTITY_ERROR.ATTRIBUTE.INVALID"
            ),
            (
                try await client.begin(file, name: "../chapter.pkg"),
                "409 ENTITY_ERROR.ATTRIBUTE.INVALID"
            ),
            (
                try await client.begin(file, name: "a\u{1b}[2J.pkg"),
                "409 ENTITY_ERROR.ATTRIBUTE.INVALID"
            ),
            (
                try await client.begin(file, name: String(repeating: "a", count: 252) + ".pkg"),
                "409 ENTITY_ERROR.ATTRIBUTE.INVALID"
            ),
            (try await client.begin(file, size: 0), "409 ENTITY_ERROR.ATTRIBUTE.INVALID"),
            (try await client.begin(file, size: -1), "409 ENTITY_ERROR.ATTRIBUTE.INVALID"),
            (
                try await client.begin(file, size: 2_000_000_001),
                "409 ENTITY_ERROR.ATTRIBUTE.INVALID"
            ),
            (try await client.begin(file, size: .max), "409 ENTITY_ERROR.ATTRIBUTE.INVALID"),
            (try await client.begin(file, product: SampleShop.credits), "409 STATE_ERROR"),
            (try await client.begin(file, product: SampleShop.badge), "409 STATE_ERROR"),
            (try await client.begin(file, product: "com.example.shop.crown"), "404 NOT_FOUND"),
            (try await client.begin(file, app: unknown), "404 NOT_FOUND"),
        ] as [(HTTPResponse, String)] {
            #expect(try response.refusal() == refusal)
        }
        for body in [
            "", "[]", "{}", #"{"data":{"type":"contentUploads","attributes":{}}}"#,
            #"{"data":{"type":"contentUploads","attributes":{"bundleId":"../..","productId":"x"}}}"#,
        ] {
            let response = try await client.send("POST", UploadRoute.uploads, Data(body.utf8))
            #expect(try response.refusal() == "422 ENTITY_UNPROCESSABLE", "\(body)")
        }
        let ids = try await shop.store.database.read { try $0.uploads.ids() }
        #expect(ids.isEmpty)
    }

    @Test func `a commit names the resource of its path`() async throws {
        let client = try await client()
        let upload = try await client.begun(Self.large)
        for (type, id, uploaded, refusal) in [
            ("contentUpload", upload.id, true, "409 ENTITY_ERROR.TYPE"),
            ("contentUploads", nil, true, "409 ENTITY_ERROR.TYPE"),
            ("contentUploads", UUID().uuidString, true, "409 ENTITY_ERROR.TYPE"),
            ("contentUploads", upload.id, false, "422 ENTITY_UNPROCESSABLE"),
        ] as [(String, String?, Bool, String)] {
            let body = JSONAPIRequest(
                type: type, id: id, attributes: UploadCommitment(uploaded: uploaded))
            let response = try await client.send(
                "PATCH", UploadRoute.upload(upload.id), WireCoding.encode(body))
            #expect(try response.refusal() == refusal)
        }
    }

    @Test func `a team has so many uploads on their way`() async throws {
        let client = try await client()
        let limit = shop.store.services.uploads.rules.openUploads
        var last = ""
        try #require(limit > 0)
        for number in 1...limit {
            last = try await client.begun(Data("file \(number)".utf8)).id
        }
        let file = Data("one more".utf8)
        #expect(try await client.begin(file).refusal() == "409 STATE_ERROR.TOO_MANY_UPLOADS")
        // Those that were begun can go on.
        #expect(try await client.begun(Data("file 1".utf8)).attributes.state == "AWAITING_UPLOAD")
        #expect(try await client.send("DELETE", UploadRoute.upload(last)).status == 204)
        #expect(try await client.begin(file).status == 201)
    }

    @Test func `a deleted upload leaves nothing`() async throws {
        let client = try await client()
        let upload = try await client.begun(Self.large)
        _ = try await client.part(0, of: upload, Self.large)
        #expect(try await client.send("DELETE", UploadRoute.upload(upload.id)).status == 204)
        #expect(try shop.store.uploadFiles.list().isEmpty)
        #expect(try await client.part(1, of: upload, Self.large).refusal() == "404 NOT_FOUND")
        #expect(try shop.store.uploadFiles.list().isEmpty)
    }

    @Test func `what is being processed can't be changed`() async throws {
        let client = try await client()
        let package = try ConnectClient.package()
        let upload = try await client.upload(package)
        #expect(
            try await client.part(0, of: upload, package).refusal()
                == "409 STATE_ERROR.UPLOAD_CLOSED")
        #expect(
            try await client.send("DELETE", UploadRoute.upload(upload.id)).refusal()
                == "409 STATE_ERROR.UPLOAD_CLOSED")
        // Another package may be sent meanwhile, but has to wait.
        let next = try ConnectClient.package(version: "2.0")
        let second = try await client.begun(next)
        _ = try await client.part(0, of: second, next)
        #expect(try await client.commit(second.id).refusal() == "409 STATE_ERROR")
        let processor = ContentProcessor(store: shop.store)
        try await processor.processWaiting()
        #expect(try await client.commit(second.id).status == 200)
        try await processor.processWaiting()
        #expect(try await client.status(second.id).version == "2.0")
    }

    @Test func `the uploads of a product are listed, the newest first`() async throws {
        let client = try await client()
        var ids: [String] = []
        for number in 1...3 {
            ids.insert(try await client.begun(Data("file \(number)".utf8)).id, at: 0)
            clock.advance(by: 1)
        }
        func list(_ query: [(String, String)]) async throws -> HTTPResponse {
            try await client.send(
                "GET", UploadRoute.uploads, query: query.map { (name: $0.0, value: $0.1) })
        }
        let app = ("filter[app]", SampleShop.bundleID.text)
        let product = ("filter[product]", SampleShop.chapter)
        let answer = try WireCoding.decode(
            JSONAPIList<UploadAttributes>.self, from: try await list([app, product]).data)
        #expect(answer.data.map(\.id) == ids)
        #expect(answer.meta.paging.total == 3)
        for query in [[app], [product], [], [app, ("filter[product]", "../x")]] {
            #expect(try await list(query).refusal() == "400 PARAMETER_ERROR.INVALID")
        }
    }

    @Test func `an abandoned upload is given up after a week`() async throws {
        let client = try await client()
        let upload = try await client.begun(Self.large)
        clock.advance(by: 6 * 86_400)
        // Something happens, so the week begins again.
        _ = try await client.part(0, of: upload, Self.large)
        clock.advance(by: 7 * 86_400 - 1)
        _ = try await shop.store.collect(.standard)
        #expect(try await client.status(upload.id).receivedBytes == 1 << 20)
        clock.advance(by: 1)
        let report = try await shop.store.collect(.standard)
        #expect(report.uploads == 1)
        #expect(
            try await client.send("GET", UploadRoute.upload(upload.id)).refusal()
                == "404 NOT_FOUND")
        #expect(try shop.store.uploadFiles.list().isEmpty)
    }
}
