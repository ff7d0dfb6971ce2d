import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

/// The hosted content of a product in the portal: the switch, and packages from a browser.
@Suite struct ContentPagesTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let publisher: PortalClient
    private let content: String

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await StorePagesTests.openStore(in: folder)
        self.store = store
        _ = try await store.importCatalog(
            configuration: SampleShop.configuration, bundleID: SampleShop.bundleID)
        let (app, chapter) = try await store.database.read { repositories in
            let app = try repositories.sampleApp()
            return (
                app,
                try #require(
                    try repositories.products.number(
                        of: ProductID(SampleShop.chapter)!, in: app.id))
            )
        }
        content = "/connect/products/\(chapter)/content"
        publisher = PortalClient(
            store, roles: [.appManager],
            team: ConnectVisitor.Team(id: app.teamID, name: "Publisher"))
        let page = try await publisher.open(content)
        let hosted = try await publisher.send(
            page, to: "\(content)/hosting", ["isHosted": "true"])
        #expect(hosted.status == 303)
    }

    /// A file of three parts, which is no package.
    private static let file = SampleShop.noise(2_500_000, seed: 9)

    private func begin(_ file: Data) async throws -> [String: Any] {
        let page = try await publisher.open(content)
        let answer = try await publisher.send(
            page, to: "\(content)/uploads",
            [
                "fileName": "chapter.pkg", "fileSize": "\(file.count)",
                "sha256": SHA256Digest.hex(file),
            ])
        return try object(answer)
    }

    private func object(_ answer: PortalClient.Page) throws -> [String: Any] {
        #expect(answer.headers["Content-Type"] == "application/json")
        return try #require(
            JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
    }

    private func put(
        _ part: Int, of id: String, _ bytes: Data, digest: String? = nil
    ) async throws -> PortalClient.Page {
        let token = try await publisher.open(content).formToken
        return await publisher.send(
            HTTPRequest(
                method: "PUT", path: "\(content)/uploads/\(id)/parts/\(part)",
                headers: [
                    "X-Form-Token": token ?? "", "Sec-Fetch-Site": "same-origin",
                    "X-Part-Digest": digest ?? SHA256Digest.hex(bytes),
                ], body: bytes))
    }

    private func part(_ number: Int, of file: Data) -> Data {
        let start = number << 20
        return Data(file[start..<min(file.count, start + 1 << 20)])
    }

    @Test func `hosting is switched on and off`() async throws {
        var page = try await publisher.open(content)
        #expect(page.words.contains("Stop Hosting"))
        #expect(page.words.contains("openstore content upload"))
        _ = try await publisher.send(page, to: "\(content)/hosting", ["isHosted": "false"])
        page = try await publisher.open(content)
        #expect(page.words.contains("Host Its Content"))
        #expect(!page.text.contains("data-package"))
    }

    @Test func `a package comes in parts, and goes on after a reload`() async throws {
        let begun = try await begin(Self.file)
        let id = try #require(begun["id"] as? String)
        #expect(begun["partCount"] as? Int == 3)
        #expect(begun["missing"] as? [[Int]] == [[0, 2]])
        #expect(try await put(1, of: id, part(1, of: Self.file)).status == 200)
        // The page shows what has arrived, for whoever comes back.
        let page = try await publisher.open(content)
        #expect(page.words.contains("1 MB of 2.5 MB have arrived"))
        #expect(page.words.contains("Choose the same file to go on."))
        let again = try await begin(Self.file)
        #expect(again["id"] as? String == id)
        #expect(again["missing"] as? [[Int]] == [[0, 0], [2, 2]])
        let early = try await publisher.send(page, to: "\(content)/uploads/\(id)/commit")
        #expect(early.status == 409)
        #expect(early.text.contains("Parts are missing"))
        for number in [0, 2] {
            #expect(try await put(number, of: id, part(number, of: Self.file)).status == 200)
        }
        let committed = try object(
            try await publisher.send(page, to: "\(content)/uploads/\(id)/commit"))
        #expect(committed["state"] as? String == "UPLOAD_COMPLETE")
        let processing = try await publisher.open(content)
        #expect(processing.words.contains("is checked and made ready"))
        #expect(processing.text.contains("data-poll=\"\(content)/uploads/\(id)\""))
    }

    @Test func `parts that are not what they should be are refused`() async throws {
        let id = try #require(try await begin(Self.file)["id"] as? String)
        let changed = try await put(
            0, of: id, part(0, of: Self.file), digest: String(repeating: "0", count: 64))
        #expect(changed.status == 422)
        #expect(try await put(0, of: id, Data([1])).status == 409)
        #expect(try await put(9, of: id, part(0, of: Self.file)).status == 409)
        let unknown = UUID().uuidString.lowercased()
        #expect(try await put(0, of: unknown, part(0, of: Self.file)).status == 404)
        let forged = await publisher.send(
            HTTPRequest(
                method: "PUT", path: "\(content)/uploads/\(id)/parts/0",
                headers: ["Sec-Fetch-Site": "same-origin"], body: part(0, of: Self.file)))
        #expect(forged.status == 403 || forged.status == 415)
        let page = try await publisher.open(content)
        let gone = try await publisher.send(page, to: "\(content)/uploads/\(id)/cancel")
        #expect(gone.status == 303)
        #expect(try await !publisher.open(content).words.contains("have arrived"))
    }

    @Test func `a small package comes whole, without scripts`() async throws {
        let package = SampleShop.noise(5000, seed: 4)
        let token = try #require(try await publisher.open(content).formToken)
        let mark = "----mark"
        var body = Data()
        body += Data("--\(mark)\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n".utf8)
        body += Data("\(token)\r\n--\(mark)\r\n".utf8)
        body += Data(
            ("Content-Disposition: form-data; name=\"package\"; filename=\"c.pkg\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n").utf8)
        body += package + Data("\r\n--\(mark)--\r\n".utf8)
        let answer = await publisher.send(
            HTTPRequest(
                method: "POST", path: "\(content)/package",
                headers: [
                    "Content-Type": "multipart/form-data; boundary=\(mark)",
                    "Sec-Fetch-Site": "same-origin",
                ], body: body))
        #expect(answer.status == 303, "\(answer.words)")
        let page = try await publisher.open(content)
        #expect(page.words.contains("is checked and made ready"))
    }
}
