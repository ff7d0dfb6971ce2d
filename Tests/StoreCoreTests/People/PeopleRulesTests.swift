import Foundation
import StoreModel
import Testing

@testable import StoreCore

@Suite struct PeopleRulesTests {
    private func refusal(_ body: () throws -> Void) -> ConnectRefusal? {
        do {
            try body()
            return nil
        } catch {
            return error as? ConnectRefusal
        }
    }

    @Test(arguments: ["", "ada", "@example.com", "ada@", "a@b@c", "a da@example.com", "a\u{7}@b"])
    func `what is no address is refused`(text: String) {
        #expect(refusal { _ = try ConnectText.email(text) }?.rule == "emailMalformed")
    }

    @Test func `an address is kept in lower case`() throws {
        #expect(try ConnectText.email(" Ada@Example.COM\n") == "ada@example.com")
    }

    @Test(arguments: ["", "   ", "a\nb", "a\u{2028}b", String(repeating: "a", count: 101)])
    func `what is no name is refused`(text: String) {
        #expect(refusal { _ = try PersonRules.name(text) }?.rule == "nameInvalid")
    }

    @Test(arguments: [
        ("short1234", "passwordLength"), (String(repeating: "a", count: 257), "passwordLength"),
        ("Ada.Lovelace@Example.com", "passwordIsEmail"), ("ada.lovelace", "passwordIsEmail"),
    ])
    func `passwords that are too short, too long or no secret are refused`(
        password: String, rule: String
    ) {
        let found = refusal {
            try PersonRules.check(password: password, email: "ada.lovelace@example.com")
        }
        #expect(found?.rule == rule)
        #expect(found?.field == "password")
    }

    @Test(
        arguments: [
            ([], "rolesEmpty"), ([.reviewer], "roleOfStaff"), ([.admin, .operator], "roleOfStaff"),
            ([.accountHolder], "accountHolderHandedOver"),
            ([.accountHolder, .admin], "accountHolderHandedOver"),
        ] as [(Set<ConnectRole>, String)])
    func `roles that nobody gives are refused`(roles: Set<ConnectRole>, rule: String) {
        #expect(refusal { try MemberRules.check(assigned: roles) }?.rule == rule)
    }

    @Test func `every other role can be given`() throws {
        for role in ConnectRole.allCases where !role.isStaff && role != .accountHolder {
            try MemberRules.check(assigned: [role])
        }
    }

    @Test func `the account holder stays, and only they and operators hand the role over`() {
        #expect(
            refusal { try MemberRules.checkChange(of: [.accountHolder, .finance]) }?.rule
                == "accountHolderStays")
        for role in ConnectRole.allCases {
            let actor = ConnectActor(kind: .machine, team: 1, roles: [role])
            let isRefused = refusal { try MemberRules.checkHandover(by: actor) } != nil
            #expect(isRefused == (role != .accountHolder && role != .operator), "\(role)")
        }
        let roles = MemberRules.handover(from: [.accountHolder], to: [.developer])
        #expect(roles.holder == [.admin])
        #expect(roles.successor == [.accountHolder, .developer])
    }

    @Test func `a team's keys have the team's roles, the store's keys the staff's`() {
        for role in ConnectRole.allCases {
            let inTeam = refusal { try APIKeyRules.check(role: role, team: 1) } == nil
            #expect(inTeam == (!role.isStaff && role != .accountHolder), "\(role)")
            let ofStore = refusal { try APIKeyRules.check(role: role, team: nil) } == nil
            #expect(ofStore == role.isStaff, "\(role)")
        }
    }

    @Test func `a key's use is written down once in an hour`() {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(APIKeyRules.isNews(date, after: nil))
        #expect(!APIKeyRules.isNews(date.addingTimeInterval(3599), after: date))
        #expect(APIKeyRules.isNews(date.addingTimeInterval(3600), after: date))
    }

    @Test func `an invitation is open for seven days, once`() {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        func invitation(accepted: Date? = nil, revoked: Date? = nil) -> Invitation {
            Invitation(
                id: "id", team: 1, email: "ada@example.com", roles: [.admin], inviter: "x",
                created: date, end: date.addingTimeInterval(Invitation.duration),
                accepted: accepted, revoked: revoked)
        }
        let last = date.addingTimeInterval(7 * 86_400 - 1)
        #expect(invitation().state(at: last) == .open)
        #expect(invitation().state(at: last.addingTimeInterval(1)) == .expired)
        #expect(invitation(accepted: date).state(at: last) == .accepted)
        #expect(invitation(revoked: date).state(at: last) == .revoked)
    }
}
