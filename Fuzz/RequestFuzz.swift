import Foundation
import StoreHTTP
import StoreServer
import StoreTestSupport
import Synchronization

/// The number of inputs for one store, before a fresh one takes its place: what one request makes is
/// there for the next ones, and nothing grows without an end.
private let inputsPerStore = 500

private let filled = wait {
    do { return try await FilledShop() } catch { fail("no store: \(error)") }
}
/// What the store has reported of late.
private let reported = Mutex<[String]>([])
// Unsafe: libFuzzer calls the function below from one thread, one input after the other.
nonisolated(unsafe) private var shop: FilledShop.Copy?
nonisolated(unsafe) private var inputs = 0

/// Sends requests to the router of a store with products, items, customers and publishers. A
/// request is its route's number in two bytes, who sends it, its method, for each of the path's
/// parameters a part, and one each for query, header and body; see `FuzzRequest`. An answer of 500
/// and more is wrong, unless it says when to ask again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if inputs % inputsPerStore == 0 {
        shop?.close()
        shop = must {
            try filled.copy(
                log: EventLog { line in reported.withLock { $0 = $0.suffix(9) + [line] } })
        }
    }
    inputs += 1
    guard let shop else { return 0 }
    var input = Input(bytes, count)
    for _ in 0..<4 where !input.isEmpty {
        let request = FuzzRequest.read(&input, shop)
        let response = wait { await shop.answer(to: request) }
        demand(
            response.status < 500 || response.headers["Retry-After"] != nil,
            """
            \(request.method) \(request.path) \(request.query) is answered with \
            \(response.status): \(reported.withLock { $0.suffix(3).joined(separator: "; ") })
            """)
        if case .file(let slice) = response.body { withExtendedLifetime(slice) {} }
    }
    return 0
}

/// How the bytes of an input become a request.
private enum FuzzRequest {
    static func read(_ input: inout Input, _ shop: FilledShop.Copy) -> HTTPRequest {
        let routes = shop.router.routes
        let route = routes[input.number(below: 65_536) % routes.count]
        let sender = Self.sender(Int(input.byte()), of: route.pattern)
        let other = input.byte()
        let method =
            other < 250 ? route.method.rawValue : HTTPMethod.allCases[Int(other) - 250].rawValue
        let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.first == "{" ? parameter(&input) : String($0) }
            .joined(separator: "/")
        var request = HTTPRequest(method: method, path: path, peer: "127.0.0.1")
        request.query = pairs(&input)
        request.headers = HTTPHeaders(sender.headers)
        for (name, value) in pairs(&input) { request.headers.append(name, value) }
        request.body = input.part()
        request.statedOrigin = "http://store.example"
        if method == "POST", let token = sender.formToken, request.headers["Content-Type"] == nil {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Data("form=\(token)&".utf8) + request.body
        }
        return request
    }

    /// Usually somebody whom the route is for, sometimes anybody.
    private static func sender(_ number: Int, of pattern: String) -> FilledShop.Sender {
        let suitable = filled.senders[FilledShop.Kind(of: pattern)] ?? []
        let all = FilledShop.Kind.allCases.flatMap { filled.senders[$0] ?? [] }
        let group = number < 192 && !suitable.isEmpty ? suitable : all
        return group[number % group.count]
    }

    /// A value that the store knows, by the number that the part begins with; else the text of it.
    private static func parameter(_ input: inout Input) -> String {
        var part = Input(input.part())
        let number = Int(part.byte())
        return number < filled.known.count ? filled.known[number] : part.text()
    }

    /// `a=b` in lines. What waits for something does not wait here.
    private static func pairs(_ input: inout Input) -> [(name: String, value: String)] {
        input.text().split(separator: "\n").prefix(20).compactMap { line in
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides[0] != "wait" else { return nil }
            return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
        }
    }
}
