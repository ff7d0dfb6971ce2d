import Foundation
import StoreHTTP
import StoreTestSupport
import Testing

@Suite(.enabled(if: CommandLineTool.openssl != nil && CommandLineTool.curl != nil))
struct TLSTests {
    private let test: TestCertificate
    private let folder: TemporaryFolder

    init() async throws {
        test = try await .shared(["store.example", "localhost"])
        folder = try TemporaryFolder()
    }

    private func start(
        certificate: ServerCertificate? = nil, bodyLimit: Int = 1 << 20,
        spooling: BodySpooling? = nil,
        handler: @escaping Router.Handler
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration(
            bodyLimit: bodyLimit, spooling: spooling,
            certificate: certificate ?? test.certificate)
        configuration.timeouts = .endless
        return try HTTPServer(
            configuration, handler: handler,
            bodyTooLarge: { _, limit in
                HTTPResponse(status: 413, body: Data("more than \(limit)".utf8))
            })
    }

    /// What curl prints of a request to the server by the name that its certificate has.
    private func curl(
        _ server: HTTPServer, _ path: String, _ arguments: [String] = []
    ) async throws -> (status: Int32, output: String) {
        let address = "https://store.example:\(server.port)\(path)"
        return try await Curl.run(
            ["--cacert", test.root.path, "--connect-to", "::127.0.0.1:", address] + arguments,
            in: folder.url)
    }

    @Test func `a request over TLS is answered, and knows that it came so`() async throws {
        let server = try start { request in
            .now(
                HTTPResponse(
                    status: 200,
                    body: Data(
                        "\(request.isSecure) \(request.origin) \(request.peer?.text ?? "")".utf8)))
        }
        defer { server.stopAside() }
        let answer = try await curl(server, "/")
        #expect(answer.output == "true https://store.example:\(server.port) 127.0.0.1")
    }

    @Test func `an answer that takes its time comes over TLS too`() async throws {
        let (arrived, leaving) = (Gate(), Gate())
        let server = try start { request in
            .later {
                await arrived.open()
                await leaving.pass()
                return HTTPResponse(status: 200, body: request.body)
            }
        }
        defer { server.stopAside() }
        async let answer = curl(server, "/", ["--data", "to be given back"])
        await arrived.pass()
        await leaving.open()
        #expect(try await answer.output == "to be given back")
    }

    @Test func `a file arrives byte by byte, from any place on`() async throws {
        let bytes = SampleShop.noise(3_000_000, seed: 5)
        let file = try folder.write("file", bytes)
        let server = try start { request in
            .now(
                FileAnswer(
                    descriptor: open(file.path, O_RDONLY), length: 3_000_000,
                    mediaType: "application/octet-stream", entityTag: "\"x\"",
                    cacheControl: "no-store"
                ).response(to: request))
        }
        defer { server.stopAside() }
        let whole = folder.file("whole")
        #expect(try await curl(server, "/", ["--output", whole.path]).status == 0)
        #expect(try Data(contentsOf: whole) == bytes)
        let part = folder.file("part")
        let range = ["--range", "1234567-2345678", "--output", part.path]
        #expect(try await curl(server, "/", range).status == 0)
        #expect(try Data(contentsOf: part) == bytes[1_234_567...2_345_678])
    }

    @Test func `a large body goes to disk, and one that is too large is told so`() async throws {
        let body = try folder.write("body", SampleShop.noise(3_000_000, seed: 6))
        let server = try start(
            spooling: BodySpooling(limit: { $0 == "/large" ? 4_000_000 : nil }, folder: folder.url)
        ) { request in
            .now(HTTPResponse(status: 200, body: Data("\(request.bodyFile?.count ?? 0)".utf8)))
        }
        defer { server.stopAside() }
        let upload = ["--data-binary", "@\(body.path)", "--header", "Expect:"]
        #expect(try await curl(server, "/large", upload).output == "3000000")
        #expect(try await curl(server, "/other", upload).output == "more than 1048576")
    }

    @Test(arguments: [("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
    func `versions before 1.2 are not spoken`(version: String, isSpoken: Bool) async throws {
        let server = try start { _ in .now(HTTPResponse(status: 200)) }
        defer { server.stopAside() }
        let openssl = try #require(CommandLineTool.openssl)
        let (status, output) = try await openssl.run(
            [
                "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", test.root.path,
                "-verify_return_error", "-cipher", "DEFAULT@SECLEVEL=0", version,
            ], in: folder.url)
        #expect((status == 0) == isSpoken, "\(output)")
        // It is the server that refuses an old version, and not the tool.
        if !isSpoken { #expect(output.contains("unexpected eof"), "\(output)") }
    }

    @Test func `who does not speak TLS is not answered, and nobody else minds`() async throws {
        let server = try start { _ in .now(HTTPResponse(status: 200, body: Data("here".utf8))) }
        defer { server.stopAside() }
        // The server may close before it has read all of it: then the socket has an error.
        let plain = try? await LoopbackClient(port: server.port)
            .exchange(Data("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(!String(decoding: plain ?? Data(), as: UTF8.self).contains("HTTP/1.1"))
        #expect(try await curl(server, "/").output == "here")
    }

    @Test(arguments: ["other key", "no key", "no certificate", "nothing"])
    func `a key that is not the certificate's is a clear error`(what: String) async throws {
        let other = try await TestCertificate.shared(["other.example"]).certificate
        var certificate = test.certificate
        if what == "other key" { certificate.key = other.key }
        if what == "no key" || what == "nothing" { certificate.key = "" }
        if what == "no certificate" || what == "nothing" { certificate.chain = "" }
        let error = #expect(throws: HTTPServerError.self) {
            try start(certificate: certificate) { _ in .now(HTTPResponse(status: 200)) }
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("cannot listen on 127.0.0.1:0: "), "\(text)")
        #expect(text.contains("certificate"), "\(text)")
    }
}

enum Curl {
    static func run(
        _ arguments: [String], in folder: URL
    ) async throws -> (status: Int32, output: String) {
        let curl = try #require(CommandLineTool.curl)
        return try await curl.run(["--silent", "--show-error"] + arguments, in: folder)
    }
}
