import Foundation
import StoreTestSupport
import Testing

/// `openstore test`: a store for one command, and nothing afterwards.
struct TestCommandTests {
    private let folder: TemporaryFolder
    private let configuration: URL

    init() throws {
        folder = try TemporaryFolder()
        configuration = try folder.write("Shop.storekit", SampleShop.configuration)
        try FileManager.default.createDirectory(
            at: folder.file("tmp"), withIntermediateDirectories: true)
    }

    private var environment: [String: String] { ["TMPDIR": folder.file("tmp").path] }

    private func words(_ options: [String], _ line: [String]) -> [String] {
        ["test", configuration.path, "--bundle-id", SampleShop.bundleID.text] + options + ["--"]
            + line
    }

    private func run(_ options: [String] = [], _ line: [String]) async throws -> Program.Result {
        try await Program.run("openstore", words(options, line), environment: environment)
    }

    /// Nothing of the store is left.
    private func expectNothingLeft() throws {
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("tmp").path)
        #expect(left.filter { $0.hasPrefix("openstore-test-") } == [])
    }

    @Test func `the command finds a store with a tester who is signed in`() async throws {
        let shown = try await run([], [Program.path("openstore"), "account", "show"])
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.output == "tester@example.com: sandbox, storefront USA\n")
        #expect(shown.errors.contains("tester@example.com is signed in"), "\(shown.errors)")
        try expectNothingLeft()

        let script = """
            test "$(openssl x509 -noout -ocsp_uri -in "$OPENSTORE_DATA/keys/signing-key.pem")" = \\
                "$OPENSTORE_URL/ocsp" &&
            "$0" tester update tester@example.com --payment-failure next --quiet &&
            "$0" api GET /v1/apps "filter[bundleId]=$1" && echo "$OPENSTORE_SHEET"
            """
        let own = try await run(
            ["--quiet", "--sheet", "decline", "--storefront", "JPN"],
            ["/bin/sh", "-c", script, Program.path("openstore"), SampleShop.bundleID.text])
        #expect(own.code == 0, "\(own.errors)")
        #expect(own.errors.isEmpty, "\(own.errors)")
        #expect(own.output.contains("\"bundleId\" : \"\(SampleShop.bundleID.text)\""))
        #expect(own.output.hasSuffix("decline\n"), "\(own.output)")
        try expectNothingLeft()
    }

    @Test func `streams, exit codes and signals are the command's own`() async throws {
        let shell = ["/bin/sh", "-c"]
        let both = try await run(["--quiet"], shell + ["echo out; echo err >&2; exit 3"])
        #expect(both.output == "out\n" && both.errors == "err\n" && both.code == 3)
        let killed = try await run(["--quiet"], shell + ["kill -KILL $$"])
        #expect(killed.code == 128 + SIGKILL)
        #expect(try await run([], ["/nowhere/command"]).code == 127)
        #expect(try await run([], [folder.url.path]).code == 126)
        try expectNothingLeft()
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends the command, and then the store`(_ signal: Int32) async throws {
        let program = try await Program(
            "openstore",
            words(
                ["--quiet"],
                [
                    "/bin/sh", "-c",
                    "trap 'echo caught; exit 5' TERM INT; echo ready; read line; read line",
                ]), environment: environment)
        #expect(await program.line(with: "ready") != nil)
        program.send(signal)
        let end = await program.end()
        #expect(end.code == 5, "\(end.errors)")
        #expect(end.output.hasSuffix("caught\n"))
        try expectNothingLeft()
    }

    @Test func `a second signal kills a command that goes on`() async throws {
        let program = try await Program(
            "openstore",
            words(
                ["--quiet"],
                ["/bin/sh", "-c", "trap 'echo no' TERM; echo ready; while :; do read line; done"]),
            environment: environment)
        #expect(await program.line(with: "ready") != nil)
        program.send(SIGTERM)
        program.type("")
        #expect(await program.line(with: "no") != nil)
        program.send(SIGTERM)
        #expect(await program.end().code == 128 + SIGKILL)
        try expectNothingLeft()
    }

    @Test func `the configuration is an argument or an option`() async throws {
        let (file, echo) = (configuration.path, ["--", "/bin/echo", "ran"])
        let option = try await Program.run(
            "openstore", ["test", "--storekit", file] + echo, environment: environment)
        #expect(option.output == "ran\n" && option.code == 0, "\(option.errors)")
        for (words, problem) in [
            (["test"] + echo, "FILE.storekit is missing"),
            (["test", "--storekit", file, "/bin/echo", "ran"], "put -- before the command"),
        ] {
            let wrong = try await Program.run("openstore", words, environment: environment)
            #expect(wrong.errors.contains(problem) && wrong.code == 64, "\(wrong.errors)")
        }
    }

    @Test func `a file that is no configuration leaves nothing behind`() async throws {
        let broken = try folder.write("broken.storekit", "{")
        let result = try await Program.run(
            "openstore", ["test", broken.path, "--", "/bin/echo", "ran"], environment: environment)
        #expect(result.code != 0 && result.output.isEmpty)
        try expectNothingLeft()
    }
}
