import Foundation
@testable import StoreAPI
import StoreHTTP
import StoreTestSupport
import StoreWire
import Testing

/// What the server says by itself, before or instead of a route: in the form of what is there.
@Suite struct EdgeAnswerTests {
    @Test(
        arguments: ["", "/sandbox"],
        [
            ("GET", true, 5_000_001), ("GET", false, 5_000_001), ("PUT", false, 5_000_001),
            ("PUT", true, 5_000_000), ("POST", true, 5_000_000), ("DELETE", true, 5_000_000),
        ] as [(method: String, hasBegun: Bool, code: Int)])
    func `a store that stops says whether a request of a publisher's server is safe to repeat`(
        prefix: String, request: (method: String, hasBegun: Bool, code: Int)
    ) throws {
        let response = StoreRoutes.stopping(
            HTTPServer.Unanswered(
                method: request.method, path: prefix + "/inApps/v1/transactions/5/finish",
                hasBegun: request.hasBegun))
        #expect(response.status == 500)
        #expect(try response.serverError().code.rawValue == request.code)
    }

    @Test func `devices are told so in their own form`() throws {
        let response = StoreRoutes.stopping(
            HTTPServer.Unanswered(method: "POST", path: "/device/v1/products", hasBegun: true))
        #expect(try response.failure().code == .storeUnavailable)
    }

    @Test(arguments: ["/verifyReceipt?x=%00", "/sandbox/verifyReceipt?x=%00y"])
    func `an address with a NUL is a malformed receipt where receipts are verified`(
        target: String
    ) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = LoopbackClient(port: shop.server.port)
        let bytes = "POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
        let response = try LoopbackClient.parse(try await client.exchange(Data(bytes.utf8)))
        #expect(response.status == 200)
        #expect(response.text == #"{"status":21002}"#)
    }
}
