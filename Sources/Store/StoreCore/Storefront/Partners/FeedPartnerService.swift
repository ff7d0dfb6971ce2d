/// Approves partners of the feed, and takes their approval back. The store makes their
/// passwords and keeps hashes of them only: each is shown once.
package struct FeedPartnerService: Sendable {
    private let shop: Shop
    private let vault: any CredentialVault

    package init(database: any ShopDatabase, vault: any CredentialVault, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
        self.vault = vault
    }

    /// All of them, the oldest first.
    ///
    /// - Throws: `ConnectRefusal`, as all methods do.
    package func page(
        _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<FeedPartner> {
        try await shop.read(as: actor, requiring: .managePartners) {
            try $0.feedPartners.page(request)
        }
    }

    package func partner(_ id: Int64, by actor: ConnectActor) async throws -> FeedPartner {
        try await shop.read(as: actor, requiring: .managePartners) { try Self.known(id, $0) }
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
        let partner = try await shop.write(as: actor) { work in
            guard try work.feedPartners.partner(userName: userName) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "userNameTaken", field: "userName",
                    "There is a partner with the user name \(quoted(userName)) already.",
                    help: "Choose another user name, or change the partner that there is.")
            }
            let partner = try work.feedPartners.insert(
                FeedPartner(
                    id: 0, name: name, userName: userName, passwordHash: hash, isActive: true,
                    created: work.now))
            // Nobody may have wanted the feed before.
            try work.makeDue(.exportingFeed)
            try Self.note("feedPartner.create", partner, work)
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
        return try await shop.write(as: actor) { work in
            let before = try Self.known(id, work)
            var partner = before
            partner.name = name ?? partner.name
            partner.isActive = isActive ?? partner.isActive
            guard partner != before else { return partner }
            try work.feedPartners.update(partner)
            if partner.isActive, !before.isActive {
                try work.makeDue(.exportingFeed)
            }
            try Self.note("feedPartner.update", partner, before: before, work)
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
        let partner = try await shop.write(as: actor) { work in
            var partner = try Self.known(id, work)
            partner.passwordHash = hash
            try work.feedPartners.update(partner)
            try Self.note("feedPartner.password", partner, work)
            return partner
        }
        return (partner, password)
    }

    private static func known(
        _ id: Int64, _ repositories: StoreRepositories
    ) throws -> FeedPartner {
        try repositories.feedPartners.find(id).orNotFound("feed partner", "\(id)")
    }

    private static func note(
        _ action: String, _ partner: FeedPartner, before: FeedPartner? = nil, _ work: UnitOfWork
    ) throws {
        try work.note(
            action, on: partner.userName, of: nil, before: before.map(words), after: words(partner))
    }

    private static func words(_ partner: FeedPartner) -> String {
        "\(partner.name), \(partner.isActive ? "active" : "not active")"
    }
}
