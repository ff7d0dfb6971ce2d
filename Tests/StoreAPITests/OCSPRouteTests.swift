import Foundation
import StoreHTTP
import StoreSecurity
import StoreTestSupport
import Testing

/// The routes of OCSP; what is answered is tested with the responder and the keys.
@Suite("OCSP routes", .enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
struct OCSPRouteTests {
    /// A request about the signing certificate, and what openssl reads from an answer to it.
    private struct Question {
        let folder: TemporaryFolder
        let tool: CommandLineTool
        let request: Data

        init(_ shop: TestStore) async throws {
            let tool = try #require(CommandLineTool.openssl)
            let folder = try TemporaryFolder()
            (self.tool, self.folder) = (tool, folder)
            let statement = try shop.store.services.signer.sign(Data("{}".utf8))
            let first = try #require(statement.split(separator: ".").first)
            let header = try #require(Base64URL.decode(first))
            struct Header: Decodable { var x5c: [Data] }
            let chain = try JSONDecoder().decode(Header.self, from: header).x5c
            for (name, der) in zip(["leaf", "intermediate", "root"], chain) {
                try folder.write("\(name).pem", Certificate(der: der).pem())
            }
            _ = try await tool.run(
                [
                    "ocsp", "-issuer", "intermediate.pem", "-cert", "leaf.pem", "-reqout",
                    "request.der",
                ], in: folder.url)
            request = try Data(contentsOf: folder.file("request.der"))
        }

        func isGood(_ answer: Data) async throws -> Bool {
            try folder.write("answer.der", answer)
            let output = try await tool.run(
                [
                    "ocsp", "-issuer", "intermediate.pem", "-cert", "leaf.pem", "-no_nonce",
                    "-respin", "answer.der", "-CAfile", "root.pem",
                ], in: folder.url
            ).output
            return output.contains("Response verify OK") && output.contains("leaf.pem: good")
        }
    }

    private func send(
        _ method: String, _ path: String, _ body: Data = Data(), to shop: TestStore,
        _ altitude: Altitude
    ) async throws -> HTTPResponse {
        var client = try await APIClient(shop, altitude: altitude, environment: .production)
        (client.profile, client.device) = (nil, nil)
        return try await client.send(
            method, path, body, headers: ["Content-Type": "application/ocsp-request"])
    }

    @Test(arguments: Altitude.allCases)
    func `a request in the body is answered, to anybody`(altitude: Altitude) async throws {
        let shop = try await TestStore()
        let question = try await Question(shop)
        let response = try await send("POST", "/ocsp", question.request, to: shop, altitude)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/ocsp-response")
        #expect(try await question.isGood(response.data))
    }

    /// The nonce is random, so that over time there are slashes anywhere, two in a row too.
    @Test(arguments: Altitude.allCases)
    func `a request in the address is answered`(altitude: Altitude) async throws {
        let shop = try await TestStore()
        for _ in 0..<8 {
            let question = try await Question(shop)
            let text = question.request.base64EncodedString()
            let escaped = try #require(
                text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let path = altitude == .socket ? escaped : text
            let response = try await send("GET", "/ocsp/\(path)", to: shop, altitude)
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "application/ocsp-response")
            #expect(try await question.isGood(response.data))
        }
    }

    @Test func `junk is answered as the protocol has it`() async throws {
        let shop = try await TestStore()
        let malformed = Data([0x30, 3, 0x0a, 1, 1])
        for (method, path, body) in [
            ("POST", "/ocsp", Data()), ("POST", "/ocsp", Data("junk".utf8)),
            ("GET", "/ocsp/junk", Data()), ("GET", "/ocsp/a/b", Data()), ("GET", "/ocsp/!", Data()),
        ] as [(String, String, Data)] {
            let response = try await send(method, path, body, to: shop, .router)
            #expect(response.status == 200 && response.data == malformed, "\(method) \(path)")
        }
        #expect(try await send("GET", "/ocsp", to: shop, .router).status == 405)
        #expect(try await send("GET", "/ocsp/", to: shop, .router).status == 404)
    }
}
