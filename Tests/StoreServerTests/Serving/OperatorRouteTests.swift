import Foundation
import StoreHTTP
import StoreServer
import StoreTestSupport
import Testing

struct OperatorRouteTests {
    @Test(arguments: OperatorRouteTable.rows)
    func `a route for operators is not there for others`(row: OperatorRouteTable.Row) async throws {
        let store = try await ListeningStore()
        let isForAll = row.access == .anyone
        // A busy machine is not ready at once.
        try await until { try await store.get(row.pattern).status == 200 }
        // Whoever comes by way of a proxy on this machine is somebody else.
        for header in [
            ("X-Forwarded-For", "192.0.2.1"), ("X-Real-IP", "192.0.2.1"), ("Via", "1.1 proxy"),
            ("Forwarded", "for=192.0.2.1"), ("X-Forwarded-Proto", "https"),
        ] {
            let answer = try await store.get(row.pattern, HTTPHeaders([header]))
            // A busy machine is not ready for some time.
            #expect((isForAll ? [200, 503] : [404]).contains(answer.status), "\(header)")
            let nothing = try await store.get("/nothing", HTTPHeaders([header]))
            if !isForAll {
                #expect(
                    answer.text
                        == nothing.text.replacingOccurrences(of: "/nothing", with: row.pattern))
            }
        }
    }

    @Test func `metrics are for those whom the settings name`() async throws {
        let readers = try #require(AddressSet("192.0.2.0/24"))
        let store = try await ListeningStore { $0.metricsReaders = readers }
        for (client, status) in [
            ("192.0.2.1", 200), ("192.0.3.1", 404), ("192.0.2.1, 198.51.100.7", 404),
            ("198.51.100.7, 192.0.2.1", 200),
        ] {
            #expect(
                try await store.get("/metrics", ["X-Forwarded-For": client]).status == status,
                "\(client)")
        }
        // Nobody is a proxy here: what the field says is not believed.
        let strict = try await ListeningStore {
            $0.metricsReaders = readers
            $0.trustedProxies = .none
        }
        #expect(
            try await strict.get("/metrics", ["X-Forwarded-For": "192.0.2.1"]).status == 404)
        #expect(try await strict.get("/metrics").status == 200)
    }

    @Test func `other methods have no effect`() async throws {
        let store = try await ListeningStore()
        for row in OperatorRouteTable.rows {
            for method in ["POST", "PUT", "DELETE", "PATCH"] {
                let answer = try await LoopbackClient(port: store.server.port)
                    .send(HTTPRequest(method: method, path: row.pattern))
                #expect(answer.status == 405)
                #expect(answer.headers["Allow"] == "GET, HEAD")
            }
        }
    }
}
