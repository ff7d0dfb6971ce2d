import Foundation

/// Approves partners of the feed, and takes their approval back. The store makes their
/// passwords and keeps hashes of them only: each is shown once.
package struct FeedPartnerService: Sendable {
    private let database: any ShopDatabase
    private let vault: any CredentialVault
    private let clock: any StoreClock

    package init(database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock) {
        self.database = database
        self.vault = vault
        self.clock = clock
    }

    /// All of them, the oldest first.
    ///
    /// - Throws: `ConnectRefusal`, as all methods do.
    package func page(
        _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<FeedPartner> {
        try actor.require(.managePartners)
        return try await database.read { try $0.feedPartners.page(request) }
    }

    package func partner(_ id: Int64, by actor: ConnectActor) async throws -> FeedPartner {
        try actor.require(.managePartners)
        return try await database.read { try Self.known(id, $0) }
    }

    /// Approves a partner.
    ///
    /// - Parameters:
    ///   - name: for people.
    ///   - userName: the name in HTTP Basic; nil for one that the store makes.
    /// - Returns: the partner, and its password, which is nowhere else.
    package func create(
        name: String, userName: String? = nil, by actor: ConnectActor
    ) async throws -> (partner: FeedPartner, password: String) {
        try actor.require(.managePartners)
        let name = try FeedPartnerRules.name(name)
        let userName = try FeedPartnerRules.userName(
            userName ?? "partner-\(vault.makeIdentifier().prefix(8))")
        let password = try vault.makeToken()
        let hash = try await vault.hash(password: password)
        let now = clock.now()
        let partner = try await database.write { repositories in
            guard try repositories.feedPartners.partner(userName: userName) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "userNameTaken", field: "userName",
                    "There is a partner with the user name \(quoted(userName)) already.",
                    help: "Choose another user name, or change the partner that there is.")
            }
            let partner = try repositories.feedPartners.insert(
                name: name, userName: userName, passwordHash: hash, at: now)
            // Nobody may have wanted the feed before.
            try JobService.makeDue(.exportingFeed, repositories, at: now)
            try Self.note("feedPartner.create", partner, actor, repositories, at: now)
            return partner
        }
        return (partner, password)
    }

    /// Changes a partner; what is nil stays. One that is not active gets nothing any more.
    package func change(
        _ id: Int64, name: String? = nil, isActive: Bool? = nil, by actor: ConnectActor
    ) async throws -> FeedPartner {
        try actor.require(.managePartners)
        let name = try name.map(FeedPartnerRules.name)
        let now = clock.now()
        return try await database.write { repositories in
            let before = try Self.known(id, repositories)
            var partner = before
            partner.name = name ?? partner.name
            partner.isActive = isActive ?? partner.isActive
            guard partner != before else { return partner }
            try repositories.feedPartners.update(partner)
            if partner.isActive, !before.isActive {
                try JobService.makeDue(.exportingFeed, repositories, at: now)
            }
            try Self.note(
                "feedPartner.update", partner, before: before, actor, repositories, at: now)
            return partner
        }
    }

    /// Gives a partner another password; the one before is worth nothing from then on.
    package func renewPassword(
        of id: Int64, by actor: ConnectActor
    ) async throws -> (partner: FeedPartner, password: String) {
        try actor.require(.managePartners)
        let password = try vault.makeToken()
        let hash = try await vault.hash(password: password)
        let now = clock.now()
        let partner = try await database.write { repositories in
            var partner = try Self.known(id, repositories)
            partner.passwordHash = hash
            try repositories.feedPartners.update(partner)
            try Self.note("feedPartner.password", partner, actor, repositories, at: now)
            return partner
        }
        return (partner, password)
    }

    private static func known(
        _ id: Int64, _ repositories: StoreRepositories
    ) throws -> FeedPartner {
        guard let partner = try repositories.feedPartners.partner(id) else {
            throw ConnectRefusal.notFound("feed partner", "\(id)")
        }
        return partner
    }

    private static func note(
        _ action: String, _ partner: FeedPartner, before: FeedPartner? = nil,
        _ actor: ConnectActor, _ repositories: StoreRepositories, at date: Date
    ) throws {
        try repositories.audit.append(
            AuditEntry(
                team: nil, actor: actor, action: action, subject: partner.userName,
                before: before.map(words), after: words(partner)), at: date)
    }

    private static func words(_ partner: FeedPartner) -> String {
        "\(partner.name), \(partner.isActive ? "active" : "not active")"
    }
}
