import Foundation
import StoreHTTP
import StoreTestSupport
import Testing

/// What `openstore serve` is told about those who connect to it.
struct ServingOptions {
    private let folder: TemporaryFolder

    private let data: String

    init() async throws {
        folder = try TemporaryFolder()
        data = try await folder.makeStore()
    }

    /// Starts a store; gives the address on the line of its banner.
    private func serve(_ options: [String]) async throws -> (server: Program, address: String) {
        let server = try await Program(
            "openstore",
            ["serve", "--data", data, "--listen", "127.0.0.1:0"] + options)
        let line = try #require(await server.line(with: "production"))
        return (server, try #require(line.split(separator: " ").last.map(String.init)))
    }

    private func send(_ address: String, _ path: String, _ headers: HTTPHeaders) async throws
        -> HTTPResponse
    {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        return try await LoopbackClient(port: port)
            .send(HTTPRequest(method: "GET", path: path, headers: headers))
    }

    @Test func `proxies, readers of figures and limits are those of the command line`()
        async throws
    {
        let (server, address) = try await serve([
            "--trusted-proxy", "127.0.0.0/8,10.0.0.0/8", "--metrics-from", "192.0.2.0/24",
            "--requests-per-minute-address", "2", "--requests-per-minute-account", "0",
            "--connections-per-address", "0",
        ])
        let reader: HTTPHeaders = [
            "X-Forwarded-For": "198.51.100.1, 192.0.2.9, 10.1.1.1", "X-Request-ID": "from-proxy",
        ]
        let start = ContinuousClock.now
        let figures = try await send(address, "/metrics", reader)
        try #require(figures.status == 200)
        #expect(figures.headers["X-Request-ID"] == "from-proxy")
        #expect(figures.text.contains("openstore_build_info{version=\"0.1.0\"} 1\n"))
        var (answered, last) = (0, 200)
        while last == 200, answered < 100 {
            answered += 1
            last = try await send(address, "/metrics", reader).status
        }
        #expect(last == 429)
        // Two at once, and two more in each minute that has passed since then.
        let minutes = (ContinuousClock.now - start) / .seconds(60)
        #expect(answered >= 2)
        #expect(Double(answered) <= 2 + 2 * minutes)
        let stranger: HTTPHeaders = ["X-Forwarded-For": "192.0.2.9, 198.51.100.1"]
        #expect(try await send(address, "/metrics", stranger).status == 404)
        server.send(SIGTERM)
        let result = await server.end()
        #expect(result.code == 0)
        #expect(result.errors.contains(" request=from-proxy"))
    }

    @Test(.enabled(if: CommandLineTool.openssl != nil && CommandLineTool.curl != nil))
    func `a certificate is shown, and a new one after SIGHUP`() async throws {
        let first = try await TestCertificate(["localhost"])
        let second = try await TestCertificate(["localhost"])
        try folder.write("certificate.pem", first.certificate.chain)
        try folder.write("key.pem", first.certificate.key)
        let (server, address) = try await serve([
            "--tls-certificate", folder.file("certificate.pem").path,
            "--tls-key", folder.file("key.pem").path,
        ])
        #expect(address.hasPrefix("https://127.0.0.1:"))
        let port = try #require(address.split(separator: ":").last)
        let curl = try #require(CommandLineTool.curl).url
        func get(trusting test: TestCertificate) async throws -> Program.Result {
            let result = try await Program.run(
                curl,
                [
                    "--silent", "--show-error", "--max-time", "60", "--cacert", test.root.path,
                    "https://localhost:\(port)/readyz",
                ])
            // While the new server replaces the old one, one of them answers each connection.
            #expect(result.code != 28, "no answer within a minute")
            return result
        }
        #expect(try await get(trusting: first).output.hasPrefix(#"{"status":"ok""#))
        try folder.write("certificate.pem", second.certificate.chain)
        try folder.write("key.pem", second.certificate.key)
        server.send(SIGHUP)
        // A signal takes its time to arrive.
        try await until { try await get(trusting: second).code == 0 }
        try await until { try await get(trusting: first).code == 60 }
        server.send(SIGTERM)
        let result = await server.end()
        #expect(result.code == 0)
        #expect(result.errors.contains("event=\"certificate replaced\""))
        #expect(!result.errors.contains("PRIVATE KEY"))
    }

    @Test(arguments: [
        (["--trusted-proxy", "nowhere"], 64, "--trusted-proxy: \"nowhere\" is not networks"),
        (["--metrics-from", "10.0.0.1/8"], 64, "--metrics-from: \"10.0.0.1/8\" is not networks"),
        (["--connections-per-address", "-1"], 64, "--connections-per-address"),
        (["--requests-per-minute-address", "many"], 64, "--requests-per-minute-address"),
        (["--requests-per-minute-account", "-5"], 64, "--requests-per-minute-account"),
        (["--tls-certificate", "a.pem"], 64, "--tls-key is missing"),
        (["--tls-key", "a.pem"], 64, "--tls-certificate is missing"),
        (
            ["--tls-certificate", "/no/a.pem", "--tls-key", "/no/b.pem"], 1,
            "/no/a.pem can't be read: No such file or directory"
        ),
    ])
    func `what it can't be is told`(_ options: [String], _ code: Int32, _ text: String) async throws
    {
        let result = try await Program.run(
            "openstore",
            ["serve", "--data", data, "--listen", "127.0.0.1:0"] + options)
        #expect(result.code == code)
        #expect(result.errors.contains(text), "\(result.errors)")
    }
}
