import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The addresses of all pages, for search engines (sitemaps.org): an index, and for each country
/// files with a part of the items each.
///
/// A file is read from the database in steps, and named by its first item's number: what is added
/// later comes into the last one.
package struct SitemapPages: Sendable {
    /// As many items as a file has; the protocol allows 50,000 addresses.
    package static let itemsPerFile = 10_000
    /// As many files as the protocol allows in an index.
    private static let mostFiles = 50_000
    private static let step = 1_000
    private static let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

    private let storefront: StorefrontService
    private let origin: String

    package init(_ storefront: StorefrontService, origin: String) {
        self.storefront = storefront
        self.origin = origin
    }

    /// Where the index is.
    static let indexPath = "/sitemap.xml"

    /// The numbers that files have, and what each begins with.
    ///
    /// - Parameter itemsPerFile: smaller for tests.
    package func starts(itemsPerFile: Int = Self.itemsPerFile) async throws -> [ItemID] {
        var starts = [ItemID(number: 0)]
        while let next = try await storefront.itemOnSale(
            after: itemsPerFile, from: starts[starts.count - 1])
        {
            starts.append(next)
        }
        return starts
    }

    package func index(_ starts: [ItemID]) -> HTTPResponse {
        let files = starts.flatMap { start in
            Storefront.all.map { "/sitemaps/\($0.country.lowercased())/\(start).xml" }
        }
        var text = Self.begin("sitemapindex")
        for file in files.prefix(Self.mostFiles) {
            text += "<sitemap><loc>\(Self.escaped(origin + file))</loc></sitemap>\n"
        }
        return Self.response(text + "</sitemapindex>\n")
    }

    /// The part of a country's items that begins with a number; nil for a name of no file.
    ///
    /// - Parameter starts: the numbers that files have: any other would be one more to be made.
    package func file(
        _ name: String, of country: Storefront, _ starts: [ItemID],
        itemsPerFile: Int = Self.itemsPerFile
    ) async throws -> HTTPResponse? {
        guard let start = starts.first(where: { "\($0).xml" == name }) else { return nil }
        let links = StorefrontLinks(base: origin)
        var text = Self.begin("urlset")
        if start == starts[0] {
            text += "<url><loc>\(Self.escaped(links.home(of: country)))</loc></url>\n"
        }
        var next = start
        var left = itemsPerFile
        while left > 0 {
            let items = try await storefront.itemsOnSale(from: next, limit: min(left, Self.step))
            for item in items where item.details.prices.isShown(in: country) {
                let title = item.details.text(locale: country.locale).title
                let address = links.page(of: item, title: title, in: country)
                text += "<url><loc>\(Self.escaped(address))</loc>"
                text += "<lastmod>\(item.changed.formatted(.iso8601))</lastmod></url>\n"
            }
            guard let last = items.last else { break }
            left -= items.count
            next = ItemID(number: last.id.number + 1)
        }
        return Self.response(text + "</urlset>\n")
    }

    private static func begin(_ element: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(element) xmlns=\"\(namespace)\">\n"
    }

    /// The host in an address is the browser's to say.
    private static func escaped(_ address: String) -> String {
        HTML.text(address).markup()
    }

    private static func response(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "max-age=3600",
                "X-Content-Type-Options": "nosniff",
            ], body: Data(text.utf8))
    }
}
