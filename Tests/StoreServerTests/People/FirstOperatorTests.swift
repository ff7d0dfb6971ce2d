import Foundation
import StoreCore
import StoreServer
import StoreTestSupport
import Testing

@Suite struct FirstOperatorTests {
    @Test func `the link works until it is used or replaced, and once only`() async throws {
        let opened = try await OpenedStore()
        let first = opened.store.services.people.firstOperator
        let old = try #require(try await first.makeLink())
        let link = try #require(try await first.makeLink())
        #expect(try await !first.isOpen(token: old))
        #expect(try await !first.isOpen(token: ""))
        opened.clock.advance(by: 365 * 86_400)
        #expect(try await first.isOpen(token: link))
        func create(_ token: String) async throws {
            _ = try await first.create(
                token: token, email: "Op@Example.com", name: "Olga",
                password: PeopleFixture.password)
        }
        await #expect(throws: ConnectRefusal.self) { try await create(old) }
        try await create(link)
        #expect(try await !first.isOpen(token: link))
        await #expect(throws: ConnectRefusal.self) { try await create(link) }
        #expect(try await first.makeLink() == nil)
        let session = try await opened.store.services.people.sessions.signIn(
            email: "op@example.com", password: PeopleFixture.password, kind: .command,
            client: "", address: nil)
        #expect(session.visitor.actor?.roles == [.operator])
        #expect(session.visitor.actor?.team == nil)
    }

    @Test func `two who use the link at once make one operator`() async throws {
        let opened = try await OpenedStore()
        let first = opened.store.services.people.firstOperator
        let link = try #require(try await first.makeLink())
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<4 {
                group.addTask {
                    (try? await first.create(
                        token: link, email: "op\(number)@example.com", name: "Olga",
                        password: PeopleFixture.password)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
    }

    @Test func `the command on the machine makes operators at any time`() async throws {
        let fixture = try await PeopleFixture()
        let first = fixture.people.firstOperator
        let second = try await first.create(
            email: "second@example.com", name: "Otto", password: PeopleFixture.password,
            by: .machine)
        #expect(second.staffRole == .operator)
        let again = try await rule(fixture) {
            _ = try await first.create(
                email: "ada@example.com", name: "Ada", password: PeopleFixture.password,
                by: .machine)
        }
        #expect(again == "emailTaken")
        let stranger = try await rule(fixture) {
            _ = try await first.create(
                email: "x@example.com", name: "X", password: PeopleFixture.password,
                by: fixture.owner)
        }
        #expect(stranger == "role")
    }
}
