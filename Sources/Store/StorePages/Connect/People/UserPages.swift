import StoreCore

extension PortalRouteTable {
    static let users: [PortalRoute] = [
        .get("/users", .viewUsers, UserPages.list),
        .get("/users/invite", .manageUsers, UserPages.invitationForm),
        .post("/users/invite", .manageUsers, UserPages.invite),
        .post("/users/invitations/{id}/revoke", .manageUsers, UserPages.revoke),
        .get("/users/{id}", .viewUsers, UserPages.show),
        .post("/users/{id}", .manageUsers, UserPages.setRoles),
        .get("/users/{id}/remove", .manageUsers, UserPages.askRemoval),
        .post("/users/{id}/remove", .manageUsers, UserPages.remove),
        .get("/users/{id}/hand-over", .manageUsers, UserPages.askHandover),
        .post("/users/{id}/hand-over", .manageUsers, UserPages.handOver),
    ]
}

/// Users and Access: the members of a team, and whom it has invited.
enum UserPages {
    private static let root = PortalSection.users.path
    private static let crumb = PortalPage.Crumb(PortalSection.users.title, root)

    // MARK: The list

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        guard let team = scope.team else {
            return try await TeamScope.choice(call, in: .users)
        }
        let people = call.services.people
        let after = call.query("after")
        let found = try await people.members.members(
            of: team, after: after, limit: PortalPaging.size + 1, by: call.actor)
        let shown = found.members.prefix(PortalPaging.size)
        let invitations = try await people.invitations.invitations(to: team, by: call.actor)
        let more =
            found.members.count > shown.count
            ? shown.last.map { scope.path(root, [("after", $0.person.email)]) } : nil
        var page = PortalPage(
            PortalSection.users.title,
            [
                PortalTable(
                    "Members",
                    columns: [.init("Name"), .init("Email"), .init("Roles"), .init("Since")],
                    rows: shown.map { member in
                        [
                            .link(
                                scope.path("\(root)/\(member.person.id.number)"),
                                [.foreign(member.person.name)]),
                            .text(member.person.email),
                            member.person.disabled == nil
                                ? .text(member.roles.titles)
                                : PortalBadge("Disabled", .bad).html,
                            PortalFormatting.day(member.since),
                        ]
                    },
                    none: (
                        "No members yet", "The account holder has not accepted the invitation."
                    )
                ).html(),
                more.map { .element("p", [], [.buttonLink($0, "More Members")]) } ?? .nothing,
                open(invitations, call, scope),
            ], in: .users)
        page.lead = PortalFormatting.count(found.total, "member", "members") + "."
        if call.actor.allows(.manageUsers) {
            page.actions = [
                .buttonLink(scope.path("\(root)/invite"), "Invite Someone", isMeant: true)
            ]
        }
        return .page(page)
    }

    private static func open(
        _ invitations: [Invitation], _ call: PortalCall, _ scope: TeamScope
    ) -> HTML {
        guard !invitations.isEmpty else { return .nothing }
        let form = PortalForm(call)
        let now = call.services.clock.now()
        return PortalPanel(
            "Open invitations",
            [
                PortalTable(
                    "Open invitations",
                    columns: [
                        .init("Email"), .init("Roles"), .init("Works until"), .init("Revoke"),
                    ],
                    rows: invitations.map { invitation in
                        [
                            .text(invitation.email), .text(invitation.roles.titles),
                            invitation.state(at: now) == .open
                                ? PortalFormatting.time(invitation.end)
                                : PortalBadge("Expired", .warn).html,
                            call.actor.allows(.manageUsers)
                                ? form.button(
                                    "Revoke",
                                    to: "\(root)/invitations/\(invitation.id)/revoke",
                                    scope.fields, look: .danger)
                                : .nothing,
                        ]
                    }, none: ("", "")
                ).html()
            ]
        ).html
    }

    // MARK: Inviting

    static func invitationForm(_ call: PortalCall) async throws -> PortalAnswer {
        _ = try TeamScope(call).required()
        return .page(invitation(PortalForm(call), TeamScope(call)))
    }

    static func invite(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        let team = try scope.required()
        return try await call.submit {
            let issued = try await call.services.people.invitations.invite(
                email: call.form["email"], roles: call.form.roles, to: team, by: call.actor)
            return .page(
                InvitationLink.page(
                    issued, call, in: .users, trail: [crumb], back: scope.path(root)))
        } again: { form in
            invitation(form, scope)
        }
    }

    static func revoke(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.services.people.invitations.revoke(call.id, by: call.actor)
        return .redirect(
            to: TeamScope(call).path(root), notice: "The invitation works no longer.")
    }

    private static func invitation(_ form: PortalForm, _ scope: TeamScope) -> PortalPage {
        var page = PortalPage(
            "Invite Someone",
            [
                form.html(
                    "\(root)/invite",
                    [
                        scope.field,
                        form.text("email", "Email", as: .email, isRequired: true),
                        form.checkboxes(
                            "roles", "Roles", ConnectRole.options(ConnectRole.assignable),
                            chosen: []),
                        form.actions("Make the Link", cancel: scope.path(root)),
                    ])
            ], in: .users)
        page.trail = [crumb]
        page.isNarrow = true
        page.lead = "The store sends no mail: you get a link, and pass it on."
        return page
    }

    // MARK: One member

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(page(try await member(call), PortalForm(call), call))
    }

    static func setRoles(_ call: PortalCall) async throws -> PortalAnswer {
        let member = try await member(call)
        return try await call.submit {
            _ = try await call.services.people.members.setRoles(
                call.form.roles, of: member.person.id, in: member.team, by: call.actor)
            return .redirect(to: TeamScope(call).path(root), notice: "The roles are changed.")
        } again: { form in
            page(member, form, call)
        }
    }

    static func askRemoval(_ call: PortalCall) async throws -> PortalAnswer {
        let member = try await member(call)
        return .page(removal(member, PortalForm(call), TeamScope(call)))
    }

    static func remove(_ call: PortalCall) async throws -> PortalAnswer {
        let member = try await member(call)
        return try await call.submit {
            try await call.services.people.members.remove(
                member.person.id, from: member.team, by: call.actor)
            return .redirect(
                to: TeamScope(call).path(root),
                notice: "\(member.person.name) is no member any longer.")
        } again: { form in
            removal(member, form, TeamScope(call))
        }
    }

    static func askHandover(_ call: PortalCall) async throws -> PortalAnswer {
        .page(handover(try await member(call), PortalForm(call), TeamScope(call)))
    }

    static func handOver(_ call: PortalCall) async throws -> PortalAnswer {
        let member = try await member(call)
        return try await call.submit {
            _ = try await call.services.people.members.handOver(
                member.team, to: member.person.id, by: call.actor)
            return .redirect(
                to: TeamScope(call).path(root),
                notice: "\(member.person.name) is the Account Holder now.")
        } again: { form in
            handover(member, form, TeamScope(call))
        }
    }

    private static func member(_ call: PortalCall) async throws -> Member {
        guard let number = Int64(call.id) else {
            throw ConnectRefusal.notFound("member", call.id)
        }
        return try await call.services.people.members.member(
            PersonID(number: number), of: TeamScope(call).required(), by: call.actor)
    }

    private static func page(
        _ member: Member, _ form: PortalForm, _ call: PortalCall
    ) -> PortalPage {
        let scope = TeamScope(call)
        let path = "\(root)/\(member.person.id.number)"
        let isHolder = member.roles.contains(.accountHolder)
        let mayChange = call.actor.allows(.manageUsers) && !isHolder
        let facts = PortalFacts([
            ("Email", .text(member.person.email)), ("Roles", .text(member.roles.titles)),
            ("Member since", PortalFormatting.day(member.since)),
        ])
        var page = PortalPage(
            member.person.name,
            [
                facts.html,
                mayChange
                    ? form.html(
                        path,
                        [
                            scope.field,
                            form.checkboxes(
                                "roles", "Roles", ConnectRole.options(ConnectRole.assignable),
                                chosen: Set(member.roles.map(\.rawValue))),
                            form.actions("Save", cancel: scope.path(root)),
                        ]) : .nothing,
            ], in: .users)
        page.trail = [crumb]
        page.isNarrow = true
        if isHolder, call.actor.allows(.manageUsers) {
            page.lead = "The Account Holder stays until the role is handed over to another member."
        }
        if mayChange {
            let hands = call.actor.roles.contains { $0 == .accountHolder || $0 == .operator }
            page.actions =
                (hands
                    ? [.buttonLink(scope.path("\(path)/hand-over"), "Make Account Holder")] : [])
                + [.buttonLink(scope.path("\(path)/remove"), "Remove")]
        }
        return page
    }

    private static func removal(
        _ member: Member, _ form: PortalForm, _ scope: TeamScope
    ) -> PortalPage {
        PortalConfirmation(
            "Remove \(member.person.name)?",
            ["All sessions in this team end at once.", "A new invitation brings them back."],
            button: "Remove"
        ).page(
            form, action: "\(root)/\(member.person.id.number)/remove",
            cancel: scope.path("\(root)/\(member.person.id.number)"), in: .users, [scope.field])
    }

    private static func handover(
        _ member: Member, _ form: PortalForm, _ scope: TeamScope
    ) -> PortalPage {
        PortalConfirmation(
            "Make \(member.person.name) the Account Holder?",
            [
                "They sign agreements from now on.",
                "The earlier Account Holder remains as Admin, and can’t take the role back.",
            ], button: "Hand Over"
        ).page(
            form, action: "\(root)/\(member.person.id.number)/hand-over",
            cancel: scope.path("\(root)/\(member.person.id.number)"), in: .users, [scope.field])
    }
}
