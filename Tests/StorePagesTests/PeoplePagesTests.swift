import Foundation
@testable import StoreCore
import StoreHTTP
import StoreServer
import StoreTestSupport
import Testing

/// The portal's pages about people, agreements and keys, clicked through.
@Suite struct PeoplePagesTests {
    private static let password = "a long password"

    private let folder: TemporaryFolder
    private let store: Store

    init() async throws {
        folder = try TemporaryFolder()
        store = try await StorePagesTests.openStore(in: folder)
    }

    private func browser(_ email: String) async throws -> PortalClient {
        let portal = PortalClient(store)
        let page = try await portal.open("/connect/sign-in")
        let answer = try await portal.send(
            page, to: "/connect/sign-in", ["email": email, "password": Self.password])
        try #require(answer.status == 303)
        return portal
    }

    /// An operator's browser.
    private func operatorsBrowser() async throws -> PortalClient {
        _ = try await store.services.people.firstOperator.create(
            email: "op@example.com", name: "Olga", password: Self.password, by: .machine)
        return try await browser("op@example.com")
    }

    /// The path of the link that a page shows.
    private func link(_ page: PortalClient.Page) throws -> String {
        let found = page.text.firstMatch(of: /http:\/\/[^\/]+(\/connect\/invitations\/[\w\-]+)/)
        return String(try #require(found, "\(page.words)").1)
    }

    /// A team with its account holder, made by clicks.
    private func holdersBrowser() async throws -> PortalClient {
        let op = try await operatorsBrowser()
        let form = try await op.open("/connect/teams/new")
        let made = try await op.send(
            form, to: "/connect/teams/new", ["name": "Example", "email": "ada@example.com"])
        #expect(made.status == 200)
        return try await join(try link(made), name: "Ada")
    }

    private func join(_ path: String, name: String) async throws -> PortalClient {
        let portal = PortalClient(store)
        let page = try await portal.open(path)
        #expect(page.status == 200)
        let joined = try await portal.send(
            page, to: path, ["name": name, "password": Self.password])
        #expect(joined.location == "/connect/")
        return portal
    }

    @Test func `a team comes into being by its operator and its account holder`() async throws {
        let ada = try await holdersBrowser()
        let start = try await ada.open("/connect/")
        #expect(start.words.contains("Example"))
        #expect(try await ada.open("/connect/users").words.contains("ada@example.com"))
        #expect(try await ada.open("/connect/teams").status == 403)
    }

    @Test func `somebody is invited, joins, gets other roles and is removed`() async throws {
        let ada = try await holdersBrowser()
        let form = try await ada.open("/connect/users/invite")
        let empty = try await ada.send(
            form, to: "/connect/users/invite", ["email": "grace@example.com"])
        #expect(empty.status == 422)
        #expect(empty.text.contains("value=\"grace@example.com\""))
        #expect(empty.words.contains("at least one role"))
        let invited = try await ada.send(
            form, to: "/connect/users/invite", ["email": "grace@example.com"],
            lists: ["roles": ["DEVELOPER", "SALES"]])
        let path = try link(invited)
        let list = try await ada.open("/connect/users")
        #expect(list.words.contains("grace@example.com"))
        let weak = PortalClient(store)
        let page = try await weak.open(path)
        let short = try await weak.send(page, to: path, ["name": "Grace", "password": "short"])
        #expect(short.status == 422)
        let grace = try await join(path, name: "Grace <b>")
        #expect(try await weak.open(path).status == 404)
        #expect(try await grace.open("/connect/users/invite").status == 403)
        let members = try await ada.open("/connect/users")
        #expect(members.text.contains("Grace &lt;b&gt;"))
        let member = try #require(
            members.text.firstMatch(of: /href="(\/connect\/users\/\d+)"><bdi>Grace/)
        ).1
        let one = try await ada.open(String(member))
        let changed = try await ada.send(one, to: String(member), lists: ["roles": ["FINANCE"]])
        #expect(changed.location == "/connect/users")
        #expect(try await grace.open("/connect/agreements").status == 200)
        let ask = try await ada.open("\(member)/remove")
        #expect(try await ada.send(ask, to: "\(member)/remove").status == 303)
        #expect(try await grace.open("/connect/users").status == 303)
    }

    @Test func `an invitation is revoked`() async throws {
        let ada = try await holdersBrowser()
        let form = try await ada.open("/connect/users/invite")
        let invited = try await ada.send(
            form, to: "/connect/users/invite", ["email": "grace@example.com"],
            lists: ["roles": ["DEVELOPER"]])
        let path = try link(invited)
        let list = try await ada.open("/connect/users")
        let action = try #require(
            list.text.firstMatch(of: /action="(\/connect\/users\/invitations\/[^"]+\/revoke)"/)
        ).1
        #expect(try await ada.send(list, to: String(action)).status == 303)
        #expect(try await PortalClient(store).open(path).status == 404)
    }

    @Test func `the paid agreement is accepted, with bank and tax`() async throws {
        let ada = try await holdersBrowser()
        let ask = try await ada.open("/connect/agreements/paid/accept")
        let unticked = try await ada.send(ask, to: "/connect/agreements/paid/accept")
        #expect(unticked.status == 422)
        let accepted = try await ada.send(
            ask, to: "/connect/agreements/paid/accept", ["agrees": "true"])
        #expect(accepted.status == 303)
        let bank = try await ada.open("/connect/agreements/bank")
        var fields = [
            "accountHolder": "Ada", "bankName": "Bank", "territory": "DEU",
            "accountNumber": "DE00370400440532013000", "bic": "", "currency": "EUR",
        ]
        let wrong = try await ada.send(bank, to: "/connect/agreements/bank", fields)
        #expect(wrong.status == 422)
        #expect(wrong.text.contains("id=\"field-accountNumber-problem\""))
        fields["accountNumber"] = "DE89370400440532013000"
        let kept = try await ada.send(bank, to: "/connect/agreements/bank", fields)
        #expect(kept.status == 303)
        let tax = try await ada.open("/connect/agreements/tax")
        let filled = try await ada.send(
            tax, to: "/connect/agreements/tax",
            [
                "legalName": "Example", "territory": "DEU", "taxId": "DE123456789",
                "address": "1 Road",
            ])
        #expect(filled.status == 303)
        let list = try await ada.open("/connect/agreements")
        #expect(list.words.contains("Active"))
        #expect(list.words.contains("••••3000"))
        #expect(!list.text.contains("DE89370400440532013000"))
        let again = try await ada.open("/connect/agreements/bank")
        #expect(!again.text.contains("DE89370400440532013000"))
    }

    @Test func `an operator ends a team's agreement, and offers it again`() async throws {
        let ada = try await holdersBrowser()
        let ask = try await ada.open("/connect/agreements/free/accept")
        _ = try await ada.send(
            ask, to: "/connect/agreements/free/accept", ["agrees": "true"])
        let op = try await browser("op@example.com")
        let choice = try await op.open("/connect/agreements")
        let team = String(
            try #require(choice.text.firstMatch(of: /\/connect\/agreements\?team=(\d+)/)).1)
        let confirm = try await op.open("/connect/agreements/free/terminate?team=\(team)")
        let ended = try await op.send(
            confirm, to: "/connect/agreements/free/terminate", ["team": team])
        #expect(ended.location == "/connect/agreements?team=\(team)")
        let list = try await op.open("/connect/agreements?team=\(team)")
        #expect(list.words.contains("Terminated"))
        let offered = try await op.send(
            list, to: "/connect/agreements/free/offer", ["team": team])
        #expect(offered.status == 303)
        // Naming another team does not help who acts for one.
        let other = try await store.services.people.teams.create(
            name: "Other", accountHolder: nil, by: .machine
        ).team
        let own = try await ada.open("/connect/users?team=\(other.id)")
        #expect(own.words.contains("ada@example.com"))
    }

    @Test func `a key's private half is shown once`() async throws {
        let ada = try await holdersBrowser()
        let form = try await ada.open("/connect/keys/new")
        let made = try await ada.send(
            form, to: "/connect/keys/new", ["name": "Build", "role": "DEVELOPER"])
        #expect(made.words.contains("BEGIN PRIVATE KEY"))
        #expect(made.text.contains("download=\"AuthKey_"))
        let list = try await ada.open("/connect/keys")
        #expect(list.words.contains("Build"))
        #expect(!list.text.contains("PRIVATE KEY"))
        let path = String(
            try #require(list.text.firstMatch(of: /\/connect\/keys\/[A-Z0-9]{10}\/revoke/)).0)
        let ask = try await ada.open(path)
        #expect(try await ada.send(ask, to: path).status == 303)
        #expect(try await ada.open("/connect/keys").words.contains("Revoked"))
        #expect(try await ada.open("/connect/activity").words.contains("key.revoke"))
    }

    @Test func `a password is changed, and other sessions end`() async throws {
        let ada = try await holdersBrowser()
        let other = try await browser("ada@example.com")
        let page = try await ada.open("/connect/account")
        let wrong = try await ada.send(
            page, to: "/connect/account/password",
            ["currentPassword": "wrong", "newPassword": "another password"])
        #expect(wrong.status == 422)
        #expect(wrong.text.contains("id=\"field-currentPassword-problem\""))
        let changed = try await ada.send(
            page, to: "/connect/account/password",
            ["currentPassword": Self.password, "newPassword": "another password"])
        #expect(changed.status == 303)
        #expect(try await ada.open("/connect/account").status == 200)
        #expect(try await other.open("/connect/account").status == 303)
    }

    @Test func `staff is invited, and the last operator stays`() async throws {
        let op = try await operatorsBrowser()
        let form = try await op.open("/connect/staff/invite")
        let invited = try await op.send(
            form, to: "/connect/staff/invite", ["email": "rita@example.com"],
            lists: ["roles": ["REVIEWER"]])
        let rita = try await join(try link(invited), name: "Rita")
        #expect(try await rita.open("/connect/staff").status == 403)
        let list = try await op.open("/connect/staff")
        #expect(list.words.contains("Rita"))
        let own = String(
            try #require(list.text.firstMatch(of: /href="(\/connect\/staff\/\d+)"><bdi>Olga/)).1)
        let page = try await op.open(own)
        let refused = try await op.send(page, to: own, ["role": "none"])
        #expect(refused.status == 422)
        #expect(refused.words.contains("last operator"))
        // A form without a role, or with one that there is not, takes nobody's.
        let hers = String(
            try #require(list.text.firstMatch(of: /href="(\/connect\/staff\/\d+)"><bdi>Rita/)).1)
        for fields in [[:], ["role": "REVIEWR"], ["role": "ADMIN"]] as [[String: String]] {
            let wrong = try await op.send(try await op.open(hers), to: hers, fields)
            #expect(wrong.status == 422, "\(fields)")
            #expect(wrong.text.contains("id=\"field-role-problem\""), "\(fields)")
        }
        #expect(try await op.open("/connect/staff").words.contains("Rita"))
        let removed = try await op.send(try await op.open(hers), to: hers, ["role": "none"])
        #expect(removed.status == 303)
        #expect(try await !op.open("/connect/staff").words.contains("Rita"))
    }

    @Test func `all teams can be chosen, however many there are`() async throws {
        let op = try await operatorsBrowser()
        for number in 1...51 {
            try await store.database.write {
                _ = try $0.catalog.save(
                    TeamDraft(name: "Team \(100 + number)", hasPaidAgreement: true))
            }
        }
        let first = try await op.open("/connect/users")
        #expect(first.words.contains("Team 150") && !first.words.contains("Team 151"))
        let more = try #require(first.text.firstMatch(of: /href="([^"]*)">More Teams/)).1
        let second = try await op.open(String(more).replacing("&amp;", with: "&"))
        #expect(second.words.contains("Team 151") && !second.words.contains("Team 150"))
        #expect(!second.words.contains("More Teams"))
    }
}
