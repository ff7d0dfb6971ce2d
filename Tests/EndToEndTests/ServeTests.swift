import Foundation
import FoundationNetworking
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

struct Serving {
    @Test func `a fresh folder becomes a store that stops on SIGTERM`() async throws {
        let folder = try TemporaryFolder()
        let server = try await Program(
            "openstore", ["serve", "--data", folder.file("store").path, "--listen", "127.0.0.1:0"])
        let line = try #require(await server.line(with: "production"))
        let address = try #require(line.split(separator: " ").last.map(String.init))
        let health = try await get("\(address)/healthz")
        #expect(health.status == 200)
        #expect(health.body == #"{"status":"ok"}"#)
        let root = try await get("\(address)/.well-known/openstore/root.pem")
        #expect(root.body.hasPrefix("-----BEGIN CERTIFICATE-----"))

        server.send(SIGTERM)
        let result = await server.end()
        #expect(result.code == 0)
        for event in ["listening", "request", "stopping", "stopped"] {
            #expect(result.errors.contains("event=\(event)"), "\(result.errors)")
        }
        let again = try await Program(
            "openstore", ["serve", "--data", folder.file("store").path, "--listen", "127.0.0.1:0"])
        let second = try #require(await again.line(with: "production")?.split(separator: " ").last)
        #expect(try await get("\(second)/.well-known/openstore/root.pem").body == root.body)
        again.send(SIGINT)
        #expect(await again.end().code == 0)
    }

    @Test(arguments: [["serve", "--listen", "127.0.0.1:0"], ["content", "clean-up"]])
    func `keys without rows become no other store`(words: [String]) async throws {
        let folder = try TemporaryFolder()
        let keys = folder.file("store/keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        try Data("a root".utf8).write(to: keys.appendingPathComponent("root.pem"))
        let data = folder.file("store").path
        let result = try await Program.run("openstore", words + ["--data", data])
        #expect(result.code == 64)
        #expect(result.errors.contains("store.sqlite is missing or empty"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["keys"])
        // A file that was emptied has lost its rows, too.
        try Data().write(to: folder.file("store/store.sqlite"))
        let emptied = try await Program.run("openstore", words + ["--data", data])
        #expect(emptied.code == 64 && emptied.errors == result.errors, "\(emptied.errors)")
    }

    @Test func `a shop without its keys gets no new ones`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let keys = "\(shop.data)/keys"
        try FileManager.default.moveItem(atPath: keys, toPath: "\(shop.data)/elsewhere")
        for words in [["serve", "--listen", "127.0.0.1:0"], ["catalog", "import", "/dev/null"]] {
            let result = try await Program.run("openstore", words + ["--data", shop.data])
            #expect(result.code != 0)
            #expect(!FileManager.default.fileExists(atPath: keys), "\(words)")
        }
        let refused = try await Program.run(
            "openstore", ["serve", "--listen", "127.0.0.1:0", "--data", shop.data])
        #expect(refused.errors.contains("Restore the folder from a backup"), "\(refused.errors)")
        try FileManager.default.moveItem(atPath: "\(shop.data)/elsewhere", toPath: keys)
        let (server, _) = try await shop.serve()
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test func `a store of SQLite is served by one process`() async throws {
        let folder = try TemporaryFolder()
        let data = try await folder.makeStore()
        let words = ["serve", "--data", data, "--listen", "127.0.0.1:0"]
        let first = try await Program("openstore", words)
        _ = try #require(await first.line(with: "production"))
        let second = try await Program.run("openstore", words)
        #expect(second.code == 65)
        #expect(second.errors.contains("is served already"), "\(second.errors)")
        #expect(FileManager.default.fileExists(atPath: "\(data)/serving.json"))
        first.send(SIGTERM)
        #expect(await first.end().code == 0)
    }

    @Test func `a command of a newer program changes nothing under an older one that serves`()
        async throws
    {
        let folder = try TemporaryFolder()
        let data = try await folder.makeStore()
        let server = try await Program(
            "openstore", ["serve", "--data", data, "--listen", "127.0.0.1:0"])
        _ = try #require(await server.line(with: "production"))
        let file = folder.file("store/store.sqlite")
        let older = DatabaseInspection.newestSchema - 1
        try SQLiteConnection(path: file.path).script("PRAGMA user_version = \(older)")
        let result = try await Program.run("openstore", ["purchase", "list", "--data", data])
        #expect(result.code != 0)
        #expect(result.errors.contains("the database has schema \(older)"), "\(result.errors)")
        #expect(try DatabaseInspection(.sqlite(path: file.path)).schema() == older)
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `a profile that names a file beside it goes there, and says where nothing runs`()
        async throws
    {
        let shop = try await Shop(noiseBytes: 1000)
        let folder = try TemporaryFolder()
        let link = folder.file("link")
        try Data().write(to: folder.file("target"))
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: "target")
        let words = [
            "profile", "create", "--bundle-id", SampleShop.bundleID.text, "--data", shop.data, "-o",
        ]
        let result = try await Program.run("openstore", words + [link.path])
        #expect(result.code == 0)
        #expect(result.errors.contains("note: the store does not run"), "\(result.errors)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "target")
        #expect(try !Data(contentsOf: folder.file("target")).isEmpty)
        let nowhere = try await Program.run("openstore", words + [folder.file("no/file").path])
        #expect(nowhere.code == 73 && nowhere.errors.contains("can't be written"))
    }

    @Test(arguments: [
        (["serve", "--listen", "nowhere"], 64, "--listen"),
        (["serve", "--listen", "host.invalid:1"], 1, "not an address"),
        (["serve", "--port", "80"], 64, "unknown option --port"),
        (["frobnicate"], 64, "is no command"),
        (["catalog"], 64, "import"),
        (["catalog", "import"], 64, "FILE.storekit is missing"),
        (["catalog", "import", "/nowhere.storekit"], 64, "can't be read"),
        (["catalog", "import", "/tmp"], 64, "/tmp is a folder; name a file"),
        (["content", "inspect", "/nowhere.pkg"], 65, "/nowhere.pkg"),
        (["tester", "create", "--email", "x"], 64, "--storefront is missing"),
    ])
    func `a wrong command line says what is wrong`(
        _ words: [String], _ code: Int32, _ text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "openstore", words, environment: ["OPENSTORE_DATA": folder.file("store").path])
        #expect(result.code == code)
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    private func get(_ address: String) async throws -> (status: Int, body: String) {
        let url = try #require(URL(string: address))
        let (data, response) = try await url.fetched()
        return (response.statusCode, String(decoding: data, as: UTF8.self))
    }
}
