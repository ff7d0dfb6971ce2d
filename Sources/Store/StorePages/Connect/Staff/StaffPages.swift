import StoreCore

extension PortalRouteTable {
    static let staff: [PortalRoute] = [
        .get("/staff", .operate, StaffPages.list),
        .get("/staff/invite", .operate, StaffPages.invitationForm),
        .post("/staff/invite", .operate, StaffPages.invite),
        .post("/staff/invitations/{id}/revoke", .operate, StaffPages.revoke),
        .get("/staff/{id}", .operate, StaffPages.show),
        .post("/staff/{id}", .operate, StaffPages.change),
    ]
}

/// Reviewers and operators.
enum StaffPages {
    private static let root = PortalSection.staff.path
    private static let crumb = PortalPage.Crumb(PortalSection.staff.title, root)

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let people = call.services.people
        let staff = try await people.staff.staff(by: call.actor)
        let invitations = try await people.invitations.invitations(to: nil, by: call.actor)
        let form = PortalForm(call)
        var page = PortalPage(
            PortalSection.staff.title,
            [
                PortalTable(
                    "Staff", columns: [.init("Name"), .init("Email"), .init("Role")],
                    rows: staff.map { person in
                        [
                            .link("\(root)/\(person.id.number)", [.foreign(person.name)]),
                            .text(person.email),
                            person.disabled == nil
                                ? .text(person.staffRole?.title ?? "")
                                : PortalBadge("Disabled", .bad).html,
                        ]
                    }, none: ("Nobody", "The store has no staff.")
                ).html(),
                invitations.isEmpty
                    ? .nothing
                    : PortalPanel(
                        "Open invitations",
                        [
                            PortalTable(
                                "Open invitations",
                                columns: [.init("Email"), .init("Role"), .init("Revoke")],
                                rows: invitations.map { invitation in
                                    [
                                        .text(invitation.email),
                                        .text(invitation.roles.titles),
                                        form.button(
                                            "Revoke",
                                            to: "\(root)/invitations/\(invitation.id)/revoke",
                                            look: .danger),
                                    ]
                                }, none: ("", "")
                            ).html()
                        ]
                    ).html,
            ], in: .staff)
        page.actions = [
            .buttonLink(PasswordPages.path, "Reset a Password"),
            .buttonLink("\(root)/invite", "Invite Someone", isMeant: true),
        ]
        return .page(page)
    }

    static func invitationForm(_ call: PortalCall) async throws -> PortalAnswer {
        .page(invitation(PortalForm(call)))
    }

    static func invite(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let issued = try await call.services.people.invitations.invite(
                email: call.form["email"], roles: call.form.roles, to: nil, by: call.actor)
            return .page(
                InvitationLink.page(issued, call, in: .staff, trail: [crumb], back: root))
        } again: { form in
            invitation(form)
        }
    }

    static func revoke(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.services.people.invitations.revoke(call.id, by: call.actor)
        return .redirect(to: root, notice: "The invitation works no longer.")
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(page(try await person(call), PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        let person = try await person(call)
        return try await call.submit {
            _ = try await call.services.people.staff.update(
                person.id, role: .some(try role(in: call.form)),
                isDisabled: call.form["disabled"] == "true", by: call.actor)
            return .redirect(to: root, notice: "\(person.email) is changed, and signed out.")
        } again: { form in
            page(person, form)
        }
    }

    /// The role that was chosen; nil for none any longer.
    private static func role(in form: FormFields) throws -> ConnectRole? {
        if form["role"] == "none" { return nil }
        guard let role = ConnectRole(rawValue: form["role"]) else {
            throw ConnectRefusal(
                .invalid, rule: "roleUnknown", field: "role", "No role is chosen.",
                help: "Choose one, or None.")
        }
        return role
    }

    private static func person(_ call: PortalCall) async throws -> Person {
        let staff = try await call.services.people.staff.staff(by: call.actor)
        guard let person = staff.first(where: { String($0.id.number) == call.id }) else {
            throw ConnectRefusal.notFound("person", call.id)
        }
        return person
    }

    private static func page(_ person: Person, _ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            person.name,
            [
                form.html(
                    "\(root)/\(person.id.number)",
                    [
                        form.radios(
                            "role", "Role",
                            ConnectRole.options(ConnectRole.staff) + [
                                PortalOption(
                                    "none", "None", hint: "No longer on the staff.")
                            ], chosen: person.staffRole?.rawValue),
                        form.checkbox(
                            "disabled", "Disabled", isOn: person.disabled != nil,
                            hint: "Can’t sign in at all."),
                        form.actions("Save", cancel: root),
                    ])
            ], in: .staff)
        page.lead = person.email
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    private static func invitation(_ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            "Invite Someone",
            [
                form.html(
                    "\(root)/invite",
                    [
                        form.text("email", "Email", as: .email, isRequired: true),
                        form.radios(
                            "roles", "Role", ConnectRole.options(ConnectRole.staff), chosen: nil),
                        form.actions("Make the Link", cancel: root),
                    ])
            ], in: .staff)
        page.trail = [crumb]
        page.isNarrow = true
        page.lead = "The store sends no mail: you get a link, and pass it on."
        return page
    }
}
