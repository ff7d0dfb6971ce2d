import Foundation
import StoreCore
import StoreHTTP
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// Walks every route of the portal with everybody who may come: who may not call it is
/// refused, and then nothing has changed; who may is let in.
@Suite(needsShell) struct PortalWalkTests {
    private static let cookie = "openstore-connect"

    /// A browser in which somebody is signed in.
    private func browser(_ fixture: WalkFixture, _ session: String?) -> PortalClient {
        let client = PortalClient(fixture.store)
        client.cookies[Self.cookie] = session
        return client
    }

    private func path(_ route: PortalRoute, _ fixture: WalkFixture) throws -> String {
        PortalRoutes.prefix
            + (try #require(PathParameters.fill(route.pattern, fixture.known), "\(route.pattern)"))
    }

    private func send(
        _ route: PortalRoute, _ fixture: WalkFixture, by client: PortalClient, token: String?
    ) async throws -> PortalClient.Page {
        let path = try path(route, fixture)
        switch route.method {
        case .post: return await client.post(path, token: token)
        default:
            var request = HTTPRequest(method: route.method.rawValue, path: path)
            if route.method != .get {
                request.headers["X-Form-Token"] = token
                request.headers["Sec-Fetch-Site"] = "same-origin"
            }
            return await client.send(request)
        }
    }

    @Test(arguments: [.nobody, .garbage, .endedSession] as [WalkCaller])
    func `who is not signed in, or not any more, is led to the sign-in page`(
        caller: WalkCaller
    ) async throws {
        let fixture = try await WalkFixture()
        var session: String?
        if caller == .garbage { session = String(repeating: "x", count: 43) }
        if caller == .endedSession { session = fixture.people.sessions[.accountHolder] }
        let client = browser(fixture, session)
        let start = try await client.open("/connect/")
        if caller == .endedSession {
            #expect(start.status == 200)
            fixture.clock.advance(by: ConnectSession.idleDuration)
        }
        var changes = try await WalkChanges(fixture)
        for route in PortalRouteTable.routes where route.access != .open {
            let name: Comment = "\(route.method) \(route.pattern) by \(caller)"
            let page = try await send(route, fixture, by: client, token: start.formToken)
            #expect(page.status == 303, name)
            #expect(page.location?.hasPrefix("/connect/sign-in") == true, name)
            let changed = try await changes.next()
            #expect(changed.isEmpty, name)
        }
    }

    /// Routes that take away what others need come last.
    private static let routes: [PortalRoute] = {
        func takesAway(_ route: PortalRoute) -> Bool {
            route.method == .post
                && ["delete", "remove", "end", "revoke", "clear", "hand-over"].contains {
                    route.pattern.hasSuffix("/\($0)")
                }
        }
        let all = PortalRouteTable.routes
        return all.filter { !takesAway($0) } + all.filter(takesAway).reversed()
    }()

    /// What a role may ask for and only the Account Holder gets: handing that role over.
    private static let decidedByStep = "POST /users/{id}/hand-over"

    @Test(arguments: ConnectRole.allCases)
    func `the table of the portal decides who may call a route`(role: ConnectRole) async throws {
        let fixture = try await WalkFixture()
        let client = browser(fixture, fixture.people.sessions[role])
        let token = try await client.open("/connect/").formToken
        var changes = try await WalkChanges(fixture)
        var problems: [String] = []
        for route in Self.routes {
            guard case .permission(let permission) = route.access else { continue }
            let name = "\(route.method.rawValue) \(route.pattern)"
            let page = try await send(route, fixture, by: client, token: token)
            let changed = try await changes.next()
            if permission.roles.contains(role) {
                // An empty form that the rules refuse shows as well that the person was let in.
                let isRefused = page.status == 403 && name != Self.decidedByStep
                if isRefused || !(200..<500).contains(page.status)
                    || page.location?.hasPrefix("/connect/sign-in") == true
                {
                    problems.append("\(name): \(page.status) \(page.words.suffix(200))")
                }
                if route.method == .get, !changed.isEmpty {
                    problems.append("\(name) changed \(changed)")
                }
            } else {
                if page.status != 403 { problems.append("\(name): \(page.status)") }
                if !changed.isEmpty { problems.append("\(name) changed \(changed)") }
            }
        }
        #expect(problems == [])
    }

    @Test func `another team's people see and change nothing of this one`() async throws {
        let fixture = try await WalkFixture()
        let client = browser(fixture, fixture.people.strangerSession)
        let token = try await client.open("/connect/").formToken
        var changes = try await WalkChanges(fixture)
        var problems: [String] = []
        for route in PortalRouteTable.routes where PathParameters.has(route.pattern) {
            guard case .permission(let permission) = route.access else { continue }
            let name = "\(route.method.rawValue) \(route.pattern)"
            let page = try await send(route, fixture, by: client, token: token)
            let refusal = permission.roles.contains(.accountHolder) ? 404 : 403
            if page.status != refusal {
                problems.append("\(name): \(page.status) \(page.words.suffix(200))")
            }
            for secret in WalkFixture.secrets where page.text.contains(secret) {
                problems.append("\(name) tells \(secret)")
            }
            let changed = try await changes.next()
            if !changed.isEmpty { problems.append("\(name) changed \(changed)") }
        }
        #expect(problems == [])
    }
}
