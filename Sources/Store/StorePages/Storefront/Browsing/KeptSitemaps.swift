import Foundation
import StoreCore
import StoreHTTP
import Synchronization

/// Sitemaps as they were last made, good for an hour.
///
/// To make one reads thousands of items, and anyone may ask for it: one is made for everybody,
/// whatever they call the store, and only a few are made at a time.
final class KeptSitemaps: Sendable {
    /// As long as clients may keep them, too.
    static let lifetime: TimeInterval = 3600
    /// Seconds after which somebody may ask again where others are being made.
    static let retryDelay = 5
    private static let mostMade = 2
    private static let sizeLimit = 64 << 20
    /// Stands where the store's address belongs. Titles in addresses have no such signs.
    private static let mark = "http://~origin~"

    private struct Kept {
        /// The answer without its body, and the parts of that between the addresses.
        let response: HTTPResponse
        let parts: [Data]
        let size: Int
        let made: Date
    }

    private struct State {
        var kept: [String: Kept] = [:]
        var size = 0
        var making: Set<String> = []
    }

    private let state = Mutex(State())
    private let clock: any StoreClock

    init(clock: any StoreClock) {
        self.clock = clock
    }

    /// The sitemap at a path; nil where there is none.
    ///
    /// - Parameters:
    ///   - origin: the store's address, as the one who asks wrote it.
    ///   - make: makes the sitemap for the origin that it is given.
    func response(
        _ path: String, origin: String, make: (String) async throws -> HTTPResponse?
    ) async throws -> HTTPResponse? {
        let now = clock.now()
        let (known, isTurn) = state.withLock { state -> (Kept?, Bool) in
            let known = state.kept[path]
            if let known, abs(now.timeIntervalSince(known.made)) < Self.lifetime {
                return (known, false)
            }
            guard state.making.count < Self.mostMade, !state.making.contains(path) else {
                return (known, false)
            }
            state.making.insert(path)
            return (nil, true)
        }
        if let known { return Self.answer(known, origin) }
        guard isTurn else { return Self.busy }
        defer { state.withLock { _ = $0.making.remove(path) } }
        guard let made = try await make(Self.mark) else { return nil }
        guard case .data(let body) = made.body else { return made }
        return Self.answer(keep(body, of: made, at: path, now), origin)
    }

    private func keep(
        _ body: Data, of made: HTTPResponse, at path: String, _ now: Date
    ) -> Kept {
        let kept = Kept(
            response: HTTPResponse(status: made.status, headers: made.headers),
            parts: Self.parts(of: body), size: body.count, made: now)
        state.withLock { state in
            state.size += kept.size - (state.kept.updateValue(kept, forKey: path)?.size ?? 0)
            guard state.size > Self.sizeLimit else { return }
            state.kept = [path: kept]
            state.size = kept.size
        }
        return kept
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

    private static func answer(_ kept: Kept, _ origin: String) -> HTTPResponse {
        let address = Data(HTML.text(origin).markup().utf8)
        var body = Data(capacity: kept.size + kept.parts.count * address.count)
        for (number, part) in kept.parts.enumerated() {
            if number > 0 { body.append(address) }
            body.append(part)
        }
        var response = kept.response
        response.body = .data(body)
        return response
    }

    private static var busy: HTTPResponse {
        HTTPResponse(
            status: 503,
            headers: [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
                "Retry-After": String(retryDelay), "X-Content-Type-Options": "nosniff",
            ], body: Data("The store makes other sitemaps now. Try again.\n".utf8))
    }
}
