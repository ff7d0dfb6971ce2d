import Foundation
import StoreCore
import StoreTestSupport
import StoreWire
import Testing

@testable import StoreCommands

/// What the commands over the API have in common.
@Suite struct ConnectAccessTests {
    private static let saved = SavedSession(
        store: "https://store.example", token: "token", id: "id", email: "ada@example.com",
        team: "Example")

    private func arguments(_ words: [String]) throws -> ParsedArguments {
        try ParsedArguments(words, for: TeamList.spec)
    }

    // MARK: The saved session

    @Test func `a session is kept for its owner only, and read again`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("config/openstore/connect.json")
        #expect(SavedSession.load(file) == nil)
        try Self.saved.save(file)
        var changed = Self.saved
        changed.team = nil
        try changed.save(file)
        #expect(SavedSession.load(file) == changed)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: file.deletingLastPathComponent().path)
        #expect(left == ["connect.json"])
        try SavedSession.forget(file)
        try SavedSession.forget(file)
        #expect(SavedSession.load(file) == nil)
    }

    @Test func `the place follows XDG`() {
        #expect(
            SavedSession.file(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]).path
                == "/x/openstore/connect.json")
        #expect(
            SavedSession.file(["XDG_CONFIG_HOME": "x", "HOME": "/h"]).path
                == "/h/.config/openstore/connect.json")
    }

    // MARK: A store that lies

    @Test func `a list that comes back to an earlier page is refused`() throws {
        func page(_ cursor: String) -> JSONValue {
            ["meta": ["paging": ["nextCursor": .string(cursor)]]]
        }
        var pages = PageTrail("https://store.example")
        let cursors = try ["a", "b"].map { try pages.next(after: page($0)) }
        #expect(cursors == ["a", "b"])
        let last = try pages.next(after: [:])
        #expect(last == nil)
        #expect(throws: ConnectFailure.self) { try pages.next(after: page("a")) }
    }

    @Test(
        arguments: [
            ([0, 4, 4, 6], [0..<4, 4..<10]), ([], []), ([0, .max], nil), ([.max, 1], nil),
            ([-1, 2], nil), ([0, -1], nil), ([0, 4, 3, 2], nil), ([4, 4, 0, 4], nil),
            ([10, 1], nil),
        ] as [([Int], [Range<Int>]?)])
    func `parts of a file that overlap, or that it does not have, are not sent`(
        _ numbers: [Int], _ ranges: [Range<Int>]?
    ) throws {
        let operations = stride(from: 0, to: numbers.count, by: 2).map { index in
            #"{"offset":\#(numbers[index]),"length":\#(numbers[index + 1])}"#
        }
        let json = #"{"attributes":{"uploadOperations":[\#(operations.joined(separator: ","))]}}"#
        let asset = try JSONValue(reading: Data(json.utf8), depth: 8)
        #expect((try? asset.uploadRanges(of: "a", count: 10)) == ranges)
    }

    // MARK: Who asks

    @Test func `the saved session is used at its store only`() async throws {
        let own = try await StoreAccess(
            arguments([]), environment: [:], saved: Self.saved, say: { _ in }
        ).run { $0 }
        #expect(own.address == "https://store.example")
        #expect(try own.credential.token(at: Date()) == "token")
        let folder = try TemporaryFolder()
        let words = ["--store", "https://other.example", "--data", folder.url.path]
        await #expect(throws: UsageError.self) {
            try await StoreAccess(
                try arguments(words), environment: [:], saved: Self.saved, say: { _ in }
            ).run { $0 }
        }
        await #expect(throws: UsageError.self) {
            try await ConnectOptions.api(try arguments(["--json", "--quiet"]), .standard) { $0 }
        }
    }

    // MARK: What a store answers

    private func failure(_ status: Int, _ body: String = "") -> ConnectFailure {
        ConnectFailure(status: status, body: Data(body.utf8), address: "http://x")
    }

    @Test func `each thing that is wrong is told with its place`() {
        let two = failure(
            409,
            """
            {"errors":[
            {"status":"409","code":"A","title":"t","detail":"One.",
             "source":{"pointer":"/data/attributes/name"}},
            {"status":"409","code":"B","title":"t","detail":"Two.",
             "source":{"parameter":"limit"}}]}
            """)
        #expect(two.description == "One. (/data/attributes/name)\nTwo. (limit)")
        let out = failure(
            401,
            """
            {"errors":[{"status":"401","code":"A","title":"t","detail":"Apple's.",
            "meta":{"reason":"It has expired."}}]}
            """)
        #expect(out.description == "It has expired. Use openstore login, or --key.")
        #expect(failure(404, "<html>").description.contains("is no OpenStore"))
    }

    @Test(
        arguments: [
            (400, 65), (401, 77), (403, 77), (404, 66), (409, 65), (422, 65), (429, 75), (500, 70),
            (507, 70),
        ] as [(Int, Int32)])
    func `a refusal has an exit code of its kind`(status: Int, code: Int32) {
        #expect(failure(status).exitCode.rawValue == code)
        #expect(ConnectFailure.unreachable("http://x", "down").exitCode == .unreachable)
    }

    // MARK: Showing

    @Test func `a resource is one object for programs`() {
        let resource: JSONValue = [
            "type": "users", "id": "1-2", "links": ["self": "x"],
            "attributes": ["name": "Ada", "roles": ["ADMIN"]],
            "relationships": [
                "team": ["data": ["type": "teams", "id": "1"]],
                "apps": ["data": [["type": "apps", "id": "7"]]], "more": ["links": [:]],
            ],
        ]
        #expect(
            ConnectRenderer.flat(resource) == [
                "type": "users", "id": "1-2", "name": "Ada", "roles": ["ADMIN"], "team": "1",
                "apps": ["7"],
            ])
        #expect(resource.attribute("roles") == "ADMIN")
        #expect(resource.attribute("nothing") == "")
    }

    @Test func `JSON has sorted names, and is read again as it was`() throws {
        let value: JSONValue = ["b": [1, "two", []], "a": ["x": true, "y": nil], "c": [:]]
        let text = value.pretty()
        #expect(text.hasPrefix("{\n  \"a\" : {\n    \"x\" : true,\n"))
        #expect(try JSONValue(reading: Data(text.utf8)) == value)
    }

    @Test func `roles are taken as people write them`() throws {
        #expect(try RoleChoice.role("app-manager") == .appManager)
        #expect(try RoleChoice.role("ADMIN") == .admin)
        #expect(throws: UsageError.self) { try RoleChoice.role("boss") }
    }
}
