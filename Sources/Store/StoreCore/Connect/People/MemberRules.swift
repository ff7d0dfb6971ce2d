/// Which roles people of a team may have, and who may change whom.
package enum MemberRules {
    /// Roles that can be given and taken in a team.
    ///
    /// - Throws: `ConnectRefusal` for none, for the store's own, and for the Account Holder's,
    ///   which is only handed over.
    package static func check(assigned roles: Set<ConnectRole>) throws {
        guard !roles.isEmpty else {
            throw ConnectRefusal(
                .invalid, rule: "rolesEmpty", field: "roles", "A member has at least one role.",
                help: "Choose a role, or remove the member.")
        }
        if let staff = roles.first(where: \.isStaff) {
            throw ConnectRefusal(
                .invalid, rule: "roleOfStaff", field: "roles",
                "\(staff.title) is a role of the store's own staff.",
                help: "An operator gives it, under Staff.")
        }
        guard !roles.contains(.accountHolder) else {
            throw ConnectRefusal(
                .invalid, rule: "accountHolderHandedOver", field: "roles",
                "A team has exactly one Account Holder.",
                help: "The Account Holder hands the role over to another member.")
        }
    }

    /// Whether a member's roles may be changed, or the member be removed.
    package static func checkChange(of roles: Set<ConnectRole>) throws {
        guard !roles.contains(.accountHolder) else {
            throw ConnectRefusal(
                .state, rule: "accountHolderStays", field: "roles",
                "The Account Holder can't be changed or removed.",
                help: "Hand the role over to another member first.")
        }
    }

    /// Whether somebody may hand over the role of a team's Account Holder: who has it, or the
    /// operator.
    package static func checkHandover(by actor: ConnectActor) throws {
        guard actor.roles.contains(.accountHolder) || actor.roles.contains(.operator) else {
            throw ConnectRefusal(
                .forbidden, rule: "accountHolderHandsOver",
                "Only the Account Holder hands the role over.",
                help: "Ask the Account Holder, or the store's operator.")
        }
    }

    /// The roles of both after the role was handed over: the earlier Account Holder remains
    /// as Admin.
    package static func handover(
        from holder: Set<ConnectRole>, to successor: Set<ConnectRole>
    ) -> (holder: Set<ConnectRole>, successor: Set<ConnectRole>) {
        (holder.subtracting([.accountHolder]).union([.admin]), successor.union([.accountHolder]))
    }
}

extension Set<ConnectRole> {
    /// Their names for people, the same each time.
    package var titles: String {
        ConnectRole.allCases.filter(contains).map(\.title).joined(separator: ", ")
    }
}
