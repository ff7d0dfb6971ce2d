import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreServer
import Synchronization

/// The portal over an opened store, used without a socket by somebody who is signed in.
///
/// ```swift
/// let portal = try PortalClient(store, roles: [.admin], team: .init(id: 1, name: "Team"))
/// let list = try await portal.open("/connect/sandbox")
/// let answer = try await portal.send(list, to: "/connect/sandbox/testers", ["email": "…"])
/// ```
package struct PortalClient: Sendable {
    /// An answer as a browser sees it.
    package struct Page: Sendable {
        package let status: Int
        package let headers: HTTPHeaders
        package let text: String

        /// What is read, without markup.
        package var words: String {
            text.replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")
        }

        package var location: String? { headers["Location"] }

        /// The token of the page's forms.
        package var formToken: String? {
            text.firstMatch(of: /name="form" value="([^"]*)"/).map { String($0.1) }
        }
    }

    private static let token = String(repeating: "t", count: 43)

    package let store: Store
    private let router: Router
    private let jar: Jar

    /// The browser's cookies.
    private final class Jar: Sendable {
        let cookies = Mutex<[String: String]>([:])
    }

    /// A browser in which nobody is signed in yet, over the store's own sessions.
    package init(_ store: Store) {
        self.init(store, sessions: nil)
    }

    /// A browser in which somebody is signed in.
    ///
    /// - Parameters:
    ///   - roles: what the person may do; nil for nobody.
    ///   - team: nil for the store's staff.
    ///   - database: what the pages work on; nil for the store's.
    package init(
        _ store: Store, roles: Set<ConnectRole>?, team: ConnectVisitor.Team?,
        database: (any ShopDatabase)? = nil
    ) {
        let visitors = roles.map { [Self.token: FixedSessions.visitor($0, team: team)] } ?? [:]
        self.init(
            store, sessions: FixedSessions(visitors), database: database)
        if roles != nil { jar.cookies.withLock { $0["openstore-connect"] = Self.token } }
    }

    private init(
        _ store: Store, sessions: FixedSessions?, database: (any ShopDatabase)? = nil
    ) {
        let routes = PortalRoutes(
            services: PortalServices(
                database: database ?? store.database, content: store.content,
                pictures: store.pictures,
                assets: store.services.assets, clock: store.clock,
                vault: OpenSSLVault.forTests, profileSigner: store.profileSigner,
                people: store.services.people,
                sessions: sessions,
                tokens: store.services.pageSessions,
                readManifest: store.services.readManifest,
                packages: BrowserPackages(store.services),
                storefront: PortalStorefront(store.services),
                sandboxClocks: store.services.sandboxClocks,
                notifications: PortalNotifications(store.services),
                report: { _ in }))
        self.store = store
        router = Router(
            routes: routes.routes(),
            unknownPath: { routes.unknownPage($0) ?? HTTPResponse(status: 404) },
            wrongMethod: { _, _ in HTTPResponse(status: 405) })
        jar = Jar()
    }

    /// Names and values of the cookies.
    package var cookies: [String: String] {
        get { jar.cookies.withLock { $0 } }
        nonmutating set { jar.cookies.withLock { $0 = newValue } }
    }

    /// Opens a page.
    ///
    /// - Parameter address: a path, with a query if there is one.
    package func open(_ address: String) async throws -> Page {
        let parts = URLComponents(string: address)
        return await send(
            HTTPRequest(
                method: "GET", path: parts?.path ?? address,
                query: (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }))
    }

    /// Sends a form with the token of a page.
    ///
    /// - Parameter headers: what the browser sends otherwise than browsers do.
    package func send(
        _ page: Page, to path: String, _ fields: [String: String] = [:],
        lists: [String: [String]] = [:], headers: [String: String] = [:]
    ) async throws -> Page {
        await post(path, fields: fields, lists: lists, token: page.formToken, headers: headers)
    }

    /// Sends a form with any token.
    package func post(
        _ path: String, fields: [String: String] = [:], lists: [String: [String]] = [:],
        token: String?, headers: [String: String] = [:]
    ) async -> Page {
        var pairs = fields.map { ($0.key, $0.value) }
        for (name, values) in lists { pairs += values.map { (name, $0) } }
        if let token { pairs.append(("form", token)) }
        let body = pairs.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }
            .joined(separator: "&")
        var request = HTTPRequest(
            method: "POST", path: path,
            headers: [
                "Content-Type": "application/x-www-form-urlencoded",
                "Sec-Fetch-Site": "same-origin",
            ], body: Data(body.utf8))
        for (name, value) in headers { request.headers[name] = value }
        return await send(request)
    }

    package func send(_ request: HTTPRequest) async -> Page {
        var request = request
        // What a proxy says counts from a proxy only.
        if request.headers["X-Forwarded-Proto"] != nil { request.peer = IPAddress("127.0.0.1") }
        let sent = cookies
        if !sent.isEmpty, request.headers["Cookie"] == nil {
            request.headers["Cookie"] = sent.map { "\($0.key)=\($0.value)" }
                .joined(separator: "; ")
        }
        let response: HTTPResponse
        switch router.respond(to: request) {
        case .now(let answer): response = answer
        case .later(let work): response = await work()
        }
        keep(response)
        var text = ""
        if case .data(let data) = response.body { text = String(decoding: data, as: UTF8.self) }
        return Page(status: response.status, headers: response.headers, text: text)
    }

    private func keep(_ response: HTTPResponse) {
        for field in response.headers.fields where field.name.lowercased() == "set-cookie" {
            let sides = field.value.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let isGone = field.value.contains("Max-Age=0")
            jar.cookies.withLock {
                $0[String(sides[0])] = isGone ? nil : String(sides[1])
            }
        }
    }

    /// Goes where an answer leads.
    package func follow(_ page: Page) async throws -> Page {
        guard let location = page.location else { return page }
        return try await open(location)
    }

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
