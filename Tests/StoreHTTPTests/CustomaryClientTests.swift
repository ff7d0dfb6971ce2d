import Foundation
import FoundationNetworking
import StoreHTTP
import StoreTestSupport
import Testing

/// Clients as people have them are not refused by rules against those who mean harm.
struct CustomaryClientTests {
    private func listening() throws -> Listening {
        try Listening { request in
            .now(
                HTTPResponse(
                    status: 200, body: Data("\(request.method) \(request.body.count)".utf8)))
        }
    }

    @Test(.enabled(if: CommandLineTool.curl != nil))
    func `curl sends lengths and chunks`() async throws {
        let listening = try listening()
        let folder = try TemporaryFolder()
        let file = try folder.write("body", SampleShop.noise(200_000, seed: 3))
        let address = "http://127.0.0.1:\(listening.server.port)/"
        for (arguments, wanted) in [
            ([address], "GET 0"), (["-I", address], "HTTP/1.1 200 OK"),
            (["-0", address], "GET 0"),
            (["--data-binary", "@\(file.path)", address], "POST 200000"),
            (["-T", file.path, address], "PUT 200000"),
            (
                [
                    "-H", "Transfer-Encoding: chunked", "--data-binary", "@\(file.path)", address,
                ], "POST 200000"
            ),
            (["-H", "Cookie: a=b; c=\"d\"", "-A", "Ünïcode/1.0 (x; y)", address], "GET 0"),
        ] {
            let result = try await Curl.run(arguments, in: folder.url)
            #expect(result.output.hasPrefix(wanted), "\(arguments): \(result.output)")
        }
    }

    @Test func `FoundationNetworking is answered, with and without a body`() async throws {
        let listening = try listening()
        let address = try #require(URL(string: "http://127.0.0.1:\(listening.server.port)/a?b=c"))
        // The library's own limit is a minute.
        var request = URLRequest(url: address, timeoutInterval: 3600)
        let (data, _) = try await URLSession.shared.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "GET 0")
        request.httpMethod = "POST"
        let (answer, _) = try await URLSession.shared.upload(
            for: request, from: SampleShop.noise(100_000, seed: 4))
        #expect(String(decoding: answer, as: UTF8.self) == "POST 100000")
    }

    @Test(.enabled(if: CommandLineTool.python3 != nil))
    func `Python's library is answered, with chunks too`() async throws {
        let listening = try listening()
        let folder = try TemporaryFolder()
        let program = """
            import http.client, sys, urllib.request
            address = sys.argv[1]
            print(urllib.request.urlopen("http://" + address + "/").read().decode())
            data = b"x" * 5000
            print(urllib.request.urlopen("http://" + address + "/", data).read().decode())
            connection = http.client.HTTPConnection(address)
            connection.request("POST", "/", iter([b"abc", b"de"]), encode_chunked=True,
                headers={"Transfer-Encoding": "chunked"})
            print(connection.getresponse().read().decode())
            connection.request("DELETE", "/")
            print(connection.getresponse().read().decode())
            """
        let python = try #require(CommandLineTool.python3)
        let output = try await python.run(
            ["-c", program, "127.0.0.1:\(listening.server.port)"], in: folder.url
        ).output
        #expect(output == "GET 0\nPOST 5000\nPOST 5\nDELETE 0\n")
    }
}
