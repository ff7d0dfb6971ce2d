import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

@Suite(.enabled(if: CommandLineTool.openssl != nil))
struct TunnelServerTests {
    private final class Certificates: Sendable {
        let newest: Mutex<ServerCertificate>

        init(_ first: ServerCertificate) {
            newest = Mutex(first)
        }
    }

    @Test func `a new certificate makes a new server, and none leaves the old one`() async throws {
        let first = try await TestCertificate(["a"])
        let second = try await TestCertificate(["b"])
        let certificates = Certificates(first.certificate)
        let end = try TunnelServer(
            certificate: { certificates.newest.withLock { $0 } },
            start: { certificate in
                var configuration = HTTPServer.Configuration(certificate: certificate)
                configuration.listens = false
                return try HTTPServer(
                    configuration, handler: { _ in .now(HTTPResponse(status: 200)) },
                    bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
            })
        let old = try #require(end.server)
        #expect(try !end.renew())
        #expect(end.server === old)
        certificates.newest.withLock { $0 = second.certificate }
        #expect(try end.renew())
        #expect(end.server !== old)
        #expect(try !end.renew())
        // One that is no certificate changes nothing.
        certificates.newest.withLock { $0.key = "" }
        #expect(throws: HTTPServerError.self) { try end.renew() }
        #expect(end.server != nil)
        try await onThread { end.stop() }
        #expect(end.server == nil)
        certificates.newest.withLock { $0 = first.certificate }
        #expect(try !end.renew())
    }
}
