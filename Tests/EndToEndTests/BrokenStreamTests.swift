import Foundation
import FoundationNetworking
import StoreTestSupport
import Testing

/// Programs whose standard streams take nothing: a disk is full, or nobody reads any more.
struct BrokenStreams {
    @Test(arguments: Program.Sink.broken)
    func `a store goes on without its log`(_ sink: Program.Sink) async throws {
        let folder = try TemporaryFolder()
        let server = try await Program(
            "openstore", ["serve", "--data", folder.file("store").path, "--listen", "127.0.0.1:0"],
            errors: sink)
        let line = try #require(await server.line(with: "production"))
        let address = try #require(line.split(separator: " ").last.map(String.init))
        let url = try #require(URL(string: "\(address)/healthz"))
        for _ in 0..<3 {
            let (_, response) = try await url.fetched()
            #expect(response.statusCode == 200)
        }
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test(arguments: [["--version"], ["configuration", "--json"]], Program.Sink.broken)
    func `a command whose answer can't be written says so`(
        _ words: [String], _ sink: Program.Sink
    ) async throws {
        let result = try await Program("openstore", words, output: sink).end()
        #expect(result.code == 74)
        #expect(result.errors.contains("standard output can't be written ("), "\(result.errors)")
    }

    @Test(arguments: Program.Sink.allCases)
    func `an app goes on without its log`(_ sink: Program.Sink) async throws {
        let shop = try await Shop()
        let (server, address) = try await shop.serve()
        var environment = try await shop.device("phone", address: address)
        // A name that would clear the screen, in a line that the app has to log.
        let state = shop.folder.file("state\u{1b}[2J")
        environment["XDG_STATE_HOME"] = state.path
        let folder = state.appendingPathComponent("\(SampleShop.bundleID.text)/StoreKit")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([0xFF, 0xFE]).write(to: folder.appendingPathComponent("device"))
        let app = try await Program(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.credits):1"],
            environment: environment, errors: sink)
        let result = await app.end()
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("done"), "\(result)")
        #expect(result.errors.contains("identifier of this device") == (sink == .test))
        #expect(!result.errors.contains("\u{1b}"), "\(result)")
        // Nothing of the log got into the journal.
        let again = try await Program.run(
            "StoreTestApp", ["--expect", "0", "--restore"], environment: environment)
        #expect(!again.errors.contains("journal"), "\(again)")
        server.send(SIGTERM)
        _ = await server.end()
    }
}
