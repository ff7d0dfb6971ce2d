import Foundation
import FoundationNetworking
import StoreTestSupport
import Testing

/// `openstore` over a PostgreSQL server, and the way of a shop there.
struct DatabaseCommands {
    private struct Copy: Decodable {
        struct Table: Decodable {
            let name: String
            let rows: Int
            let checksum: String
        }
        let tables: [Table]
        let rows: Int
        let pauseMilliseconds: Int
    }

    @Test func `while the database is away pages ask for patience, and come back by themselves`()
        async throws
    {
        var shop = try await Shop(noiseBytes: 1000)
        // Whoever comes first starts the server; it goes away with its last user.
        let place = try await onThread { try PostgresTestDatabase(isEmpty: true) }
        defer { withExtendedLifetime(place) {} }
        _ = try await shop.command([
            "database", "copy", "--from", "sqlite:\(shop.data)/store.sqlite", "--to", place.address,
        ])
        shop.environment["OPENSTORE_DATABASE"] = place.address
        let (server, address) = try await shop.serve()
        let pages = ["/us/", "/lookup?id=1", "/search?term=word", "/connect/", "/orders"]
        func statuses() async throws -> [String] {
            var statuses: [String] = []
            for page in pages {
                let url = try #require(URL(string: address + page))
                let answer = try await url.fetched().response
                let delay = answer.value(forHTTPHeaderField: "Retry-After")
                statuses.append("\(answer.statusCode)" + (delay.map { " " + $0 } ?? ""))
            }
            return statuses
        }
        let before = try await statuses()
        #expect(!before.contains { $0.hasPrefix("5") }, "\(before)")
        @discardableResult
        func run(_ sql: String) async throws -> [[String?]] {
            try await onThread { try place.server.run(sql, on: "postgres") }
        }
        try await run("ALTER DATABASE \(place.name) WITH ALLOW_CONNECTIONS false")
        try await until {
            try await run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(place.name)'
                """
            ).isEmpty
        }
        let away = try await statuses()
        // What is in memory, or needs no row, is answered still.
        #expect(away.allSatisfy { $0 == "503 1" || before.contains($0) }, "\(away)")
        #expect(away[2] == "503 1", "\(away)")
        try await run("ALTER DATABASE \(place.name) WITH ALLOW_CONNECTIONS true")
        #expect(try await statuses() == before)
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test func `a running shop moves, and is served and changed where it is now`() async throws {
        var shop = try await Shop(noiseBytes: 1000)
        // Whoever comes first starts the server; it goes away with its last user.
        let place = try await onThread { try PostgresTestDatabase(isEmpty: true) }
        defer { withExtendedLifetime(place) {} }
        let source = "sqlite:\(shop.data)/store.sqlite"
        let (server, address) = try await shop.serve()
        try await buy(SampleShop.badge, on: "phone", of: shop, at: address)
        let output = try await shop.command([
            "database", "copy", "--from", source, "--to", place.address, "--json",
        ])
        let copy = try JSONDecoder().decode(Copy.self, from: Data(output.utf8))
        #expect(copy.tables.first { $0.name == "ledger" }?.rows == 1)
        #expect(copy.tables.first { $0.name == "product" }.map { $0.rows > 0 } == true)
        server.send(SIGTERM)
        _ = await server.end()

        // The old one says where the shop is.
        let old = try await Program.run(
            "openstore", ["serve", "--data", shop.data, "--listen", "127.0.0.1:0"])
        #expect(old.code == 1)
        #expect(old.errors.contains("the shop has moved to postgres://"), "\(old.errors)")

        shop.environment["OPENSTORE_DATABASE"] = place.address
        let (new, there) = try await shop.serve()
        try await buy(SampleShop.badge, on: "tablet", of: shop, at: there)
        let sold = try await onThread { try place.run("SELECT count(*) FROM openstore.ledger") }
        #expect(sold == [["2"]])
        new.send(SIGTERM)
        #expect(await new.end().code == 0)
    }

    private func buy(
        _ product: String, on device: String, of shop: Shop, at address: String
    ) async throws {
        let environment = try await shop.device(device, address: address)
        let result = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(product):1"], environment: environment)
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test(arguments: [
        (["serve", "--database", "mysql://shop:hidden@db/shop"], 64, "postgres://user@host/name"),
        (["serve", "--database", "postgres://shop:hidden@127.0.0.1:1/shop"], 1, "127.0.0.1:1"),
        (["database", "copy", "--from", "sqlite:/nowhere"], 64, "--to"),
        (
            ["database", "copy", "--from", "sqlite:/nowhere", "--to", "sqlite:/nowhere/else"], 1,
            "there is no database"
        ),
    ])
    func `what is wrong with a database is said without its password`(
        _ words: [String], _ code: Int32, _ text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "openstore", words, environment: ["OPENSTORE_DATA": folder.file("store").path])
        #expect(result.code == code, "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(!result.errors.contains("hidden"))
    }
}
