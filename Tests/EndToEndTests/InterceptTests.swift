import Foundation
import StoreTestSupport
import Testing

@Suite(.enabled(if: CommandLineTool.python3 != nil))
struct Intercepting {
    /// A store that takes clients of Apple's servers in, over a folder with the sample shop.
    private struct Fixture {
        let shop: Shop
        let server: Program
        let address: String
        /// The SHA-256 of the root, as the store prints it.
        let fingerprint: String

        init() async throws {
            shop = try await Shop(noiseBytes: 1000)
            server = try await Program(
                "openstore",
                ["serve", "--data", shop.data, "--listen", "127.0.0.1:0", "--intercept", "0"])
            guard let line = await server.line(with: "production"),
                let address = line.split(separator: " ").last,
                await server.line(with: "openstore intercept run") != nil,
                let root = await server.line(with: "SHA-256 of its root"),
                let fingerprint = root.split(separator: " ").last
            else { throw ProgramFailure(description: await server.end().errors) }
            self.address = String(address)
            self.fingerprint = String(fingerprint)
        }

        var note: URL { shop.folder.file("store/intercept.json") }
        /// What programs are told to trust.
        var root: URL { shop.folder.file("store/intercept/root.pem") }

        func run(
            _ words: [String], environment: [String: String] = [:]
        ) async throws -> Program.Result {
            try await Program.run(
                "openstore", ["intercept", "run", "--data", shop.data, "--"] + words,
                environment: environment)
        }

        func stop() async -> Int32 {
            server.send(SIGTERM)
            return await server.end().code
        }
    }

    private static let python = CommandLineTool.python3?.url.path ?? "python3"

    @Test func `a program with nothing but the standard library talks to the store`() async throws {
        let fixture = try await Fixture()
        let program = """
            import json, ssl, urllib.request
            def get(address):
                with urllib.request.urlopen(address) as answer:
                    return answer.status, json.load(answer)
            assert ssl.get_default_verify_paths().cafile.endswith("/intercept/root.pem")
            print(get("https://itunes.apple.com/lookup?id=1"))
            print(get("https://buy.itunes.apple.com/"))
            print(get("https://sandbox.itunes.apple.com/")[1]["environment"])
            print(get("\(fixture.address)/healthz"))
            """
        let result = try await fixture.run([Self.python, "-c", program])
        #expect(result.code == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        try #require(lines.count == 4, "\(result.output)")
        #expect(lines[0] == "(200, {'resultCount': 0, 'results': []})")
        #expect(
            lines[1].hasPrefix("(200, {") && lines[1].contains("'host': 'buy.itunes.apple.com'"))
        #expect(lines[2] == "Sandbox")
        #expect(lines[3] == "(200, {'status': 'ok'})")
        #expect(await fixture.stop() == 0)
    }

    @Test func `streams, exit codes and signals are the command's own`() async throws {
        let fixture = try await Fixture()
        let shell = ["/bin/sh", "-c"]
        let both = try await fixture.run(shell + ["echo out; echo err >&2; exit 3"])
        #expect(both.output == "out\n")
        #expect(both.errors == "err\n")
        #expect(both.code == 3)
        #expect(try await fixture.run(shell + ["kill -KILL $$"]).code == 128 + SIGKILL)
        let missing = try await fixture.run(["/nowhere/command"])
        #expect(missing.code == 127)
        #expect(
            missing.errors
                == "openstore: /nowhere/command can't be started: No such file or directory\n")
        #expect(try await fixture.run([fixture.shop.data]).code == 126)

        // No signal is kept from it.
        let signals = try await fixture.run([
            "/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status",
        ])
        let sets = signals.output.split(separator: "\n").map { line in
            UInt64(line.split(separator: "\t").last ?? "", radix: 16).map { $0 & 0x7fff_ffff }
        }
        #expect(sets == [0, 0], "\(signals.output)")

        let waiting = try await Program(
            "openstore",
            ["intercept", "run", "--data", fixture.shop.data, "/bin/sh", "-c"] + [
                "trap 'echo caught; exit 5' TERM; echo ready; read line; echo \"$line\"; read line"
            ])
        #expect(await waiting.line(with: "ready") != nil)
        waiting.type("typed")
        #expect(await waiting.line(with: "typed") != nil)
        waiting.send(SIGTERM)
        let end = await waiting.end()
        #expect(end.code == 5)
        #expect(end.output.hasSuffix("caught\n"))
        #expect(await fixture.stop() == 0)
    }

    @Test func `what a program with URLSession trusts is said before it runs`() async throws {
        let fixture = try await Fixture()
        let result = try await fixture.run([Program.path("openstore"), "--version"])
        #expect(result.code == 0 && result.output.hasPrefix("openstore "), "\(result.output)")
        #expect(
            result.errors.contains("its URLSession trusts the roots of the system only"),
            "\(result.errors)")
        #expect(result.errors.contains(fixture.root.path))
        #expect(await fixture.stop() == 0)
    }

    @Test func `without a store that runs, the command does not`() async throws {
        let fixture = try await Fixture()
        #expect(FileManager.default.fileExists(atPath: fixture.note.path))
        let note = try Data(contentsOf: fixture.note)
        #expect(await fixture.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.note.path))
        let stopped = try await fixture.run(["/bin/echo", "ran"])
        #expect(stopped.code == 69)
        #expect(stopped.errors.contains("serve --data"), "\(stopped.errors)")
        // As a store leaves it that was killed.
        try note.write(to: fixture.note)
        let killed = try await fixture.run(["/bin/echo", "ran"])
        #expect(killed.code == 69)
        #expect(killed.errors.contains("does not run any more"), "\(killed.errors)")
        #expect(stopped.output + killed.output == "")
    }

    @Test func `the environment can be had for a shell, and for a store elsewhere`() async throws {
        let fixture = try await Fixture()
        let shown = try await Program.run(
            "openstore", ["intercept", "env", "--data", fixture.shop.data])
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.output.contains("\nSSL_CERT_FILE=\(fixture.root.path)\n"))
        let proxy = try #require(
            shown.output.split(separator: "\n").first?.split(separator: "/").last)
        let command = """
            eval "$("$0" intercept env --shell --store "$1" --proxy "$2" --fingerprint "$4")" &&
            exec "$3" -c 'import urllib.request as r; print(r.urlopen("https://itunes.apple.com/").status)'
            """
        let elsewhere = try await Program.run(
            URL(fileURLWithPath: "/bin/sh"),
            [
                "-c", command, Program.path("openstore"), fixture.address, String(proxy),
                Self.python,
                fixture.fingerprint,
            ],
            environment: ["XDG_CACHE_HOME": fixture.shop.folder.file("it's '\u{301}a cache").path])
        #expect(elsewhere.output == "200\n", "\(elsewhere.errors)")
        let kept = fixture.shop.folder
            .file("it's '\u{301}a cache/openstore/roots/\(fixture.fingerprint).pem")
        #expect(try Data(contentsOf: kept) == Data(contentsOf: fixture.root))
        let other = try await Program.run(
            "openstore",
            [
                "intercept", "run", "--store", fixture.address, "--proxy", String(proxy),
                "--fingerprint", String(repeating: "0", count: 64), "/bin/echo", "ran",
            ])
        #expect(other.code == 65 && other.output.isEmpty)
        #expect(other.errors.contains(fixture.fingerprint), "\(other.errors)")
        #expect(await fixture.stop() == 0)
    }

    @Test(.enabled(if: CommandLineTool.curl != nil))
    func `curl takes the store for Apple's hosts, and for no other`() async throws {
        let fixture = try await Fixture()
        let curl = try #require(CommandLineTool.curl).url.path
        let show = [curl, "-sS", "-o", "/dev/null", "-w", "%{http_code}"]
        let apple = try await fixture.run(show + ["https://buy.itunes.apple.com/"])
        #expect(apple.output == "200", "\(apple.errors)")
        // A certificate that is for somebody else, and the store's own root: both exit code 60.
        let other = try await fixture.run(show + ["https://www.example.com/"])
        #expect(other.code == 60, "\(other.errors)")
        let keys = fixture.shop.folder.file("store/keys/root.pem").path
        let own = try await fixture.run(show + ["--cacert", keys, "https://buy.itunes.apple.com/"])
        #expect(own.code == 60, "\(own.errors)")
        #expect(await fixture.stop() == 0)
    }

    @Test func `no program is told to trust a root that is good for any host`() async throws {
        let fixture = try await Fixture()
        try FileManager.default.removeItem(at: fixture.root)
        let missing = try await fixture.run(["/bin/echo", "ran"])
        #expect(missing.code == 69 && missing.errors.contains("can't be read"))
        try FileManager.default.copyItem(
            at: fixture.shop.folder.file("store/keys/root.pem"), to: fixture.root)
        let wide = try await fixture.run(["/bin/echo", "ran"])
        #expect(wide.code == 65 && wide.errors.contains("is good for any host"), "\(wide.errors)")
        #expect(missing.output + wide.output == "")
        #expect(await fixture.stop() == 0)
    }

    @Test(arguments: [
        (["intercept", "run"], 64, "COMMAND ... is missing"),
        (["intercept", "run", "--store", "http://127.0.0.1:1", "x"], 64, "--store and --proxy"),
        (["intercept", "env", "--proxy", "127.0.0.1:1"], 64, "--store and --proxy"),
        (["intercept", "env", "--store", "x", "--proxy", "127.0.0.1:1"], 64, "--store: \"x\""),
        (["intercept", "env", "--store", "http://a", "--proxy", "b"], 64, "--proxy: \"b\""),
        (
            ["intercept", "env", "--store", "https://127.0.0.1:1", "--proxy", "127.0.0.1:1"], 69,
            "can't be reached"
        ),
        (
            ["intercept", "env", "--store", "http://127.0.0.1:1", "--proxy", "127.0.0.1:1"], 64,
            "--fingerprint"
        ),
        (["intercept", "env", "--fingerprint", "12:34"], 64, "--fingerprint: \"12:34\""),
        (
            ["intercept", "env", "--fingerprint", String(repeating: "aB:", count: 32)], 64,
            "--store and --proxy"
        ),
        (["intercept"], 64, "openstore intercept COMMAND"),
        (["serve", "--intercept", "nowhere"], 64, "--intercept"),
        (["serve", "--listen", "127.0.0.1:0", "--intercept", "a.invalid:1"], 1, "not an address"),
    ])
    func `a wrong command line says what is wrong`(
        _ words: [String], _ code: Int32, _ text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "openstore", words, environment: ["OPENSTORE_DATA": folder.file("store").path])
        #expect(result.code == code, "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.output.isEmpty)
    }
}
