import Foundation

/// The store's own staff, and people's rights as such.
package struct StaffService: Sendable {
    let shop: Shop

    /// Reviewers and operators, by address.
    package func staff(by actor: ConnectActor) async throws -> [Person] {
        try await shop.read(as: actor, requiring: .operate) { try $0.people.staff() }
    }

    /// Makes somebody a reviewer or an operator, or neither; takes all rights away from a person,
    /// everywhere, and ends the sessions, or gives them back.
    ///
    /// - Parameters:
    ///   - role: nil leaves it as it is, `.some(nil)` takes the person out of the staff.
    ///   - isDisabled: nil leaves it as it is.
    /// - Throws: `ConnectRefusal` for the last operator.
    package func update(
        _ person: PersonID, role: ConnectRole??, isDisabled: Bool?, by actor: ConnectActor
    ) async throws -> Person {
        try actor.require(.operate)
        if let role = role ?? nil, !role.isStaff {
            throw ConnectRefusal(
                .invalid, rule: "roleOfTeam", field: "role",
                "\(role.title) is a role in a team.", help: "Choose Reviewer or Operator.")
        }
        return try await change(person, by: actor) { person, now in
            if let role { person.staffRole = role }
            if let isDisabled { person.disabled = isDisabled ? person.disabled ?? now : nil }
        }
    }

    private func change(
        _ id: PersonID, by actor: ConnectActor,
        _ change: @escaping @Sendable (inout Person, Date) -> Void
    ) async throws -> Person {
        try await shop.write(as: actor) { work in
            let people = work.people
            let before = try people.person(id).orNotFound("person", "\(id.number)")
            var after = before
            change(&after, work.now)
            guard before != after else { return before }
            let operates = after.staffRole == .operator && after.disabled == nil
            let operated = before.staffRole == .operator && before.disabled == nil
            if operated, !operates, try people.operators() == 1 {
                throw ConnectRefusal(
                    .state, rule: "lastOperator", "\(before.email) is the last operator.",
                    help: "Make another operator first.")
            }
            try people.update(after)
            // An invitation of before must not undo the change.
            if before.staffRole != after.staffRole,
                let open = try people.openInvitation(of: after.email, to: nil)
            {
                try people.revoke(open.id, at: work.now)
            }
            if after.disabled != nil || operated && !operates {
                try work.revokeInvitations(by: after.email)
            }
            // The store does not keep who made a link to a password, so all links end.
            if operated, !operates { try work.passwordResets.deleteUnused() }
            // What a session may was settled when it began.
            try work.connectSessions.deleteAll(of: id, except: nil)
            try work.note(
                "staff.update", on: before.email, of: nil, before: Self.status(before),
                after: Self.status(after))
            return after
        }
    }

    private static func status(_ person: Person) -> String {
        let role = person.staffRole?.title ?? "no staff"
        return person.disabled == nil ? role : "\(role), disabled"
    }
}
