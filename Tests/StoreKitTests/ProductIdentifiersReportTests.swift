import Foundation
import StoreHTTP
@testable import StoreKit
import StoreTestSupport
import Testing

struct ProductIdentifiersReports {
    @Test func `a set of invalid identifiers is reported once, also after a relaunch`() async throws
    {
        let server = try ListServer()
        server.answers(204)
        await server.list().reportInvalid(["b", "a", "b"])
        await server.list().reportInvalid(["a", "b"])
        let requests = server.takeRequests()
        #expect(requests.count == 1)
        #expect(requests.first?.method == "POST")
        #expect(requests.first?.path == "/invalid")
        #expect(requests.first?.headers["Content-Type"] == "application/json")
        #expect(
            requests.first?.body == Data(#"{"invalidProductIdentifiers":["a","b"]}"#.utf8))
        await server.list().reportInvalid(["a"])
        #expect(server.takeRequests().count == 1)
    }

    @Test func `nothing is reported where nothing is invalid`() async throws {
        let server = try ListServer()
        await server.list().reportInvalid([])
        #expect(server.takeRequests().isEmpty)
    }

    @Test func `a refused report is logged and tried again`() async throws {
        let server = try ListServer()
        server.answers(500)
        await server.list().reportInvalid(["a"])
        #expect(server.log.contains { $0.contains("status 500") })
        server.answers(200)
        await server.list().reportInvalid(["a"])
        #expect(server.takeRequests().count == 2)
    }

    @Test func `a report to nobody is logged`() async throws {
        let server = try ListServer()
        try await server.goOffline()
        await server.list().reportInvalid(["a"])
        #expect(server.log.count == 1)
    }
}
