import Foundation

/// Signs people in to Connect, and knows their sessions.
package struct ConnectSessionService: ConnectSessions {
    /// The longest token that is looked at.
    private static let tokenLimit = 128
    private static let clientLimit = 200

    private let shop: Shop
    private let vault: any CredentialVault
    private let throttle: SignInThrottle
    private let decoyHash: String

    package init(
        database: any ShopDatabase, vault: any CredentialVault, throttle: SignInThrottle,
        clock: any StoreClock
    ) throws {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
        self.throttle = throttle
        self.decoyHash = try vault.makeDecoyHash()
    }

    // MARK: Sign-in

    /// Starts a session. It acts for the store where the person is of its staff, else for the
    /// first of the person's teams.
    ///
    /// - Parameters:
    ///   - client: what the program calls itself, for the list of sessions.
    ///   - address: where the request comes from.
    ///   - replaced: the token of the session that ends by it.
    /// - Throws: `ConnectRefusal` with the rule `signInWrong`, whichever of the two is wrong,
    ///   or `signInDelayed`; `PasswordsBusy` where too many wait to sign in.
    package func signIn(
        email: String, password: String, kind: ConnectSession.Kind, client: String,
        address: String?, replacing replaced: String? = nil
    ) async throws -> StartedConnectSession {
        let person = try await authenticate(email: email, password: password, address: address)
        return try await start(person, kind: kind, client: client, replacing: replaced)
    }

    /// The person that an address and a password belong to.
    ///
    /// - Throws: as `signIn`.
    package func authenticate(
        email: String, password: String, address: String?
    ) async throws -> Person {
        let email = EmailAddress.normalized(email)
        let known = try await shop.read { try $0.people.person(email: email) }
        // More than a password can have is not worth hashing.
        let isSane =
            password.utf8.count <= PersonRules.longestPassword
            && email.utf8.count <= EmailAddress.longest
        let isRight: Bool
        do {
            isRight = try await throttle.attempt(account: "connect \(email)", address: address) {
                let hash = known?.disabled == nil ? known?.passwordHash : nil
                let isRight = try await vault.verify(
                    password: isSane ? password : "", against: hash ?? decoyHash)
                return isRight && isSane && hash != nil
            }
        } catch let delay as SignInDelay {
            throw ConnectRefusal(
                .tooMany, rule: "signInDelayed", "There were too many wrong passwords.",
                help: "Try again in "
                    + (delay.minutes == 1 ? "a minute." : "\(delay.minutes) minutes."))
        }
        guard let known, isRight else { throw Self.wrong }
        return known
    }

    /// Starts the session of somebody who has shown to be the person.
    ///
    /// - Throws: `ConnectRefusal` where the person was disabled, or the password changed, meanwhile.
    package func start(
        _ person: Person, kind: ConnectSession.Kind, client: String,
        replacing replaced: String? = nil
    ) async throws -> StartedConnectSession {
        let token = try vault.makeToken()
        let digest = vault.digest(of: token)
        let replacedDigest = replaced.map { vault.digest(of: $0) }
        let id = vault.makeIdentifier()
        let (session, visitor) = try await shop.write { work in
            let sessions = work.connectSessions
            try sessions.deleteEnded(
                before: work.now,
                unusedSince: work.now.addingTimeInterval(-ConnectSession.idleDuration))
            if let replacedDigest, let old = try sessions.session(tokenDigest: replacedDigest) {
                try sessions.delete(old.id)
            }
            guard let known = try work.people.person(stillAuthenticated: person) else {
                throw Self.wrong
            }
            let teams = try work.people.teams(of: person.id)
            let session = ConnectSession(
                id: id, person: person.id, kind: kind,
                team: known.staffRole == nil ? teams.first?.id : nil,
                client: String(client.prefix(Self.clientLimit)), start: work.now, lastUse: work.now,
                end: work.now.addingTimeInterval(ConnectSession.duration))
            try sessions.insert(session, tokenDigest: digest)
            return (session, try Self.visitor(of: session, known, work))
        }
        return StartedConnectSession(session: session, token: token, visitor: visitor)
    }

    // MARK: A request

    package func visitor(token: String) async throws -> ConnectVisitor? {
        try await opened(token)?.visitor
    }

    /// The person who owns the session of a bearer token (`openstore login` begins such sessions); nil
    /// if the token belongs to no session, or if the session has ended.
    package func actor(token: String) async throws -> ConnectActor? {
        try await opened(token)?.visitor.actor
    }

    /// The session of a token, with who it stands for; nil where it is unknown or ended.
    package func opened(
        _ token: String
    ) async throws -> (session: ConnectSession, visitor: ConnectVisitor)? {
        guard token.utf8.count <= Self.tokenLimit else { return nil }
        let digest = vault.digest(of: token)
        let now = shop.clock.now()
        let found = try await shop.read {
            work -> (session: ConnectSession, visitor: ConnectVisitor)? in
            guard let session = try work.connectSessions.session(tokenDigest: digest),
                session.isOpen(at: now),
                let person = try work.people.person(session.person),
                person.disabled == nil
            else { return nil }
            return (session, try Self.visitor(of: session, person, work))
        }
        guard let found else { return nil }
        if found.session.lastUse.addingTimeInterval(ConnectSession.useGrain) <= now {
            try await shop.write {
                try $0.connectSessions.recordUse(of: found.session.id, at: now)
            }
        }
        return found
    }

    /// Lets a session act for a team, or for the store.
    ///
    /// - Parameter team: nil for the store's staff.
    /// - Throws: `ConnectRefusal` where the person does not belong there.
    package func choose(team: Int64?, token: String) async throws -> ConnectVisitor {
        let digest = vault.digest(of: token)
        return try await shop.write { work in
            guard var session = try work.connectSessions.session(tokenDigest: digest),
                session.isOpen(at: work.now),
                let person = try work.people.person(session.person),
                person.disabled == nil
            else { throw Self.ended }
            if let team {
                guard try work.people.member(person.id, of: team) != nil else {
                    throw ConnectRefusal.notFound("team", "\(team)")
                }
            } else if person.staffRole == nil {
                throw ConnectRefusal(
                    .forbidden, rule: "staffOnly", "Only the store's staff act for the store.",
                    help: "Choose one of your teams.")
            }
            try work.connectSessions.setTeam(team, of: session.id)
            session.team = team
            return try Self.visitor(of: session, person, work)
        }
    }

    /// Ends the session of a token; nothing happens where there is none.
    package func signOut(token: String) async throws {
        let digest = vault.digest(of: token)
        try await shop.write { work in
            guard let session = try work.connectSessions.session(tokenDigest: digest)
            else { return }
            try work.connectSessions.delete(session.id)
        }
    }

    // MARK: One's own sessions

    /// The sessions of whoever asks, the last used first.
    package func sessions(by actor: ConnectActor) async throws -> [ConnectSession] {
        let person = try Self.person(actor)
        return try await shop.read(as: actor) { work in
            try work.connectSessions.sessions(of: person, at: work.now)
                .filter { $0.isOpen(at: work.now) }
        }
    }

    /// Ends one of one's own sessions.
    package func end(_ id: String, by actor: ConnectActor) async throws {
        let person = try Self.person(actor)
        try await shop.write(as: actor) { work in
            guard let session = try work.connectSessions.session(id),
                session.person == person
            else { throw ConnectRefusal.notFound("session", id) }
            try work.connectSessions.delete(id)
        }
    }

    // MARK: Pieces

    /// The person that acts.
    ///
    /// - Throws: `ConnectRefusal` for keys and commands, which have no sessions.
    static func person(_ actor: ConnectActor) throws -> PersonID {
        guard case .person(let id, _) = actor.kind else {
            throw ConnectRefusal(
                .state, rule: "personOnly", "Only a person has an account and sessions.",
                help: "Sign in, instead of using a key.")
        }
        try actor.require(.useConnect)
        return id
    }

    private static let wrong = ConnectRefusal(
        .invalid, rule: "signInWrong", "The email address or the password is wrong.",
        help: "Check both; an operator can help who has lost the password.")

    private static let ended = ConnectRefusal(
        .notFound, rule: "sessionEnded", "The session has ended.", help: "Sign in again.")

    static func visitor(
        of session: ConnectSession, _ person: Person, _ repositories: StoreRepositories
    ) throws -> ConnectVisitor {
        let teams = try repositories.people.teams(of: person.id)
        var actor: ConnectActor?
        let kind = ConnectActor.Kind.person(person.id, email: person.email)
        if let team = session.team {
            let member = try repositories.people.member(person.id, of: team)
            actor = member.map { ConnectActor(kind: kind, team: team, roles: $0.roles) }
        } else if let role = person.staffRole {
            actor = ConnectActor(kind: kind, team: nil, roles: [role])
        }
        return ConnectVisitor(
            person: person.id, name: person.name, email: person.email,
            teams: teams.map { ConnectVisitor.Team(id: $0.id, name: $0.name) },
            isStaff: person.staffRole != nil, actor: actor)
    }
}
