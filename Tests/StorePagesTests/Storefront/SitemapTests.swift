import Foundation
import FoundationXML
import StoreCore
import StoreModel
import StorePages
import StoreTestSupport
import Testing

/// What search engines are told about the pages that there are.
@Suite struct SitemapTests {
    private func addresses(_ text: String) throws -> [String] {
        #expect(XMLParser(data: Data(text.utf8)).parse())
        return text.matches(of: /<loc>([^<]*)<\/loc>/).map { String($0.output.1) }
    }

    @Test func `every page of an item on sale is in one file of each country that sells it`()
        async throws
    {
        let shop = try await StorefrontShop()
        var ids: [ItemID] = []
        for number in 1...7 { ids.append(try await shop.add("Engines \(number) & <more>")) }
        let german = try await shop.add("Nur hier") { $0.prices = ItemPrices(own: ["DEU": 990]) }
        try await shop.change(ids[2]) { $0.state = .removed }
        let pages = SitemapPages(
            shop.shop.store.services.storefront, origin: "https://store.example")
        let starts = try await pages.starts(itemsPerFile: 3)
        let index = try addresses(pages.index(starts).text)
        // Seven items on sale are three files of each country.
        #expect(index.count == 3 * Storefront.all.count)
        var found: [String: [String]] = [:]
        for address in index {
            let parts = address.split(separator: "/")
            try #require(parts.count == 5, "\(address)")
            #expect(address.hasPrefix("https://store.example/sitemaps/"))
            let country = try #require(Storefront.named(String(parts[3])))
            let file = try #require(
                try await pages.file(String(parts[4]), of: country, starts, itemsPerFile: 3))
            found[String(parts[3]), default: []] += try addresses(file.text)
        }
        let sold = ids.filter { $0 != ids[2] }
        #expect(
            found["us"]
                == ["https://store.example/us"]
                + sold.map { id in
                    let number = ids.firstIndex(of: id)! + 1
                    return "https://store.example/us/book/engines-\(number)-more/id\(id)"
                })
        #expect(
            found["de"]
                == [
                    "https://store.example/de",
                    "https://store.example/de/book/nur-hier/id\(german)",
                ])
        #expect(found["jp"]?.count == 7)
        #expect(found["fr"] == ["https://store.example/fr"])
    }

    @Test func `robots are told where it is, and each address leads to a page`() async throws {
        let shop = try await StorefrontShop()
        try await shop.add("Engines")
        let host = "http://127.0.0.1"
        #expect(
            try await shop.get("/robots.txt").text.contains("\nSitemap: \(host)/sitemap.xml\n"))
        let index = try await shop.get("/sitemap.xml")
        #expect(index.status == 200)
        #expect(index.headers["Content-Type"] == "application/xml; charset=utf-8")
        let files = try addresses(index.text)
        let file = try #require(files.first { $0.contains("/us/") })
        let pages = try addresses(
            try await shop.get(String(file.dropFirst(host.utf8.count))).text)
        #expect(pages.count == 2)
        for page in pages {
            #expect(try await shop.get(String(page.dropFirst(host.utf8.count))).status == 200)
        }
    }

    @Test func `one is made in an hour, whatever the store is called by who asks`() async throws {
        let clock = SettableClock()
        let shop = try await StorefrontShop(clock: clock)
        try await shop.add("Engines")
        func text(_ host: String) async throws -> String {
            try await shop.get("/sitemaps/us/0.xml", headers: [("Host", host)]).text
        }
        let first = try await text("one.example")
        #expect(first.contains("<loc>http://one.example/us/book/engines/"))
        try await shop.add("Wheels")
        let second = try await text("two.example")
        #expect(second == first.replacingOccurrences(of: "one.example", with: "two.example"))
        clock.advance(by: 3600)
        #expect(try await text("one.example").contains("/us/book/wheels/"))
    }

    @Test(arguments: [
        "/sitemaps/us/x.xml", "/sitemaps/us/1", "/sitemaps/us/-1.xml", "/sitemaps/us/01.xml",
        "/sitemaps/us/17.xml", "/sitemaps/zz/0.xml", "/sitemaps/us/99999999999999999999.xml",
        "/sandbox/sitemap.xml",
    ])
    func `a name of no file is nothing`(path: String) async throws {
        let shop = try await StorefrontShop()
        #expect(try await shop.get(path).status == 404)
    }
}
