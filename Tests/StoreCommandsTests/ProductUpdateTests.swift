import Foundation
import FoundationNetworking
import StoreKit
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreCommands

/// A store that has one in-app purchase with texts in English, and keeps what it is asked.
private final class RecordingStore: RequestTransport {
    private let asked = Mutex<[String]>([])
    var requests: [String] { asked.withLock { $0 } }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let url = try #require(request.url)
        let line = "\(request.httpMethod ?? "") \(url.path)"
        asked.withLock { $0.append(line) }
        // Lists of anything else have nothing.
        let lists = ["users", "apps", "teams", "sandboxTesters", "inAppPurchasesV2"]
        let attributes =
            if url.path.hasSuffix("Localizations") {
                #"[{"type":"t","id":"text-1","attributes":{"locale":"en-US","name":"Gems"}}]"#
            } else if lists.contains(url.lastPathComponent) {
                "[]"
            } else {
                #"{"type":"t","id":"7","attributes":{"productId":"gems"}}"#
            }
        let answer = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil,
            headerFields: ["Content-Type": "application/json"])!
        return (Data(#"{"data":\#(attributes)}"#.utf8), answer)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {}
}

/// What commands find out before they change anything, and what they call unknown.
@Suite struct ProductUpdateTests {
    private let store = RecordingStore()

    private func run<C: ConnectCommand>(_ command: C.Type, _ words: [String]) async throws {
        let arguments = try ParsedArguments(words, for: command.spec)
        try await command.run(
            ConnectContext(
                api: ConnectAPI(
                    address: "http://store.example", credential: .none, transport: store),
                arguments: arguments, output: .standard,
                show: ConnectRenderer(arguments, .standard)))
    }

    @Test(
        arguments: [
            ["7", "--title", "Gems"], ["7", "--name", "Gems", "--description", "Shiny."],
            ["7", "--name", "Gems", "--remove"], ["7", "--name", "Gems", "--locale", "en-US"],
            ["7", "--locale", "en-US", "--remove", "--title", "Gems"],
            ["7", "--locale", "en-US", "--remove", "--description", "Shiny."], ["7"],
        ] as [[String]])
    func `options that say nothing together are refused before the store is asked`(
        words: [String]
    ) async throws {
        await #expect(throws: UsageError.self) { try await run(ProductUpdate.self, words) }
        #expect(store.requests.isEmpty)
    }

    @Test func `what can't be done with a text leaves the product as it is`() async throws {
        await #expect(throws: ConnectFailure.self) {
            try await run(
                ProductUpdate.self, ["7", "--name", "Gems", "--locale", "de-DE", "--remove"])
        }
        // Texts in a new language need a name.
        await #expect(throws: UsageError.self) {
            try await run(
                ProductUpdate.self,
                ["7", "--name", "Gems", "--locale", "de-DE", "--description", "Neu."])
        }
        #expect(store.requests.allSatisfy { $0.hasPrefix("GET ") } && !store.requests.isEmpty)
    }

    @Test func `product and text are changed with one command`() async throws {
        try await run(
            ProductUpdate.self, ["7", "--name", "Gems", "--locale", "en-US", "--title", "Jewels"])
        #expect(
            store.requests.filter { $0.hasPrefix("PATCH ") } == [
                "PATCH /connect/v2/inAppPurchases/7",
                "PATCH /connect/v1/inAppPurchaseLocalizations/text-1",
            ])
    }

    @Test func `a name that nothing has is not found, as an identifier is`() async throws {
        func code(_ body: () async throws -> Void) async -> Int32? {
            do {
                try await body()
                return 0
            } catch { return (error as? any ExitCoded)?.exitCode.rawValue }
        }
        #expect(
            await code { try await run(UserDelete.self, ["nobody@example.com"]) } == 66)
        #expect(
            await code { try await run(UserList.self, ["--team", "Nobody"]) } == 66)
        for app in ["9", "x.y"] {
            #expect(
                await code {
                    try await run(ProductUpdate.self, ["gems", "--app", app, "--name", "Gems"])
                } == 66)
            #expect(
                await code {
                    try await run(SubmissionCreate.self, ["--product", "gems", "--app", app])
                } == 66)
        }
        #expect(await code { try await run(TesterShow.self, ["nobody@example.com"]) } == 66)
    }

    @Test func `of two sessions the one that is not kept ends`() async throws {
        func session(_ id: String) -> SavedSession {
            SavedSession(
                store: "http://store.example", token: id, id: id, email: "ada@example.com",
                team: nil)
        }
        let folder = try TemporaryFolder()
        let file = folder.file("openstore/connect.json")
        let ended = Mutex<[String]>([])
        func keep(_ id: String, in file: URL) async throws {
            try await Login.keep(session(id), in: file) { session in
                // Whoever ends a session has saved what is kept.
                #expect(SavedSession.load(file)?.id != session.id)
                ended.withLock { $0.append(session.id) }
            }
        }
        try await keep("first", in: file)
        #expect(ended.withLock { $0 }.isEmpty)
        try await keep("second", in: file)
        #expect(ended.withLock { $0 } == ["first"])
        #expect(SavedSession.load(file)?.id == "second")
        // A file where the folder should be: nothing can be saved there.
        let blocked = try folder.write("blocked", Data()).appendingPathComponent("connect.json")
        await #expect(throws: (any Error).self) { try await keep("third", in: blocked) }
        #expect(ended.withLock { $0 } == ["first", "third"])
    }
}
