import Foundation
import StoreHTTP
import StoreTestSupport

/// Makes requests to all routes of a store, the same ones for the same seed. Each unicode scalar
/// stands in some of them.
struct RequestGenerator {
    private static let names = [
        "account", "after", "attributes", "bundleId", "C", "cursor", "data", "description", "email",
        "environment", "fields[apps]", "filter[app]", "filter[name]", "filter[territory]",
        "form", "id", "include", "kind", "l", "limit", "locale", "name", "note", "number", "page",
        "password", "platform", "price", "productId", "productIds", "purchaseKey", "quantity",
        "rank",
        "rating", "reason", "receipt-data", "relationships", "revision", "sort", "startDate",
        "state",
        "storefront", "term", "text", "title", "token", "transactionId", "type", "uploaded",
        "value",
        "version",
    ]
    private static let scalarCount = 0x11_0000

    private var random: SeededRandom
    /// The next scalar that no request had yet.
    private var scalar: Int
    private let scalarsOfRequest: Int

    /// - Parameters:
    ///   - requests: among how many requests the scalars are divided.
    ///   - first: the number of the first of them that this generator makes.
    init(seed: UInt64, requests: Int, first: Int) {
        random = SeededRandom(seed: seed &+ UInt64(first))
        scalarsOfRequest = max(4, Self.scalarCount / requests + 1)
        scalar = first * scalarsOfRequest % Self.scalarCount
    }

    mutating func request(to shop: FilledShop.Copy, of filled: FilledShop) -> HTTPRequest {
        let routes = shop.router.routes
        let route = routes[random.below(routes.count)]
        let kind =
            random.chance(80)
            ? FilledShop.Kind(of: route.pattern)
            : FilledShop.Kind.allCases.randomElement(using: &random)!
        let sender = filled.senders[kind]?.randomElement(using: &random) ?? FilledShop.Sender()
        let fresh = freshScalars()
        let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { segment in
                guard segment.first == "{" else { return String(segment) }
                return random.chance(70) ? filled.known.randomElement(using: &random)! : fresh
            }
            .joined(separator: "/")
        var request = HTTPRequest(
            method: route.method.rawValue, path: path, query: pairs(filled, fresh),
            headers: HTTPHeaders(sender.headers), peer: "127.0.0.1")
        request.statedOrigin = "http://store.example"
        guard route.method != .get else { return request }
        if let token = sender.formToken {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = form(pairs(filled, fresh) + [("form", token)])
        } else {
            request.headers["Content-Type"] = "application/json"
            request.body = json(filled, fresh)
        }
        return request
    }

    private mutating func freshScalars() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<scalarsOfRequest {
            if let next = Unicode.Scalar(UInt32(scalar)), next != "\u{0}" { text.append(next) }
            scalar = (scalar + 1) % Self.scalarCount
        }
        return String(text)
    }

    /// Nothing that waits is asked for: the clock stands still.
    private mutating func pairs(
        _ filled: FilledShop, _ fresh: String
    ) -> [(name: String, value: String)] {
        var pairs = [(name: Self.names.randomElement(using: &random)!, value: fresh)]
        for _ in 0..<random.below(6) {
            pairs.append(
                (Self.names.randomElement(using: &random)!, word(filled, fresh)))
        }
        return pairs
    }

    private mutating func word(_ filled: FilledShop, _ fresh: String) -> String {
        switch random.below(5) {
        case 0: fresh
        case 1: HostileStrings.all.randomElement(using: &random)!
        case 2: "\(Int64.random(in: .min ... .max, using: &random) >> random.below(64))"
        case 3: String(repeating: fresh, count: random.below(20))
        default: filled.known.randomElement(using: &random)!
        }
    }

    private func form(_ pairs: [(name: String, value: String)]) -> Data {
        func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return Data(
            pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&").utf8)
    }

    private mutating func json(_ filled: FilledShop, _ fresh: String) -> Data {
        var value = object(filled, fresh, depth: 0)
        if random.chance(60) {
            value = [
                "data": [
                    "type": word(filled, fresh), "id": word(filled, fresh), "attributes": value,
                    "relationships": object(filled, fresh, depth: 0),
                ]
            ]
        }
        return (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
    }

    private mutating func object(
        _ filled: FilledShop, _ fresh: String, depth: Int
    ) -> [String: Any] {
        var members: [String: Any] = [:]
        for (name, text) in pairs(filled, fresh) {
            switch random.below(depth < 4 ? 7 : 4) {
            case 0: members[name] = random.below(1_000_000)
            case 1: members[name] = random.chance(50)
            case 2, 3: members[name] = text
            case 4: members[name] = [text, object(filled, fresh, depth: depth + 1)]
            default: members[name] = object(filled, fresh, depth: depth + 1)
            }
        }
        return members
    }
}
