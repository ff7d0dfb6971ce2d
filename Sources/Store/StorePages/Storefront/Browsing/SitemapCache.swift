import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import Synchronization

/// Sitemaps as they were last made, good for an hour.
///
/// To make one reads thousands of items, and anyone may ask for it: one is made for everybody,
/// whatever they call the store, and only a few are made at a time.
final class SitemapCache: Sendable {
    /// As long as clients may keep them, too.
    static let lifetime: TimeInterval = 3600
    /// Seconds after which somebody may ask again where others are being made.
    static let retryDelay = 5
    private static let mostMade = 2
    /// Stands where the store's address belongs. Titles in addresses have no such signs.
    private static let mark = "http://~origin~"

    private struct Sitemap {
        /// The answer without its body, and the parts of that between the addresses.
        let response: HTTPResponse
        let parts: [Data]
        let size: Int
    }

    private let sitemaps: Cache<String, Sitemap>
    /// The numbers of files, under one key; with those of an hour before, which indexes that
    /// somebody has kept still name.
    private let starts: Cache<Int, (now: [ItemID], before: [ItemID])>
    /// The paths of those that are being made.
    private let making = Mutex<Set<String>>([])

    init(clock: any StoreClock) {
        sitemaps = Cache(
            limit: 64 << 20, entryLimit: 32 << 20, cost: { $1.size }, lifetime: Self.lifetime,
            now: clock.now)
        starts = Cache(limit: 2, lifetime: Self.lifetime, now: clock.now)
    }

    /// The numbers that files have, and those that they had before.
    func starts(of pages: SitemapPages) async throws -> (now: [ItemID], before: [ItemID]) {
        try await starts.value(for: 0) {
            (try await pages.starts(), starts.lastValue(for: 0)?.now ?? [])
        }
    }

    /// The sitemap at a path; nil where there is none.
    ///
    /// - Parameters:
    ///   - origin: the store's address, as the one who asks wrote it.
    ///   - make: makes the sitemap for the origin that it is given.
    func response(
        _ path: String, origin: String, make: (String) async throws -> HTTPResponse?
    ) async throws -> HTTPResponse? {
        if let known = sitemaps.value(for: path) { return Self.answer(known, origin) }
        let isTurn = making.withLock { making in
            making.count < Self.mostMade && making.insert(path).inserted
        }
        // An old one is better than none.
        guard isTurn else {
            return sitemaps.lastValue(for: path).map { Self.answer($0, origin) } ?? Self.busy
        }
        defer { making.withLock { _ = $0.remove(path) } }
        // Somebody may just have made it.
        if let known = sitemaps.value(for: path) { return Self.answer(known, origin) }
        guard let made = try await make(Self.mark) else { return nil }
        guard case .data(let body) = made.body else { return made }
        let sitemap = Sitemap(
            response: HTTPResponse(status: made.status, headers: made.headers),
            parts: Self.parts(of: body), size: body.count)
        sitemaps.insert(sitemap, for: path)
        return Self.answer(sitemap, origin)
    }

    private static func parts(of body: Data) -> [Data] {
        let mark = Data(Self.mark.utf8)
        var parts: [Data] = []
        var start = body.startIndex
        while let found = body.range(of: mark, in: start..<body.endIndex) {
            parts.append(body[start..<found.lowerBound])
            start = found.upperBound
        }
        return parts + [body[start...]]
    }

    private static func answer(_ sitemap: Sitemap, _ origin: String) -> HTTPResponse {
        let address = Data(HTML.text(origin).markup().utf8)
        var body = Data(capacity: sitemap.size + sitemap.parts.count * address.count)
        for (number, part) in sitemap.parts.enumerated() {
            if number > 0 { body.append(address) }
            body.append(part)
        }
        var response = sitemap.response
        response.body = .data(body)
        return response
    }

    private static var busy: HTTPResponse {
        .plainText(
            "The store makes other sitemaps now. Try again.", status: 503,
            ["Retry-After": String(retryDelay)])
    }
}
