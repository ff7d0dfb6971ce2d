import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

private let needsShell: ConditionTrait = .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"),
    "the program sqlite3 is not installed")

/// Walks every route of Connect, of the API and of the portal, with everybody who may come:
/// who may not call it is refused, and then nothing has changed.
@Suite(needsShell) struct ConnectWalkTests {
    /// What was written while a request was answered.
    private func changes(
        in stage: WalkStage, _ before: inout (date: Date, dump: [Substring])
    ) throws -> [Substring] {
        let date = try stage.lastWrite()
        guard date != before.date else { return [] }
        let dump = try stage.dump()
        let changes = dump.difference(from: before.dump)
        before = (date, dump)
        return changes.map { change in
            switch change {
            case .insert(_, let line, _): line
            case .remove(_, let line, _): line
            }
        }
    }

    // MARK: The API

    /// Nobody, and whoever a key can stand for.
    static let callers: [WalkStage.Caller] =
        [.nobody, .garbage, .expired]
        + ConnectRole.allCases.filter { $0 != .accountHolder }.map { WalkStage.Caller.role($0) }

    @Test(arguments: callers)
    func `the table of the API decides who may call a route`(caller: WalkStage.Caller) async throws
    {
        let stage = try await WalkStage()
        let bodies = SampleBodies(known: stage.known)
        var before = (date: try stage.lastWrite(), dump: try stage.dump())
        for operation in ConnectRouteTable.operations {
            let name: Comment = "\(operation.method) \(operation.pattern) by \(caller)"
            var refusal: Int?
            switch caller {
            case .nobody, .garbage, .expired: refusal = 401
            case .role(let role) where !operation.permission.roles.contains(role): refusal = 403
            default: break
            }
            // What is allowed changes things: it is tried without a body.
            let body = refusal == nil ? Data() : try bodies.body(of: operation)
            guard refusal != nil || operation.method == .get else { continue }
            let response = try await stage.send(operation, by: caller, body: body)
            if let refusal {
                #expect(response.status == refusal, name)
                #expect(try changes(in: stage, &before).isEmpty, name)
            } else {
                #expect(![401, 403].contains(response.status), name)
                #expect(response.status < 500, name)
                #expect(try changes(in: stage, &before).isEmpty, name)
            }
        }
    }

    @Test func `another team finds nothing, and changes nothing of this one`() async throws {
        let stage = try await WalkStage()
        let bodies = SampleBodies(known: stage.known)
        var before = (date: try stage.lastWrite(), dump: try stage.dump())
        for operation in ConnectRouteTable.operations
        where operation.permission.roles.contains(.admin) {
            let name: Comment = "\(operation.method) \(operation.pattern)"
            let response = try await stage.send(
                operation, by: .stranger, body: try bodies.body(of: operation))
            #expect(response.status < 500, name)
            let text = String(decoding: response.data, as: UTF8.self)
            for secret in WalkStage.secrets {
                #expect(!text.contains(secret), "\(operation.pattern): \(text)")
            }
            let changed = try changes(in: stage, &before)
            // What the stranger may make is its own.
            let isOwn = !PathParameters.has(operation.pattern) && operation.method == .post
            if !isOwn { #expect(changed.isEmpty, "\(operation.pattern): \(changed)") }
            for line in changed {
                let entry = line.firstMatch(of: /^INSERT INTO audit VALUES\(\d+,(\d+),/)
                let owner: String? = entry.map { String($0.1) }
                #expect(owner != String(stage.team), name)
            }
            if PathParameters.has(operation.pattern), operation.method != .get {
                #expect(!(200..<300).contains(response.status), name)
            }
        }
    }

    // MARK: The portal

    private func request(_ route: PortalRoute, _ stage: WalkStage) -> HTTPRequest {
        HTTPRequest(
            method: route.method.rawValue,
            path: PortalRoutes.prefix + PathParameters.fill(route.pattern, stage.known))
    }

    @Test func `who is not signed in, or not any more, is led to the entrance`() async throws {
        let stage = try await WalkStage()
        var before = (date: try stage.lastWrite(), dump: try stage.dump())
        let nobody = PortalClient(stage.store, roles: nil, team: nil)
        for token in [nil, String(repeating: "x", count: 43)] {
            if let token { nobody.cookies["openstore-connect"] = token }
            for route in PortalRouteTable.routes where route.access != .open {
                let name: Comment = "\(route.method) \(route.pattern)"
                let page = await nobody.send(request(route, stage))
                #expect(page.status == 303, name)
                #expect(page.location?.hasPrefix("/connect/sign-in") == true, name)
                #expect(try changes(in: stage, &before).isEmpty, name)
            }
        }
    }

    @Test(arguments: ConnectRole.allCases)
    func `the table of the portal decides who may call a route`(role: ConnectRole) async throws {
        let stage = try await WalkStage()
        var before = (date: try stage.lastWrite(), dump: try stage.dump())
        let client = PortalClient(
            stage.store, roles: [role],
            team: role.isStaff ? nil : ConnectVisitor.Team(id: stage.team, name: "Publisher"))
        let token = try await client.open("/connect/").formToken
        for route in PortalRouteTable.routes {
            guard case .permission(let permission) = route.access else { continue }
            let name: Comment = "\(route.method) \(route.pattern) by \(role)"
            let isAllowed = permission.roles.contains(role)
            guard !isAllowed || route.method == .get else { continue }
            let page =
                route.method == .get
                ? await client.send(request(route, stage))
                : await client.post(request(route, stage).path, token: token)
            if isAllowed {
                #expect(page.status < 500 && page.status != 403, "\(name) \(page.status)")
            } else {
                #expect(page.status == 403 || page.status == 405, name)
            }
            #expect(try changes(in: stage, &before).isEmpty, name)
        }
    }

    @Test func `another team's people see and change nothing of this one`() async throws {
        let stage = try await WalkStage()
        var before = (date: try stage.lastWrite(), dump: try stage.dump())
        let other = try await stage.store.database.read {
            try $0.catalog.team(named: "Stranger")!
        }
        let client = PortalClient(
            stage.store, roles: [.accountHolder],
            team: ConnectVisitor.Team(id: other.id, name: other.name))
        let token = try await client.open("/connect/").formToken
        for route in PortalRouteTable.routes where PathParameters.has(route.pattern) {
            guard case .permission = route.access else { continue }
            let name: Comment = "\(route.method) \(route.pattern)"
            let page =
                route.method == .get
                ? await client.send(request(route, stage))
                : await client.post(request(route, stage).path, token: token)
            #expect([403, 404, 405, 422].contains(page.status), "\(name) \(page.status)")
            for secret in WalkStage.secrets { #expect(!page.text.contains(secret), name) }
            #expect(try changes(in: stage, &before).isEmpty, name)
        }
    }
}
