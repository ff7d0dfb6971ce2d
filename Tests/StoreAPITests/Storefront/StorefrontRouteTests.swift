import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

/// Walks the table of routes: anyone may ask, nobody can change anything.
@Suite struct StorefrontRouteTests {
    /// A path of a row, with values in the places of its parameters.
    private static func path(_ row: StorefrontRouteTable.Row) -> String {
        var path = row.pattern
        for (name, value) in [
            ("{country}", "us"), ("{feed}", "topsongs"), ("{format}", "json"),
            ("{id}", "id\(SearchShop.chess)"), ("{part0}", "limit=5"), ("{part1}", "genre=34"),
            ("{part2}", "explicit=true"), ("{part3}", "x=y"),
        ] {
            path = path.replacingOccurrences(of: name, with: value)
        }
        return path
    }

    @Test func `every route is for anyone, and reads only`() async throws {
        let shop = try await SearchShop()
        let before = try await shop.shop.store.services.database.storefrontGeneration()
        for row in StorefrontRouteTable.rows {
            #expect(row.access == .anyone && row.method == .get)
            for prefix in ["", "/sandbox"] {
                let path = prefix + Self.path(row)
                let response = try await shop.get(path, [("term", "chess")])
                #expect(response.status == 200, "\(path)")
                #expect(response.headers["Set-Cookie"] == nil)
                let head = try await shop.get(path, [("term", "chess")], method: "HEAD")
                #expect(head.status == 200 && head.data.isEmpty, "\(path)")
                let post = try await shop.get(path, [("term", "chess")], method: "POST")
                #expect(post.status == 405, "\(path)")
            }
        }
        #expect(
            Set(StorefrontRouteTable.rows.map(\.operation)) == Set(StorefrontOperation.allCases))
        #expect(try await shop.shop.store.services.database.storefrontGeneration() == before)
    }

    @Test func `who has an answer is told that it is the same`() async throws {
        let shop = try await SearchShop()
        for path in ["/search", "/us/rss/topsongs/xml", "/us/customer-reviews/id8000001"] {
            let first = try await shop.get(path, [("term", "chess")])
            let tag = try #require(first.headers["ETag"])
            let again = try await shop.get(
                path, [("term", "chess")], headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.data.isEmpty)
            #expect(again.headers["ETag"] == tag)
            let other = try await shop.get(
                path, [("term", "chess")], headers: ["If-None-Match": "\"x\""])
            #expect(other.status == 200 && other.data == first.data)
        }
    }

    @Test func `a change is seen by the next request`() async throws {
        let shop = try await SearchShop()
        let query = [("id", "\(SearchShop.chess)")]
        for title in ["Chess Evening", "Chess Morning", "Chess Night"] {
            try await shop.shop.store.database.write { repositories in
                var item = try #require(try repositories.items.item(SearchShop.chess))
                item.details.texts["en_US"] = ItemText(title: title)
                try repositories.items.update(item, at: item.changed)
            }
            for _ in 1...2 {
                let result = try await shop.results("/lookup", query).first
                #expect(result?["trackName"] as? String == title)
                let found = try await shop.results("/search", [("term", title)]).first
                #expect(found?["trackName"] as? String == title)
            }
        }
        try await shop.shop.store.database.write { repositories in
            var item = try #require(try repositories.items.item(SearchShop.chess))
            item.state = .removed
            try repositories.items.update(item, at: item.changed)
        }
        #expect(try await shop.ids("/lookup", query).isEmpty)
    }

    @Test func `links begin with the address by which the client came`() async throws {
        let shop = try await SearchShop()
        let query = [("id", "\(SearchShop.chess)")]
        for (headers, base) in [
            (["X-Forwarded-Proto": "https"], "https://127.0.0.1"), ([:], "http://127.0.0.1"),
        ] as [(HTTPHeaders, String)] {
            let response = try await shop.get("/lookup", query, headers: headers)
            #expect(response.text.contains("\"trackViewUrl\":\"\(base)/us/app/"))
        }
    }

    @Test func `an answer has each result on a line of its own`() async throws {
        let shop = try await SearchShop()
        let plain = try await shop.get("/search", [("term", "chess")])
        let limited = try await shop.get("/search", [("term", "chess"), ("limit", "60")])
        #expect(plain.data == limited.data)
        let lines = plain.text.split(separator: "\n", omittingEmptySubsequences: true)
        // The envelope's first two lines and its last, and one line for each result.
        #expect(lines.first == "{" && lines.last == "}")
        #expect(lines.filter { $0.hasPrefix("{\"") }.count == 4)
        #expect(plain.text.hasPrefix("\n"))
    }
}
