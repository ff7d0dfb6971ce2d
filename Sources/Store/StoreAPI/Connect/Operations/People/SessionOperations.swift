import StoreCore
import StoreHTTP
import StoreWire

extension ResourceType {
    /// Sessions of commands and browsers.
    static let sessions = ResourceType(
        "sessions", at: "/openstore/v1/sessions", reading: .useConnect,
        shape: ResourceShape([
            "email": .text(1...EmailAddress.longest), "password": .text(1...1000),
            "client": .text(0...200), "teamName": .text(1...400),
            "token": .text(1...100), "kind": .choice(["browser", "command"]),
            "startedDate": .dateTime, "lastUsedDate": .dateTime, "expirationDate": .dateTime,
        ]))

    /// Who asks: a person or a key.
    static let me = ResourceType(
        "me", at: "/openstore/v1/me", reading: .useConnect,
        shape: ResourceShape([
            "kind": .choice(["PERSON", "KEY"]), "name": .text(0...400),
            "email": .optional(.text(1...EmailAddress.longest)), "roles": .roles,
            "teamId": .optional(.text(1...20)), "teamName": .optional(.text(1...400)),
            "currentPassword": .text(1...1000), "newPassword": .text(1...1000),
        ]))
}

extension Resource {
    fileprivate init(_ session: ConnectSession, more: [String: JSONValue] = [:]) {
        let attributes: [String: JSONValue] = [
            "kind": .string(session.kind.rawValue), "client": .string(session.client),
            "startedDate": .time(session.start), "lastUsedDate": .time(session.lastUse),
            "expirationDate": .time(session.end),
        ]
        self.init(.sessions, id: session.id, attributes.merging(more) { $1 })
    }
}

extension ConnectOperation {
    static let sessions: [ConnectOperation] = [
        // Signing in: the one operation that needs no token.
        ConnectOperation(
            .post, "/openstore/v1/sessions", .useConnect,
            own: .creation(
                of: .sessions, required: ["email", "password"],
                optional: ["client", "teamName"]), isOpen: true
        ) { .created(try await signIn($0)) },
        .list(.sessions, .useConnect) { call in
            let sessions = try await call.services.people.sessions.sessions(by: call.actor)
            return try ListPage(of: sessions, call.page()).map { Resource($0) }
        },
        .delete(.sessions, .useConnect) { call in
            try await call.services.people.sessions.end(call.id, by: call.actor)
        },
    ]

    private static func signIn(_ call: ConnectCall) async throws -> Resource {
        let sessions = call.services.people.sessions
        let started: StartedConnectSession
        do {
            started = try await sessions.signIn(
                email: try call.data.text("email"), password: try call.data.text("password"),
                kind: .command, client: call.data.optionalText("client") ?? "",
                address: call.request.clientAddress)
        } catch let refusal as ConnectRefusal where refusal.rule == "signInWrong" {
            throw JSONAPIErrors.one(
                401, "SIGN_IN_REFUSED", "The sign-in is refused", refusal.description,
                meta: JSONAPIError.Meta(rule: refusal.rule))
        }
        var visitor = started.visitor
        if let name = call.data.optionalText("teamName") {
            guard let team = visitor.teams.first(where: { $0.name == name }) else {
                try await sessions.signOut(token: started.token)
                throw ConnectRefusal(
                    .invalid, rule: "teamUnknown", field: "teamName",
                    "You don't belong to a team \"\(name)\".",
                    help: visitor.teams.isEmpty
                        ? "Ask its Account Holder for an invitation."
                        : "Choose one of: "
                            + visitor.teams.map(\.name).joined(separator: ", ") + ".")
            }
            visitor = try await sessions.choose(team: team.id, token: started.token)
        }
        return Resource(
            started.session,
            more: [
                "token": .string(started.token), "email": .string(visitor.email),
                "teamName": .text(visitor.team?.name),
            ])
    }

    static let me: [ConnectOperation] = [
        ConnectOperation(.get, "/openstore/v1/me", .useConnect, own: .one(of: .me)) { call in
            .resource(try await me(call))
        },
        ConnectOperation(
            .patch, "/openstore/v1/me", .useConnect,
            own: .change(of: .me, ["name", "currentPassword", "newPassword"])
        ) { call in
            let persons = call.services.people.persons
            guard !(call.data.has("newPassword") && call.data.has("name")) else {
                throw ConnectRefusal(
                    .invalid, rule: "oneAtATime", field: "name",
                    "Name and password are changed one at a time.", help: "Send two requests.")
            }
            if let password = call.data.optionalText("newPassword") {
                try await persons.changePassword(
                    from: call.data.optionalText("currentPassword") ?? "", to: password,
                    token: CallerGate.bearerToken(of: call.request) ?? "",
                    address: call.request.clientAddress, by: call.actor)
            }
            if let name = call.data.optionalText("name") {
                _ = try await persons.rename(to: name, by: call.actor)
            }
            return .resource(try await me(call))
        },
    ]

    private static func me(_ call: ConnectCall) async throws -> Resource {
        let people = call.services.people
        var attributes: [String: JSONValue] = ["roles": .roles(call.actor.roles)]
        switch call.actor.kind {
        case .person:
            let person = try await people.persons.me(by: call.actor)
            attributes["kind"] = "PERSON"
            attributes["name"] = .string(person.name)
            attributes["email"] = .string(person.email)
        case .key(let id):
            attributes["kind"] = "KEY"
            attributes["name"] = .text(try await call.services.apiKeys.key(id)?.name)
        case .machine, .nobody: break
        }
        if let team = call.actor.team {
            attributes["teamId"] = .string(String(team))
            attributes["teamName"] = .string(
                try await people.teams.team(team, by: call.actor).name)
        }
        return Resource(.me, id: "me", attributes)
    }
}
