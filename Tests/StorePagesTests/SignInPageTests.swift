import Foundation
@testable import StoreCore
import StoreHTTP
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// Signing in to the portal, choosing a team, and the first operator.
@Suite struct SignInPageTests {
    private static let email = "olga@example.com"
    private static let password = "a long password"

    private let folder: TemporaryFolder
    private let store: Store

    init() async throws {
        folder = try TemporaryFolder()
        store = try await StorePagesTests.openStore(in: folder)
    }

    private func makeOperator() async throws {
        _ = try await store.services.people.firstOperator.create(
            email: Self.email, name: "Olga Operator", password: Self.password, by: .machine)
    }

    private func signIn(
        _ portal: PortalClient, _ email: String = email, _ password: String = password,
        next: String = "", headers: [String: String] = [:]
    ) async throws -> PortalClient.Page {
        let page = try await portal.open("/connect/sign-in")
        return try await portal.send(
            page, to: "/connect/sign-in", ["email": email, "password": password, "next": next],
            headers: headers)
    }

    @Test func `the first link makes the operator, once`() async throws {
        let token = try #require(try await store.services.people.firstOperator.makeLink())
        let portal = PortalClient(store)
        let page = try await portal.open("/connect/first/\(token)")
        #expect(page.status == 200)
        let short = try await portal.send(
            page, to: "/connect/first/\(token)",
            ["name": "Olga Operator", "email": Self.email, "password": "short"])
        #expect(short.status == 422)
        #expect(short.text.contains("value=\"\(Self.email)\""))
        #expect(short.text.contains("id=\"field-password-problem\""))
        let made = try await portal.send(
            short, to: "/connect/first/\(token)",
            ["name": "Olga Operator", "email": Self.email, "password": Self.password])
        #expect(made.status == 303)
        let start = try await portal.follow(made)
        #expect(start.status == 200)
        #expect(start.words.contains("Olga Operator") && start.words.contains("Welcome."))
        #expect(try await portal.open("/connect/first/\(token)").status == 404)
        let again = try await portal.send(
            short, to: "/connect/first/\(token)",
            ["name": "Eve", "email": "eve@example.com", "password": Self.password])
        #expect(again.status != 303)
        let eve = try await store.database.read { try $0.people.person(email: "eve@example.com") }
        #expect(eve == nil)
    }

    @Test func `whoever signs in gets a new session, and leaves it`() async throws {
        try await makeOperator()
        let portal = PortalClient(store)
        let visit = try await portal.open("/connect/sign-in")
        let planted = portal.cookies
        #expect(try await portal.open("/connect/").location == "/connect/sign-in")
        let answer = try await signIn(portal)
        #expect(answer.location == "/connect/")
        let token = try #require(portal.cookies["openstore-connect"])
        #expect(!planted.values.contains(token))
        let start = try await portal.follow(answer)
        #expect(start.status == 200)
        // The form that another visit was given is worth nothing in the session.
        let foreign = await portal.post("/connect/sign-out", token: visit.formToken)
        #expect(foreign.status == 403)
        let left = try await portal.send(start, to: "/connect/sign-out")
        #expect(left.location == "/connect/sign-in")
        #expect(portal.cookies["openstore-connect"] == nil)
        portal.cookies["openstore-connect"] = token
        #expect(try await portal.open("/connect/").status == 303)
    }

    @Test func `a failed sign-in does not say whether address or password is wrong`() async throws {
        try await makeOperator()
        let wrong = try await signIn(PortalClient(store), Self.email, "another password")
        let unknown = try await signIn(PortalClient(store), "nobody@example.com", Self.password)
        #expect(wrong.status == 422 && unknown.status == 422)
        func neutral(_ page: PortalClient.Page) -> String {
            page.text.replacing(/name="form" value="[^"]*"/, with: "")
                .replacing(Self.email, with: "X").replacing("nobody@example.com", with: "X")
        }
        #expect(neutral(wrong) == neutral(unknown))
        #expect(!wrong.text.contains("another password"))
        #expect(wrong.headers["Set-Cookie"] == nil)
    }

    @Test func `one comes where one wanted to go, but never elsewhere`() async throws {
        try await makeOperator()
        let portal = PortalClient(store)
        let asked = try await portal.open("/connect/team?x=1")
        #expect(asked.location == "/connect/sign-in?next=%2Fconnect%2Fteam%3Fx%3D1")
        #expect(try await signIn(portal, next: "/connect/team?x=1").location == "/connect/team?x=1")
        for place in [
            "https://evil.example/", "//evil.example", "/connect//evil.example", "/connect/\\x",
            "/connect/\r\nX: y", "javascript:alert(1)", "/sandbox/",
        ] {
            let answer = try await signIn(PortalClient(store), next: place)
            #expect(answer.location == "/connect/", "\(place)")
        }
    }

    @Test func `cookies are out of reach of scripts and of other sites`() async throws {
        try await makeOperator()
        let plain = try await signIn(PortalClient(store))
        let open = try #require(plain.headers["Set-Cookie"])
        #expect(open.hasPrefix("openstore-connect="))
        #expect(open.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))

        let portal = PortalClient(store)
        let forwarded = HTTPRequest(
            method: "GET", path: "/connect/sign-in", headers: ["X-Forwarded-Proto": "https"])
        let page = await portal.send(forwarded)
        let visit = try #require(page.headers["Set-Cookie"])
        #expect(visit.hasPrefix("__Host-openstore-connect-visit="))
        #expect(visit.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure"))
        let secure = try await portal.send(
            page, to: "/connect/sign-in", ["email": Self.email, "password": Self.password],
            headers: ["X-Forwarded-Proto": "https", "Origin": "https://store.example"])
        let cookie = try #require(secure.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-openstore-connect="))
        #expect(cookie.hasSuffix("; Secure"))
        // Under TLS, a cookie that a page without TLS has set counts for nothing.
        let token = try #require(portal.cookies["__Host-openstore-connect"])
        let planted = await portal.send(
            HTTPRequest(
                method: "GET", path: "/connect/",
                headers: [
                    "X-Forwarded-Proto": "https", "Cookie": "openstore-connect=\(token)",
                ]))
        #expect(planted.status == 303)
    }

    @Test func `behind a proxy that says nothing of TLS one can sign in`() async throws {
        try await makeOperator()
        let portal = PortalClient(store)
        // A page is asked for without an origin; only what the form sends tells of TLS.
        let answer = try await signIn(portal, headers: ["Origin": "https://store.example"])
        #expect(answer.status == 303, "\(answer.words)")
        let start = try await portal.follow(answer)
        #expect(start.status == 200 && start.words.contains("Olga Operator"))
        let form = try await portal.open("/connect/account")
        let saved = try await portal.send(
            form, to: "/connect/account/name", ["name": "Olga"],
            headers: ["Origin": "https://store.example"])
        #expect(saved.status == 303, "\(saved.words)")
        // What was done is said once.
        #expect(portal.cookies.keys.contains { $0.hasSuffix("-notice") })
        _ = try await portal.follow(saved)
        #expect(!portal.cookies.keys.contains { $0.hasSuffix("-notice") })
        let left = try await portal.send(
            try await portal.open("/connect/account"), to: "/connect/sign-out",
            headers: ["Origin": "https://store.example"])
        #expect(left.status == 303)
        #expect(try await portal.open("/connect/account").status == 303)
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Sec-Fetch-Site": "none"],
        ] as [[String: String]])
    func `a form from another site is not taken`(headers: [String: String]) async throws {
        try await makeOperator()
        let portal = PortalClient(store)
        let answer = try await signIn(portal, headers: headers)
        #expect(answer.status == 403)
        #expect(portal.cookies["openstore-connect"] == nil)
    }

    @Test func `without Sec-Fetch-Site the origin decides`() async throws {
        try await makeOperator()
        for (origin, isOwn) in [
            ("http://store.example:8080", true), ("http://evil.example", false), ("null", false),
            ("http://store.example", false),
        ] as [(String, Bool)] {
            let portal = PortalClient(store)
            let page = try await portal.open("/connect/sign-in")
            var request = HTTPRequest(
                method: "POST", path: "/connect/sign-in",
                headers: [
                    "Content-Type": "application/x-www-form-urlencoded", "Origin": origin,
                    "Host": "store.example:8080",
                ])
            let token =
                try #require(page.formToken)
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            request.body = Data(
                "form=\(token)&email=olga%40example.com&password=a+long+password".utf8)
            #expect(await portal.send(request).status == (isOwn ? 303 : 403), "\(origin)")
        }
    }

    @Test func `a person of two teams changes between them, and to no other`() async throws {
        let people = store.services.people
        try await makeOperator()
        let person = try #require(
            try await store.database.read { try $0.people.person(email: Self.email) })
        let (own, other) = try await store.database.write {
            repositories -> (Team, Team) in
            let own = try repositories.catalog.save(
                TeamDraft(name: "Own", hasPaidAgreement: true))
            let other = try repositories.catalog.save(
                TeamDraft(name: "Other", hasPaidAgreement: true))
            try repositories.people.set(
                [.accountHolder], of: person.id, in: own.id, at: Date(timeIntervalSince1970: 0))
            return (own, other)
        }
        let portal = PortalClient(store)
        let start = try await portal.follow(try await signIn(portal))
        #expect(start.words.contains("Store staff"))
        #expect(start.text.contains("id=\"team-switch\""))
        let changed = try await portal.send(start, to: "/connect/team", ["team": "\(own.id)"])
        let page = try await portal.follow(changed)
        #expect(page.words.contains("You act for Own now."))
        #expect(try await portal.open("/connect/").words.contains("You act for") == false)
        #expect(
            try await portal.send(page, to: "/connect/team", ["team": "\(other.id)"]).status == 404)
        for wrong in ["", "x", "-"] {
            let answer = try await portal.send(page, to: "/connect/team", ["team": wrong])
            #expect(answer.status == 422)
        }
        let token = try #require(portal.cookies["openstore-connect"])
        #expect(try await people.sessions.visitor(token: token)?.actor?.team == own.id)
    }
}
