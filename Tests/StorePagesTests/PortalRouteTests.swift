@testable import StoreCore
import StoreHTTP
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// Who may call which route of the portal, and what goes with every answer.
@Suite struct PortalRouteTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() async throws {
        folder = try TemporaryFolder()
        store = try await StorePagesTests.openStore(in: folder)
    }

    private func team() async throws -> ConnectVisitor.Team {
        let team = try await store.database.write { repositories in
            _ = try repositories.people.insert(
                PersonDraft(
                    email: "ada@example.com", name: "Ada Admin", passwordHash: "none",
                    staffRole: nil), at: store.clock.now())
            return try repositories.catalog.save(TeamDraft(name: "Team", hasPaidAgreement: true))
        }
        return ConnectVisitor.Team(id: team.id, name: team.name)
    }

    /// A path of the route with something in the place of its parameters.
    private func path(_ route: PortalRoute) -> String {
        PortalRoutes.prefix + route.pattern.replacing(/\{[A-Za-z]+\}/, with: "1")
    }

    private func request(_ route: PortalRoute) -> HTTPRequest {
        HTTPRequest(method: route.method.rawValue, path: path(route))
    }

    @Test func `nobody who is not signed in gets past the sign-in page`() async throws {
        let portal = PortalClient(store, roles: nil, team: nil)
        for route in PortalRouteTable.routes where route.access != .open {
            let page = await portal.send(request(route))
            #expect(page.status == 303, "\(route.method) \(route.pattern)")
            #expect(
                page.location?.hasPrefix("/connect/sign-in") == true,
                "\(route.method) \(route.pattern)")
        }
    }

    @Test(arguments: ConnectRole.allCases)
    func `a role gets what the table says`(role: ConnectRole) async throws {
        let team = try await team()
        let portal = PortalClient(store, roles: [role], team: role.isStaff ? nil : team)
        for route in PortalRouteTable.routes {
            guard case .permission(let permission) = route.access else { continue }
            let name = "\(route.method) \(route.pattern) as \(role)"
            let page = await portal.send(request(route))
            if !permission.roles.contains(role) {
                #expect(page.status == 403, "\(name)")
                #expect(page.words.contains("It takes one of"), "\(name)")
            } else if route.method == .get {
                #expect([200, 404, 303].contains(page.status), "\(name): \(page.status)")
            }
        }
    }

    @Test func `no form is taken that this session was not given`() async throws {
        let portal = PortalClient(store, roles: [.operator], team: nil)
        let forged = PortalClient(store, roles: nil, team: nil)
        for route in PortalRouteTable.routes where route.method != .get {
            for token in [nil, "", "AAAA", String(repeating: "t", count: 43)] {
                let page = await portal.post(path(route), token: token)
                #expect(page.status == 403 || page.status == 405, "\(route.pattern)")
            }
            if route.access == .open {
                let page = await forged.post(path(route), token: nil)
                #expect(page.status == 403, "\(route.pattern)")
            }
        }
    }

    @Test func `sections of the navigation are pages that open`() async throws {
        let team = try await team()
        for role in ConnectRole.allCases {
            let portal = PortalClient(store, roles: [role], team: role.isStaff ? nil : team)
            let start = try await portal.open("/connect/")
            #expect(start.status == 200)
            for link in start.text.matches(of: /href="(\/connect\/[^"#]*)"/).map(\.1) {
                let page = try await portal.open(String(link))
                #expect(page.status == 200, "\(link) as \(role)")
            }
        }
    }

    @Test func `every answer runs no script but the store's and can't be framed`() async throws {
        let portal = PortalClient(store, roles: [.operator], team: nil)
        for route in PortalRouteTable.routes {
            let page = await portal.send(request(route))
            let policy = try #require(page.headers["Content-Security-Policy"], "\(route.pattern)")
            for part in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'",
                "img-src 'self' data:", "connect-src 'self'", "form-action 'self'",
                "frame-ancestors 'none'", "base-uri 'none'",
            ] {
                #expect(policy.contains(part), "\(route.pattern): \(part)")
            }
            #expect(!policy.contains("unsafe"))
            #expect(page.headers["Cache-Control"] == "no-store")
            #expect(page.headers["X-Content-Type-Options"] == "nosniff")
            for markup in page.text.matches(of: /<[^>]*>/).map({ String($0.0) }) {
                for forbidden in [" style=", " onclick", " onsubmit", "<style", "javascript:"] {
                    #expect(!markup.contains(forbidden), "\(route.pattern): \(markup)")
                }
            }
        }
    }

    @Test func `files have names that change with them, and are kept`() async throws {
        let portal = PortalClient(store, roles: nil, team: nil)
        let page = try await portal.open("/connect/nothing")
        #expect(page.status == 404)
        let files = page.text.matches(of: /"(\/connect\/assets\/[0-9a-f]{16}\.[a-z]+)"/).map(\.1)
        #expect(Set(files).count == 3)
        for file in files {
            let answer = try await portal.open(String(file))
            #expect(answer.status == 200)
            #expect(answer.headers["Cache-Control"]?.contains("immutable") == true)
            #expect(answer.headers["Set-Cookie"] == nil)
        }
        #expect(try await portal.open("/connect/assets/unknown.css").status == 404)
        // A module in which a name is declared twice does not run at all.
        let script = try #require(files.first { $0.hasSuffix(".js") })
        let names = try await portal.open(String(script)).text
            .matches(of: /(?m)^(?:async )?function (\w+)\(/).map { String($0.1) }
        #expect(names.count > 5)
        #expect(names.count == Set(names).count)
    }

    @Test func `addresses of the API are not the portal's`() {
        let routes = PortalRoutes(
            services: PortalServices(
                database: store.database, content: store.content, pictures: store.pictures,
                assets: store.services.assets, clock: store.clock,
                vault: OpenSSLVault.forTests, profileSigner: store.profileSigner,
                people: store.services.people,
                sessions: FixedSessions(),
                tokens: store.services.pageSessions,
                storefront: PortalStorefront(store.services),
                sandboxClocks: store.services.sandboxClocks,
                notifications: PortalNotifications(store.services),
                report: { _ in }))
        #expect(routes.pageTooLarge("/connect/v1/apps", limit: 1000) == nil)
        #expect(routes.pageTooLarge("/connect/x", limit: 1000)?.status == 413)
        for path in ["/connect/v1/apps", "/connect/openstore/v1/x", "/device/v1/x", "/connect"] {
            #expect(routes.unknownPage(HTTPRequest(method: "GET", path: path)) == nil)
        }
        #expect(PortalRoutes.loggable("/connect/first/secret") == "/connect/first/…")
        #expect(PortalRoutes.loggable("/connect/invitations/x") == "/connect/invitations/…")
        #expect(PortalRoutes.loggable("/connect/apps") == "/connect/apps")
    }
}
