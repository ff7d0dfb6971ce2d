import Foundation
import StoreCore
import StorePages
import StoreServer
import StoreTestSupport
import Testing

@testable import StoreCommands

struct DemoTeamTests {
    private static let password = "lantern-and-clock"
    private static let shop = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../Examples/Bookshop").standardized

    /// Pages that nobody who is signed in comes to by links, each with its reason.
    private static let apart: [String: String] = [
        "/sign-in": "is for who is not signed in",
        "/first/{token}": "is there until somebody operates the store",
        "/passwords/{token}": "its link is shown once, to the operator",
        "/invitations/{token}": "its link is shown once, to whoever invites",
        "/products/{id}/content/uploads/{upload}": "is asked by the script of the upload's form",
        "/apps/{id}/versions/{version}/uploads/{upload}": "is asked by the script of that form",
        "/team": "is for who belongs to several teams",
    ]

    /// A page that somebody came to.
    private struct Visit {
        let person: DemoPerson
        let address: String
        let page: PortalClient.Page
    }

    /// The pattern of the route that an address is of; the one with the fewest parameters
    /// where several are.
    private static func pattern(of address: String) -> String? {
        let path = address.split(separator: "?", omittingEmptySubsequences: false)[0]
            .dropFirst(PortalRoutes.prefix.count)
        let parts = path.split(separator: "/")
        return PortalRouteTable.routes.filter { $0.method == .get }.map(\.pattern)
            .filter { pattern in
                let wanted = pattern.split(separator: "/")
                return wanted.count == parts.count
                    && zip(wanted, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
            }
            .min { $0.count { $0 == "{" } < $1.count { $0 == "{" } }
    }

    private static func links(on page: PortalClient.Page) -> [String] {
        page.text.matches(of: /(?:href|src)="(\/connect\/[^"#]*)/).map {
            String($0.1).replacing("&amp;", with: "&")
        }
    }

    /// Goes wherever links lead, to a handful of pages of each route.
    private func walk(_ store: Store, as person: DemoPerson) async throws -> [Visit] {
        let portal = PortalClient(store)
        let signInPage = try await portal.open("/connect/sign-in")
        let answer = try await portal.send(
            signInPage, to: "/connect/sign-in",
            ["email": person.email, "password": Self.password, "next": ""])
        #expect(answer.status == 303, "\(person.email) can't sign in: \(answer.words)")
        var visits: [Visit] = []
        var waiting = ["/connect/"]
        var seen: Set<String> = Set(waiting)
        var counts: [String: Int] = [:]
        while let address = waiting.popLast() {
            let page = try await portal.open(address)
            visits.append(Visit(person: person, address: address, page: page))
            for link in Self.links(on: page) where seen.insert(link).inserted {
                guard let pattern = Self.pattern(of: link) else { continue }
                // Lists in another order or with a filter must not crowd out other lists.
                let kind = link.contains("?") ? "\(pattern)?" : pattern
                counts[kind, default: 0] += 1
                if counts[kind, default: 0] <= 6 { waiting.append(link) }
            }
        }
        return visits
    }

    @Test func `every page of the portal has something to show`() async throws {
        let folder = try TemporaryFolder()
        let clock = SettableClock()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        let store = try Store(
            directory: folder.file("store"), clock: clock, vault: OpenSSLVault.forTests,
            log: .silent)
        defer { store.close() }
        var team = try DemoTeam(
            filling: store, end: clock.now(), password: Self.password,
            address: "http://127.0.0.1:8080", shop: Self.shop)
        _ = try await team.fill()
        #expect(team.clock.now() <= clock.now(), "nothing happens in the future")

        var visits: [Visit] = []
        for person in [DemoPerson.operator, .reviewer, .accountHolder, .newcomer] {
            visits += try await walk(store, as: person)
        }
        for visit in visits {
            #expect(
                visit.page.status == 200,
                "\(visit.person): \(visit.address) answers \(visit.page.status)")
        }
        let found = Dictionary(grouping: visits) { Self.pattern(of: $0.address) ?? "" }
        for route in PortalRouteTable.routes where route.method == .get {
            guard Self.apart[route.pattern] == nil else { continue }
            let pages = found[route.pattern] ?? []
            #expect(!pages.isEmpty, "no link leads to \(route.pattern)")
            #expect(
                pages.isEmpty || pages.contains { !$0.page.text.contains("class=\"empty\"") },
                "\(route.pattern) shows nothing on \(pages.map(\.address))")
        }
    }

    @Test func `the same seed makes the same figures`() {
        var (one, other) = (DemoRandom(seed: 7), DemoRandom(seed: 7))
        #expect((0..<10).map { _ in one.next() } == (0..<10).map { _ in other.next() })
        let (first, second) = (one.uuid(), one.uuid())
        #expect(first != second)
        #expect(first == other.uuid())
        #expect(one.digest().utf8.count == 64)
    }

    @Test func `the clock of the past goes on with each look, and never back`() {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let clock = DemoClock(start)
        let first = clock.now()
        #expect(first > start)
        #expect(clock.now() > first)
        clock.advance(to: start)
        #expect(clock.now() > first)
        clock.advance(to: start + 3600)
        #expect(clock.now() > start + 3600)
    }

    @Test func `passwords of the demo are long, and others each time`() throws {
        let passwords = Set(try (0..<20).map { _ in try DemoPassword.make() })
        #expect(passwords.count == 20)
        for password in passwords { #expect(password.count == 14, "\(password)") }
    }
}
