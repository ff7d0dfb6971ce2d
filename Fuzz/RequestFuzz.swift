import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreSecurity
import StoreTestSupport
import StoreWire
import Synchronization

@testable import StoreAPI
@testable import StoreServer

/// The number of inputs for one store, before a fresh one takes its place: what one request makes is
/// there for the next ones, and nothing grows without an end.
private let inputsPerStore = 500

nonisolated(unsafe) private var shop: FuzzShop?
nonisolated(unsafe) private var inputs = 0

/// Sends requests to the router of a store with products, items, customers and publishers. A
/// request is its route's number in two bytes, who sends it, its method, for each of the path's
/// parameters a part, and one each for query, header and body; see `FuzzRequest`. An answer of 500
/// and more is wrong, unless it says when to ask again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if inputs % inputsPerStore == 0 {
        shop?.close()
        shop = wait { await FuzzShop.open() }
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
            \(response.status): \(shop.problems)
            """)
        if case .file(let slice) = response.body { withExtendedLifetime(slice) {} }
    }
    return 0
}

/// How the bytes of an input become a request.
private enum FuzzRequest {
    static func read(_ input: inout Input, _ shop: FuzzShop) -> HTTPRequest {
        let route = shop.routes[input.number(below: 65_536) % shop.routes.count]
        let sender = shop.sender(Int(input.byte()), of: route.pattern)
        let other = input.byte()
        let method =
            other < 250 ? route.method.rawValue : HTTPMethod.allCases[Int(other) - 250].rawValue
        let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.first == "{" ? parameter(String($0), &input, shop) : String($0) }
            .joined(separator: "/")
        var request = HTTPRequest(method: method, path: path, peer: "127.0.0.1")
        request.query = pairs(&input, shop)
        request.headers = HTTPHeaders(sender.headers)
        for (name, value) in pairs(&input, shop) { request.headers.append(name, value) }
        request.body = input.part()
        request.statedOrigin = "http://store.example"
        if method == "POST", let token = sender.formToken, request.headers["Content-Type"] == nil {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = Data("form=\(token)&".utf8) + request.body
        }
        return request
    }

    /// A value that the store knows, by the number that the part begins with; else the text of it.
    private static func parameter(
        _ name: String, _ input: inout Input, _ shop: FuzzShop
    ) -> String {
        var part = Input(input.part())
        let number = Int(part.byte())
        return number < shop.known.count ? shop.known[number] : part.text()
    }

    /// `a=b` in lines. What waits for something does not wait here.
    private static func pairs(
        _ input: inout Input, _ shop: FuzzShop
    ) -> [(name: String, value: String)] {
        input.text().split(separator: "\n").prefix(20).compactMap { line in
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides[0] != "wait" else { return nil }
            return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
        }
    }
}

/// A store whose folder is a copy of one that was filled once.
private final class FuzzShop: Sendable {
    struct Sender {
        var headers: [(name: String, value: String)] = []
        /// What the forms of the browser carry.
        var formToken: String?
    }

    private static let clock = SettableClock()
    private static let folder = scratchFolder("request")
    private static let prepared = wait { await PreparedShop.make(at: clock) }

    private let store: Store
    private let router: Router
    private let log: Problems
    let routes: [Router.Route]
    private let devices: [Sender]
    private let programs: [Sender]
    private let people: [Sender]
    private let customers: [Sender]
    let known: [String]

    /// What the store has reported of late.
    var problems: String { log.lines.withLock { $0.suffix(3).joined(separator: "; ") } }

    static func open() async -> FuzzShop {
        let place = folder.appendingPathComponent("store")
        try? FileManager.default.removeItem(at: place)
        must { try FileManager.default.copyItem(at: prepared.folder, to: place) }
        let log = Problems()
        return must {
            let store = try Store(
                directory: place, clock: clock, vault: OpenSSLVault.forTests,
                log: EventLog { line in log.lines.withLock { $0 = $0.suffix(9) + [line] } })
            return try FuzzShop(store, log)
        }
    }

    private final class Problems: Sendable {
        let lines = Mutex<[String]>([])
    }

    private init(_ store: Store, _ log: Problems) throws {
        self.store = store
        self.log = log
        let prepared = Self.prepared
        let services = store.services
        let report = services.report
        let pages = PageRoutes(
            prompts: services.prompts, approvals: services.approvals,
            sessions: services.pageSessions, storefront: services.storefront,
            sales: services.itemSales, reviews: services.customerReviews,
            media: services.itemMedia, report: report)
        let portal = PortalRoutes(
            services: PortalServices(
                database: store.database, content: store.content, pictures: store.pictures,
                clock: store.clock, vault: services.vault, profileSigner: store.profileSigner,
                people: services.people, sessions: FixedSessions(prepared.visitors),
                tokens: services.pageSessions, manifests: services.manifests,
                packages: BrowserPackages(services), storefront: PortalStorefront(services),
                notifications: PortalNotifications(services), report: report))
        let storefront = StorefrontPageRoutes(
            services: StorefrontPageServices(
                database: store.database, storefront: services.storefront,
                reviews: services.customerReviews, sales: services.itemSales,
                media: services.itemMedia, accounts: services.accounts,
                customers: CustomerServices(services), sessions: services.pageSessions,
                settings: services.storefrontSettings, clock: store.clock, report: report))
        router = try StoreRoutes(services: services).router(
            adding: pages.routes() + portal.routes() + storefront.routes(),
            unknownPage: { portal.unknownPage($0) ?? storefront.unknownPage($0) })
        routes = router.routes
        known = prepared.known
        func browser(_ cookie: String, _ scope: String) -> Sender {
            let token = cookie.split(separator: "=").last.map(String.init) ?? ""
            let form = services.pageSessions.formToken(of: token, on: scope)
            return Sender(
                headers: [
                    ("Cookie", cookie), ("Sec-Fetch-Site", "same-origin"), ("Host", "localhost"),
                ], formToken: form.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        }
        devices = prepared.devices.map { Sender(headers: $0) }
        programs = prepared.programs.map { Sender(headers: $0) }
        people = prepared.visitors.keys.sorted().map {
            browser("openstore-connect=\($0)", "connect")
        }
        customers = prepared.cookies.map { browser($0, "storefront") }
    }

    /// The sender of a request: usually somebody whom the route is for, sometimes anybody.
    func sender(_ number: Int, of pattern: String) -> Sender {
        let suitable =
            ConnectEngine.answers(pattern) || ServerRoutes.answers(pattern)
            ? programs
            : pattern.contains("/device/")
                ? devices : pattern.hasPrefix("/connect") ? people : customers
        let all = [Sender()] + devices + programs + people + customers
        return number < 192 ? suitable[number % suitable.count] : all[number % all.count]
    }

    func answer(to request: HTTPRequest) async -> HTTPResponse {
        if let admission = router.admission(of: request), let refusal = await admission() {
            return refusal
        }
        switch router.respond(to: request) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    func close() {
        store.services.events.stop()
        store.services.promptWaiters.end()
        store.close()
    }
}
