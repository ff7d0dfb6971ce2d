import Foundation
import StoreTestSupport
import Testing

/// Commands that find their store, and any request by `openstore api`.
struct StoreChoiceTests {
    private func run(
        _ words: [String], _ environment: [String: String] = [:]
    ) async throws -> Program.Result {
        try await Program.run("openstore", words, environment: environment)
    }

    @Test func `a running store is reached by its folder, and one that was stopped is not needed`()
        async throws
    {
        let shop = try await Shop(noiseBytes: 1000)
        let note = shop.folder.file("store/serving.json")
        let create = [
            "tester", "create", "--password", Shop.password, "--storefront", "USA", "--data",
            shop.data, "--email",
        ]
        let (server, address) = try await shop.serve()
        #expect(try String(contentsOf: note, encoding: .utf8).contains(address))
        #expect(try await run(create + ["a@example.com"]).code == 0)
        server.send(SIGTERM)
        let ended = await server.end()
        // The running store has answered, and not the folder.
        #expect(ended.errors.contains("/connect/openstore/v1/sandboxTesters"), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: note.path))
        #expect(try await run(create + ["b@example.com"]).code == 0)

        let (killed, _) = try await shop.serve()
        killed.send(SIGKILL)
        _ = await killed.end()
        #expect(FileManager.default.fileExists(atPath: note.path))
        let third = try await run(create + ["c@example.com"])
        #expect(third.code == 0 && third.errors.isEmpty, "\(third.errors)")
        let list = try await shop.command(["tester", "list", "--data", shop.data])
        for name in ["a@", "b@", "c@"] { #expect(list.contains(name)) }
    }

    @Test func `no command makes a store in passing`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("store").path
        let items = try folder.write("items.jsonl", "")
        for words in [
            ["operator", "create", "--email", "a@example.com", "--password", "correct-horse"],
            [
                "customer", "create", "--email", "a@example.com", "--password", "correct-horse",
                "--storefront", "USA",
            ],
            [
                "tester", "create", "--email", "a@example.com", "--password", "correct-horse",
                "--storefront", "USA",
            ],
            ["profile", "create", "--bundle-id", "a.b"], ["api-key", "create", "--name", "x"],
            ["item", "import", items.path],
        ] {
            let result = try await run(words + ["--data", data])
            #expect(result.code == 64, "\(words): \(result.errors)")
            #expect(result.errors.contains("there is no store in it"), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: data))
        }
        let told = try await run(["item", "import", items.path, "--create-store", "--data", data])
        #expect(told.code == 0, "\(told.errors)")
        #expect(FileManager.default.fileExists(atPath: data))
    }

    @Test func `any request can be sent, and its answer is JSON`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let data = ["--data", shop.data]
        let made = try await shop.command(
            [
                "api", "POST", "/v1/bundleIds", "identifier=com.example.other", "name=Other",
                "platform=UNIVERSAL",
            ] + data)
        let id = try #require(made.firstMatch(of: /"id" : "(\w+)"/)?.1)
        let changed = try await shop.command(
            ["api", "PATCH", "/v1/bundleIds/\(id)", "name=Another"] + data)
        #expect(changed.contains("\"name\" : \"Another\""))
        let input = try shop.folder.write(
            "input.json",
            #"{"data":{"type":"bundleIds","id":"\#(id)","attributes":{"name":"From a file"}}}"#)
        let read = try await shop.command(
            ["api", "PATCH", "/v1/bundleIds/\(id)", "--input", input.path] + data)
        #expect(read.contains("From a file"))
        let pages = try await shop.command(
            ["api", "GET", "/v1/bundleIds", "limit=1", "--paginate"] + data)
        #expect(pages.components(separatedBy: "\"identifier\" : ").count == 3, "\(pages)")
        #expect(try await run(["api", "DELETE", "/v1/bundleIds/\(id)"] + data).output.isEmpty)
        let missing = try await run(["api", "GET", "/v1/bundleIds/\(id)"] + data)
        #expect(missing.code == 66 && missing.output.isEmpty, "\(missing.errors)")
        #expect(try await run(["api", "GET", "/v1/apps", "colour=red"] + data).code == 65)
        #expect(try await run(["api", "FETCH", "/v1/apps"] + data).code == 64)
    }
}
