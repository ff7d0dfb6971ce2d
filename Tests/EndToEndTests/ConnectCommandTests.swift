import Foundation
import StoreTestSupport
import Testing

/// A publisher who uses the commands only, from the first operator to a team that sells.
struct ConnectCommandTests {
    private static let password = "correct horse battery"

    /// Runs a command as somebody whose home is a folder of its own.
    private func run(
        _ words: [String], in home: URL, typing line: String? = nil
    ) async throws -> Program.Result {
        let program = try await Program(
            "openstore", words,
            environment: ["XDG_CONFIG_HOME": home.path])
        if let line { program.type(line) }
        return await program.end()
    }

    private func text(
        _ words: [String], in home: URL, typing line: String? = nil
    ) async throws -> String {
        let result = try await run(words, in: home, typing: line)
        try #require(result.code == 0, "\(words): \(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `an operator and an account holder set up a team that sells`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("store").path
        let store = try await Program(
            "openstore", ["serve", "--data", data, "--listen", "127.0.0.1:0"])
        defer { store.send(SIGTERM) }
        let banner = try #require(await store.line(with: "/connect/first/"))
        let first = try #require(URL(string: banner.trimmingCharacters(in: .whitespaces)))
        let address = "http://127.0.0.1:\(try #require(first.port))"
        let (op, ada) = (folder.file("op"), folder.file("ada"))

        _ = try await text(
            ["operator", "create", "--email", "op@example.com", "--data", data], in: op,
            typing: Self.password)
        let wrong = try await run(
            ["login", "--store", address, "--email", "op@example.com"], in: op,
            typing: "wrong password")
        #expect(wrong.code == 77)
        _ = try await text(
            ["login", "--store", address, "--email", "op@example.com"], in: op,
            typing: Self.password)
        let file = op.appendingPathComponent("openstore/connect.json")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        let made = try await text(
            ["team", "create", "Example", "--account-holder", "ada@example.com", "--json"],
            in: op)
        let team = try #require(
            try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
        let link = try #require(team["invitationUrl"] as? String)
        #expect(link.hasPrefix("\(address)/connect/invitations/"))
        let id = try #require(team["id"] as? String)
        #expect(try await text(["team", "list", "--quiet"], in: op) == id)
        let whole = try await text(["team", "list"], in: op)
        #expect(whole.split(separator: "\n").first?.contains("NAME") == true)

        // The operator is the account holder of a second one, and acts for it.
        _ = try await text(
            ["team", "create", "Own", "--account-holder", "op@example.com"], in: op)
        let items = try folder.write("items.jsonl", "")
        let unsaid = try await run(["item", "import", items.path, "--data", data], in: op)
        #expect(unsaid.code == 64)
        #expect(unsaid.errors.contains("--team: the store has several teams"), "\(unsaid.errors)")
        _ = try await text(
            ["login", "--store", address, "--email", "op@example.com", "--team", "Own"], in: ada,
            typing: Self.password)
        #expect(try await text(["whoami"], in: ada).contains("ACCOUNT_HOLDER"))
        _ = try await text(
            [
                "agreement", "set-bank", "--holder", "Olga", "--bank", "Bank", "--territory",
                "USA", "--number", "12345678", "--currency", "USD",
            ], in: ada)
        _ = try await text(
            [
                "agreement", "set-tax", "--legal-name", "Own", "--territory", "USA",
                "--tax-id", "12-345678", "--address", "1 Road",
            ], in: ada)
        let accepted = try await text(["agreement", "accept", "paid"], in: ada)
        #expect(accepted == "PAID_APPS is ACTIVE.")
        let twice = try await run(["agreement", "accept", "paid"], in: ada)
        #expect(twice.code == 65)
        #expect(twice.errors.contains("is Active"))

        let key = try await text(
            [
                "api-key", "create", "--name", "Build", "--role", "admin", "-o", folder.url.path,
                "--quiet",
            ],
            in: ada)
        let keyFile = folder.file("AuthKey_\(key).p8")
        #expect(FileManager.default.fileExists(atPath: keyFile.path))
        let keys = try await text(["api-key", "list", "--json"], in: ada)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(keys.utf8)) as? [[String: Any]])
        let issuer = try #require(rows.first?["issuerId"] as? String)
        let nobody = folder.file("nobody")
        let byKey = try await text(
            [
                "user", "list", "--store", address, "--key", keyFile.path, "--issuer", issuer,
            ], in: nobody)
        #expect(byKey.contains("op@example.com"))

        let invited = try await text(
            ["user", "invite", "grace@example.com", "--roles", "developer,sales"], in: ada)
        #expect(invited.contains("/connect/invitations/"))
        let staff = try await run(
            ["user", "invite", "x@example.com", "--roles", "operator"], in: ada)
        #expect(staff.code == 65)
        #expect(staff.errors.contains("/data/attributes/roles"))
        let audit = try await text(["audit", "list", "--limit", "1"], in: ada)
        #expect(audit.contains("invitation.create"))

        let refused = try await run(["team", "create", "Third"], in: ada)
        #expect(refused.code == 77)
        let missing = try await run(["api-key", "revoke", "AAAAAAAAAA"], in: ada)
        #expect(missing.code == 66)
        _ = try await text(["logout"], in: ada)
        #expect(!FileManager.default.fileExists(atPath: ada.path + "/openstore/connect.json"))
        let out = try await Program.run(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", "cd \"$1\" && exec \"$0\" whoami", Program.path("openstore"), ada.path],
            environment: ["XDG_CONFIG_HOME": ada.path])
        #expect(out.code == 64)
        #expect(out.errors.contains("openstore login"))
    }

    @Test func `the program explains its commands`() async throws {
        let overview = try await Program.run("openstore", [])
        #expect(overview.code == 0)
        #expect(overview.output.contains("login, logout, whoami"))
        let noun = try await Program.run("openstore", ["agreement"])
        #expect(noun.code == 64 && noun.output.isEmpty)
        let asked = try await Program.run("openstore", ["agreement", "--help"])
        #expect(asked.code == 0 && asked.output == noun.errors)
        #expect(asked.output.contains("\n  accept "))
        let command = try await Program.run("openstore", ["help", "agreement", "accept"])
        #expect(command.output.contains("Usage: openstore agreement accept free|paid"))
        let wrong = try await Program.run("openstore", ["agrement", "list"])
        #expect(wrong.code == 64)
        #expect(wrong.errors.contains("did you mean \"openstore agreement\"?"))
        let tree = try await Program.run("openstore", ["help", "--json"])
        let json = try JSONSerialization.jsonObject(with: Data(tree.output.utf8))
        #expect((json as? [String: Any])?["groups"] is [Any])
    }

    @Test func `what is missing is asked for on a terminal`() async throws {
        let line = "\(Program.path("openstore")) app create"
        let (status, output) = try await ChildProgram.run(
            "/bin/sh", ["-c", "printf 'com.example.new\\n' | script -qec '\(line)' /dev/null"])
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("--bundle-id (An explicit bundle identifier that has no app yet): "))
        #expect(text.contains("--name (What customers read): "))
        #expect(text.contains("openstore: --name is missing"), "\(text)")
        #expect(status == 64)
    }
}
