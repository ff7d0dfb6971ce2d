import StoreHTTP
import StoreModel

/// Counts answered requests by route, method and status, and how long they took by interface.
///
/// Everything has its place before the first request comes, so that a request costs a few
/// additions, and nobody can make the table grow: what no route takes is counted under `none`.
final class RequestMetrics: Sendable {
    /// The largest durations that are counted apart, microseconds.
    static let bounds = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000, 60_000_000,
    ]
    /// The statuses that are counted apart; 0 is a request that was never answered.
    private static let statuses = [
        0, 200, 201, 202, 204, 206, 302, 303, 304, 400, 401, 402, 403, 404, 405, 408, 409, 410,
        412, 413, 414, 415, 416, 421, 422, 423, 428, 429, 431, 500, 502, 503, 504, 507,
    ]
    /// For a status, its place in `statuses`; the one behind the last for others.
    private static let places: [UInt8] = (0..<600).map { status in
        UInt8(statuses.firstIndex(of: status) ?? statuses.count)
    }
    /// What is counted of an interface beside the durations: their sum.
    private static let width = bounds.count + 2
    static let none = "none"

    struct Count: Sendable, Hashable {
        let route: String
        let method: String
        /// The status, or `other`.
        let status: String
        let count: Int
    }

    struct Durations: Sendable, Hashable {
        let interface: String
        /// How many took up to each bound, and the rest; not added up.
        let counts: [Int]
        /// Seconds.
        let sum: Double
    }

    private let routes: [Router.Route]
    /// For each route, the place of its interface.
    private let interfaceOfRoute: [Int]
    private let interfaces: [String]
    /// Two lines for each route, the second for HEAD; behind them one for each method, and one for
    /// others, of what no route takes.
    private let counts: CounterRow
    private let durations: CounterRow
    private let bytes = CounterRow(count: 2)

    init(routes: [Router.Route]) {
        self.routes = routes
        let names = routes.map { Self.interface(of: $0.pattern) }
        interfaces = Array(Set(names)).sorted() + [Self.none]
        let places = Dictionary(uniqueKeysWithValues: interfaces.enumerated().map { ($1, $0) })
        interfaceOfRoute = names.map { places[$0, default: 0] }
        let lines = routes.count * 2 + HTTPMethod.allCases.count + 1
        counts = CounterRow(count: lines * (Self.statuses.count + 1))
        durations = CounterRow(count: interfaces.count * Self.width)
    }

    /// What a route is part of: the first segment of its pattern behind the environment.
    private static func interface(of pattern: String) -> String {
        let sandbox = StoreEnvironment.sandbox.pathPrefix
        let isSandbox = pattern.hasPrefix(scalars: sandbox + "/")
        let path = isSandbox ? pattern.dropFirst(sandbox.count) : pattern[...]
        let first = path.split(scalar: "/", maxSplits: 1).first ?? ""
        return first.isEmpty || first.hasPrefix(scalars: "{") ? "storefront" : String(first)
    }

    func add(_ record: HTTPServer.Record) {
        let line: Int
        let interface: Int
        if let route = record.trace.route, route < routes.count {
            line = route * 2 + (record.method == "HEAD" ? 1 : 0)
            interface = interfaceOfRoute[route]
        } else {
            let method = HTTPMethod(rawValue: record.method)
            let place = method.flatMap { HTTPMethod.allCases.firstIndex(of: $0) }
            line = routes.count * 2 + (place ?? HTTPMethod.allCases.count)
            interface = interfaces.count - 1
        }
        let isKnown = Self.places.indices.contains(record.status)
        let status = isKnown ? Int(Self.places[record.status]) : Self.statuses.count
        counts.add(1, to: line * (Self.statuses.count + 1) + status)
        let parts = record.duration.components
        let time = Int(parts.seconds) * 1_000_000 + Int(parts.attoseconds / 1_000_000_000_000)
        let bound = Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count
        durations.add(1, to: interface * Self.width + bound)
        durations.add(time, to: interface * Self.width + Self.width - 1)
        if record.received > 0 { bytes.add(record.received, to: 0) }
        if record.sent > 0 { bytes.add(record.sent, to: 1) }
    }

    /// Bytes of bodies, of requests and of answers.
    var bodyBytes: (received: Int, sent: Int) { (bytes[0], bytes[1]) }

    /// What was counted at all.
    func all() -> [Count] {
        let width = Self.statuses.count + 1
        return (0..<counts.count).compactMap { index -> Count? in
            let count = counts[index]
            guard count > 0 else { return nil }
            let (line, place) = (index / width, index % width)
            let status = place < Self.statuses.count ? String(Self.statuses[place]) : "other"
            if line < routes.count * 2 {
                let route = routes[line / 2]
                let method = line % 2 == 0 ? route.method.rawValue : "HEAD"
                return Count(route: route.pattern, method: method, status: status, count: count)
            }
            let method = line - routes.count * 2
            let methods = HTTPMethod.allCases
            return Count(
                route: Self.none,
                method: methods.indices.contains(method) ? methods[method].rawValue : "other",
                status: status, count: count)
        }
    }

    /// Of the interfaces that were called.
    func allDurations() -> [Durations] {
        interfaces.indices.compactMap { place -> Durations? in
            let line = (0..<Self.width).map { durations[place * Self.width + $0] }
            let counts = Array(line.dropLast())
            guard counts.contains(where: { $0 > 0 }) else { return nil }
            return Durations(
                interface: interfaces[place], counts: counts,
                sum: Double(line[Self.width - 1]) / 1_000_000)
        }
    }
}
