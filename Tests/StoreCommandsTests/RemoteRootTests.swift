import Foundation
import FoundationNetworking
import StoreKit
import StoreSecurity
import StoreServer
import Testing

@testable import StoreCommands

/// Answers each request with one text.
private struct OneAnswer: RequestTransport {
    let status: Int
    let text: String

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, url.path == Interception.rootPath,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        return (Data(text.utf8), response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        throw URLError(.unsupportedURL)
    }
}

@Suite struct RemoteRootTests {
    private static let address = "https://store.example.com"

    private func root(_ role: CertificateRole) throws -> Certificate {
        try Certificate.issue(
            role: role, name: "Root", organization: "Example", key: .generate(), issuer: nil,
            start: Date(timeIntervalSince1970: 1_800_000_000), days: 30)
    }

    /// Why a root is not taken, and the exit code that says so.
    private func refusal(
        _ text: String, status: Int = 200, fingerprint: String? = nil
    ) async throws -> (text: String, code: Int32) {
        let root = RemoteRoot(
            address: Self.address, fingerprint: fingerprint,
            transport: OneAnswer(status: status, text: text))
        do {
            return ("kept in \(try await root.save().path)", 0)
        } catch let error as any ExitCoded {
            return ("\(error)", error.exitCode.rawValue)
        }
    }

    @Test func `a root that is good for any host is refused`() async throws {
        let refusal = try await refusal(root(.root).pem())
        #expect(refusal.text.contains("\(Self.address) is good for any host"))
        #expect(refusal.code == 65)
    }

    @Test func `a root that is good for other hosts is refused, whatever its fingerprint`()
        async throws
    {
        let names = InterceptedHosts.names(of: [Self.address, "https://bank.example"])
        let root = try root(.serverRoot(names))
        for fingerprint in [nil, SHA256Digest.hex(try root.der())] {
            let refusal = try await refusal(root.pem(), fingerprint: fingerprint)
            #expect(refusal.text.contains("is good for other hosts too: bank.example."))
            #expect(refusal.code == 65)
        }
    }

    @Test func `a root with another fingerprint is refused`() async throws {
        let root = try root(.serverRoot(InterceptedHosts.names(of: [Self.address])))
        let refusal = try await refusal(
            root.pem(), fingerprint: String(repeating: "0", count: 64))
        #expect(refusal.text.contains("has the SHA-256 \(SHA256Digest.hex(try root.der())), which"))
        #expect(refusal.code == 65)
    }

    @Test(
        arguments: [
            (404, "", "serve --intercept", 66), (200, "", "no OpenStore", 65),
            (200, "-----BEGIN CERTIFICATE-----\nAAAA", "no OpenStore", 65),
            (500, "", "no OpenStore", 70),
        ] as [(Int, String, String, Int32)])
    func `what answers without a root is a clear error`(
        status: Int, body: String, text: String, code: Int32
    ) async throws {
        let refusal = try await refusal(body, status: status)
        #expect(refusal.text.contains(text), "\(refusal.text)")
        #expect(refusal.code == code)
    }
}
