import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// The pages about clocks of the sandbox, as somebody in the portal uses them.
struct SandboxClockPageTests {
    private static let root = "/connect/sandbox/clocks"

    private let shop: TestStore
    private let portal: PortalClient
    private let tester: AccountID

    init() async throws {
        shop = try await TestStore(hasContent: false)
        let team = try await shop.store.database.read { try $0.sampleApp().teamID }
        let developer = ConnectActor(kind: .machine, team: team, roles: [.developer])
        tester = try await shop.store.services.testers.create(
            TesterDraft(
                firstName: "Tess", lastName: "Ter", email: "tess@example.com",
                password: TestStore.password, secretQuestion: "", secretAnswer: "",
                territory: .unitedStates), by: developer
        ).account
        portal = PortalClient(
            shop.store, roles: [.developer], team: .init(id: team, name: "Publisher"))
    }

    private func make(_ fields: [String: String]) async throws -> PortalClient.Page {
        let form = try await portal.open("\(Self.root)/new")
        return try await portal.send(form, to: "\(Self.root)/new", fields)
    }

    @Test func `a clock is made for a tester, advanced, and deleted`() async throws {
        let none = try await portal.open(Self.root)
        #expect(none.text.contains("No clocks yet"))
        let made = try await make(["name": "<b>Autumn</b>", "testers": "\(tester.number)"])
        #expect(made.status == 303)
        let path = try #require(made.location)
        let page = try await portal.open(path)
        #expect(page.text.contains("&lt;b&gt;Autumn&lt;/b&gt;"))
        #expect(page.text.contains("tess@example.com"))
        let before = try await clock()
        let advanced = try await portal.send(page, to: path, ["number": "3", "unit": "hours"])
        #expect(advanced.status == 303 && advanced.location?.hasPrefix(path) == true)
        #expect(try await clock()?.date == before?.date.addingTimeInterval(3 * 3600))
        let list = try await portal.open(Self.root)
        #expect(list.text.contains("1 tester"))
        let question = try await portal.open("\(path)/delete")
        #expect(question.text.contains("is cleared"))
        let deleted = try await portal.send(question, to: "\(path)/delete", [:])
        #expect(deleted.status == 303)
        #expect(try await clock() == nil)
    }

    @Test(arguments: ["", "0", "-1", "x", "100001"])
    func `a clock is advanced by a number of units, and the form comes back otherwise`(
        number: String
    ) async throws {
        let made = try await make(["name": "Autumn", "testers": "\(tester.number)"])
        let path = try #require(made.location)
        let before = try await clock()
        let page = try await portal.open(path)
        let answer = try await portal.send(page, to: path, ["number": number, "unit": "days"])
        #expect(answer.status == 422)
        #expect(answer.text.contains("Type a number from 1 to 100,000."))
        #expect(try await clock() == before)
    }

    @Test func `a clock that nobody follows is refused`() async throws {
        let answer = try await make(["name": "Autumn"])
        #expect(answer.status == 422 && answer.text.contains("Nobody follows the clock."))
    }

    private func clock() async throws -> SandboxClock? {
        try await shop.store.services.sandboxClocks.clocks(PageRequest(limit: 1), by: .machine)
            .items.first?.clock
    }
}
