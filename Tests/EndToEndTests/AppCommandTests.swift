import Foundation
import StoreTestSupport
import Testing

/// Identifiers, apps, versions and profiles, by command over the API.
struct AppCommands {
    private let shop: Shop
    private let server: Program
    private let address: String

    init() async throws {
        shop = try await Shop(noiseBytes: 1000)
        try await shop.command([
            "api-key", "create", "--name", "test", "--role", "admin", "--data", shop.data, "-o",
            shop.data,
        ])
        (server, address) = try await shop.serve()
    }

    /// Runs a command, as the operator whose key lies in the store's folder.
    private func run(_ words: String...) async throws -> Program.Result {
        try await Program.run(
            "openstore", words + ["--store", address, "--data", shop.data],
            environment: ["XDG_CONFIG_HOME": shop.folder.file("config").path])
    }

    private func identifier(_ result: Program.Result) throws -> String {
        #expect(result.code == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func app() async throws -> String {
        let registered = try await run("bundle-id", "create", "com.example.second", "--quiet")
        #expect(try identifier(registered).utf8.count == 10)
        return try identifier(
            try await run(
                "app", "create", "--bundle-id", "com.example.second", "--name", "Second",
                "--sku", "TWO", "--quiet"))
    }

    @Test func `an app gets a version with a build, and is changed and deleted`() async throws {
        let app = try await app()
        let list = try await run("app", "list")
        #expect(list.output.contains("com.example.second") && list.output.contains("TWO"))
        _ = try identifier(
            try await run(
                "app", "version", "create", "com.example.second", "1.0", "--whats-new", "All",
                "--release", "manual", "--quiet"))
        let binary = try shop.folder.write("binary", "not really one")
        let build = try identifier(
            try await run(
                "build", "create", app, "1.0", binary.path, "--number", "7", "--quiet"))
        let shown = try await run("app", "version", "show", app, "1.0")
        #expect(shown.output.contains(build) && shown.output.contains("MANUAL"))
        #expect(shown.output.contains("PREPARE_FOR_SUBMISSION"))
        let early = try await run("app", "version", "release", app, "1.0")
        #expect(early.code == 65 && early.errors.contains("can't be released"))
        let again = try await run("build", "create", app, "1.0", binary.path, "--number", "7")
        #expect(again.code == 65 && again.errors.contains("build 7 already"))
        func upload(_ version: String) async throws -> Program.Result {
            let file = try shop.folder.write(
                "app.tar.zst", TestStore.appFile(version, of: "com.example.second"))
            return try await run("build", "upload", file.path, "--app", "com.example.second")
        }
        let other = try await upload("1.1")
        #expect(other.code == 65 && other.errors.contains("1.1"))
        for _ in 1...2 {
            let uploaded = try await upload("1.0")
            #expect(uploaded.code == 0, "\(uploaded.errors)")
            #expect(uploaded.output.contains("Build 8 of version 1.0 has its file"))
        }
        let builds = try await run("build", "list", app, "1.0")
        #expect(builds.output.contains("app.tar.zst"))
        _ = try identifier(try await run("app", "update", app, "--name", "Renamed", "--quiet"))
        let json = try await run("app", "show", app, "--json")
        #expect(json.output.contains("\"name\" : \"Renamed\""))
        _ = try identifier(try await run("app", "version", "delete", app, "1.0", "--quiet"))
        _ = try identifier(try await run("app", "delete", app, "--quiet"))
        #expect(try await run("app", "show", app).code == 66)
        _ = try identifier(try await run("bundle-id", "delete", "com.example.second", "--quiet"))
        server.send(SIGTERM)
    }

    @Test func `a secret that is asked for quietly is written, and nothing else`() async throws {
        let app = SampleShop.bundleID.text
        let made = try identifier(
            try await run("shared-secret", "create", "--app", app, "--quiet"))
        let shown = try await run("shared-secret", "show", "--app", app, "--quiet")
        #expect(try identifier(shown) == made)
        let json = try await run("shared-secret", "show", "--app", app, "--json")
        #expect(json.output.contains("\"secret\" : \"\(made)\""))
        server.send(SIGTERM)
    }

    @Test func `a profile is made, goes out of date, and is made anew`() async throws {
        _ = try await app()
        let file = shop.folder.file("made.storeprofile")
        let made = try await run(
            "profile", "create", "--type", "ios-app-development", "--bundle-id",
            "com.example.second", "--name", "Dev", "-o", file.path)
        #expect(made.code == 0, "\(made.errors)")
        let first = try String(contentsOf: file, encoding: .utf8)
        #expect(first.split(separator: ".").count == 3)
        _ = try identifier(
            try await run(
                "bundle-id", "update", "com.example.second", "--disable", "in_app_purchase",
                "--quiet"))
        let invalid = try await run("profile", "list", "--invalid")
        #expect(invalid.output.contains("Dev") && invalid.output.contains("INVALID"))
        let renewed = try await run("profile", "renew", "Dev", "-o", file.path)
        #expect(renewed.code == 0, "\(renewed.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) != first)
        #expect(try await run("profile", "list", "--invalid", "--quiet").output.isEmpty)
        let used = try await run("bundle-id", "delete", "com.example.second")
        #expect(used.code == 65 && used.errors.contains("is used by"))
        server.send(SIGTERM)
    }
}
