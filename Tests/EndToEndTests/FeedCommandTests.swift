import Foundation
import StoreTestSupport
import Testing

/// The partner feed by command, and from a store that runs.
struct FeedCommandTests {
    private func json(_ words: [String]) async throws -> [String: Any] {
        let result = try await Program.run("openstore", words + ["--json"])
        try #require(result.code == 0, "\(words): \(result.errors)")
        let value = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return try #require(value as? [String: Any])
    }

    @Test func `an export by command is archives and checksums in a folder`() async throws {
        let folder = try TemporaryFolder()
        let data = try await folder.makeStore()
        let target = folder.file("out").path
        let early = try await Program.run(
            "openstore", ["feed", "export", target, "--incremental", "--data", data])
        #expect(early.code == 1)
        #expect(early.errors.contains("make a full one first"))
        let report = try await json(["feed", "export", target, "--data", data])
        #expect(report["mode"] as? String == "FULL")
        let archives = try #require(report["archives"] as? [[String: Any]])
        #expect(
            archives.compactMap { $0["feed"] as? String }
                == ["itunes", "match", "popularity", "pricing"])
        for archive in archives {
            let name = try #require(archive["file"] as? String)
            let sum = try #require(archive["md5"] as? String)
            let file = folder.file("out/current/\(name)")
            let line = try String(contentsOf: file.appendingPathExtension("md5"), encoding: .utf8)
            #expect(line == "MD5 (\(name)) = \(sum)\n")
            let (status, output) = try await ChildProgram.run("/usr/bin/md5sum", [file.path])
            #expect(status == 0)
            #expect(String(decoding: output, as: UTF8.self).hasPrefix(sum))
        }
        let more = try await json(["feed", "export", target, "--incremental", "--data", data])
        #expect(more["mode"] as? String == "INCREMENTAL")
        let places = FileManager.default.fileExists(
            atPath: folder.file("out/current/incremental/current").path)
        #expect(places)
    }

    @Test func `a partner is approved, fetches, and is not approved any more`() async throws {
        let folder = try TemporaryFolder()
        let data = try await folder.makeStore()
        let made = try await json([
            "feed-partner", "create", "--name", "Search & Find", "--user-name", "search",
            "--data", data,
        ])
        let password = try #require(made["password"] as? String)
        let id = try #require(made["id"] as? String)
        let store = try await Program(
            "openstore", ["serve", "--data", data, "--listen", "127.0.0.1:0"])
        defer { store.send(SIGTERM) }
        let banner = try #require(await store.line(with: "production"))
        let port = try #require(
            banner.split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) })
        let client = LoopbackClient(port: port)
        func status(_ password: String) async throws -> Int {
            let token = Data("search:\(password)".utf8).base64EncodedString()
            return try await client.send(
                .init(
                    method: "GET", path: "/feeds/epf/v5/",
                    headers: ["Authorization": "Basic \(token)"])
            ).status
        }
        #expect(try await status(password) == 200)
        let renewed = try await json([
            "feed-partner", "reset-password", "Search & Find", "--data", data,
        ])
        let second = try #require(renewed["password"] as? String)
        #expect(try await status(password) == 401)
        #expect(try await status(second) == 200)
        _ = try await json(["feed-partner", "update", id, "--active", "no", "--data", data])
        #expect(try await status(second) == 401)
        let list = try await Program.run("openstore", ["feed-partner", "list", "--data", data])
        #expect(list.output.contains("Search & Find"))
        #expect(!list.output.contains(second))
        let wrong = try await Program.run(
            "openstore", ["feed-partner", "update", "search", "--data", data])
        #expect(wrong.code == 64)
        let unknown = try await Program.run(
            "openstore", ["feed-partner", "update", "serach", "--active", "no", "--data", data])
        #expect(unknown.code == 66 && unknown.errors.contains("Did you mean \"search\"?"))
    }
}
