import Foundation
import StoreModel

/// Keeps groups of subscriptions, offers and codes as the API gives them.
///
/// All errors of the rules are `ConnectRefusal`s; after one, nothing has changed.
package struct KeptService: Sendable {
    let database: any ShopDatabase
    let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    // MARK: Reading

    package func resource(
        _ kind: KeptKind, _ id: String, by actor: ConnectActor
    ) async throws -> KeptResource {
        try actor.require(.viewApps)
        return try await database.read { try Self.resource(kind, id, actor, $0) }
    }

    /// What an owner has of a kind, in the order in which it was made.
    ///
    /// - Parameters:
    ///   - owner: its identifier, as the kind's owners have them.
    ///   - territories: gives those of these only; nil for all.
    package func resources(
        _ kind: KeptKind, of owner: String, territories: [String]? = nil,
        _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<KeptResource> {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            let found = try Self.owner(of: kind, owner, actor, repositories)
            return try repositories.kept.page(
                kind, of: found.owner, territories: territories, request)
        }
    }

    // MARK: Changing

    package func add(
        _ draft: KeptDraft, to owner: String, by actor: ConnectActor
    ) async throws -> KeptResource {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            let found = try Self.owner(of: draft.kind, owner, actor, repositories)
            let resource = try Self.insert(draft, found, repositories, at: now)
            try Self.note("create", resource, found.team, actor, repositories, at: now)
            return resource
        }
    }

    /// Changes attributes; what is not named stays, what is nil goes where it may.
    ///
    /// - Parameter prices: takes the place of those that there are; nil lets them stay.
    package func change(
        _ kind: KeptKind, _ id: String, _ changes: [String: KeptValue?],
        prices: [KeptDraft]? = nil, by actor: ConnectActor
    ) async throws -> KeptResource {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            var resource = try Self.resource(kind, id, actor, repositories)
            let known = resource
            KeptRules.apply(changes, to: &resource)
            if resource != known {
                try KeptRules.check(resource)
                try Self.checkName(resource, repositories)
                try repositories.kept.update(resource)
                if kind == .subscriptionGroups {
                    try repositories.subscriptions.setName(
                        resource.name, ofGroup: id, of: resource.app)
                }
            }
            let team = try Self.team(of: resource.app, repositories)
            if let prices, let priceKind = kind.prices {
                let old = try repositories.kept.page(
                    priceKind, of: .kept(id), territories: nil, PageRequest(limit: 1000))
                for price in old.items { try repositories.kept.delete(priceKind, price.id) }
                let owner = Found(owner: .kept(id), app: resource.app, team: team)
                for price in prices {
                    _ = try Self.insert(price, owner, repositories, at: now)
                }
            }
            try Self.note("update", resource, team, actor, repositories, at: now)
            return resource
        }
    }

    /// Deletes all of these, or none.
    ///
    /// - Parameter owner: what they must belong to; nil for anything.
    package func delete(
        _ kind: KeptKind, _ ids: [String], of owner: String? = nil, by actor: ConnectActor
    ) async throws {
        try actor.require(.manageProducts)
        let now = clock.now()
        try await database.write { repositories in
            let owner = try owner.map { try Self.owner(of: kind, $0, actor, repositories).owner }
            for id in ids {
                try Self.delete(kind, id, of: owner, by: actor, repositories, at: now)
            }
        }
    }

    private static func delete(
        _ kind: KeptKind, _ id: String, of owner: KeptOwner?, by actor: ConnectActor,
        _ repositories: StoreRepositories, at now: Date
    ) throws {
        let resource = try Self.resource(kind, id, actor, repositories)
        if kind == .subscriptionGroups,
            try repositories.subscriptions.isUsed(group: id, of: resource.app)
        {
            throw ConnectRefusal(
                .state, rule: "groupInUse", field: "subscriptions",
                "The group \(resource.name) has subscriptions.",
                help: "Delete these first.")
        }
        guard owner == nil || owner == resource.owner else {
            throw ConnectRefusal.notFound("resource of the type \(kind.rawValue)", id)
        }
        try repositories.kept.delete(kind, id)
        try Self.note(
            "delete", resource, try Self.team(of: resource.app, repositories), actor,
            repositories, at: now)
    }

    /// The grace period of an app's subscriptions: there is one for each app, which begins
    /// as one that is off.
    package func setGracePeriod(
        of app: String, _ changes: [String: KeptValue?], by actor: ConnectActor
    ) async throws -> KeptResource {
        try actor.require(.manageApps)
        let now = clock.now()
        return try await database.write { repositories in
            let found = try Self.owner(
                of: .subscriptionGracePeriods, app, actor, repositories)
            let known = try repositories.kept.resource(.subscriptionGracePeriods, app)
            var resource = known ?? Self.gracePeriod(of: found.app, at: now)
            KeptRules.apply(changes, to: &resource)
            if known == nil {
                try repositories.kept.insert(resource)
            } else {
                try repositories.kept.update(resource)
            }
            try Self.note("update", resource, found.team, actor, repositories, at: now)
            return resource
        }
    }

    /// The grace period of an app's subscriptions.
    package func gracePeriod(
        of app: String, by actor: ConnectActor
    ) async throws -> KeptResource {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            let found = try Self.owner(
                of: .subscriptionGracePeriods, app, actor, repositories)
            return try repositories.kept.resource(.subscriptionGracePeriods, app)
                ?? Self.gracePeriod(of: found.app, at: now)
        }
    }

    private static func gracePeriod(of app: AppID, at date: Date) -> KeptResource {
        KeptResource(
            id: String(app.number), kind: .subscriptionGracePeriods, app: app, owner: .app(app),
            attributes: ["optIn": .flag(false), "sandboxOptIn": .flag(false)], links: [:],
            created: date)
    }

    // MARK: Parts

    struct Found {
        let owner: KeptOwner
        let app: AppID
        let team: Int64
    }

    /// Adds something to an app, inside a transaction.
    static func insert(
        _ draft: KeptDraft, to app: App, by actor: ConnectActor,
        _ repositories: StoreRepositories, at date: Date
    ) throws -> KeptResource {
        let owner = Found(owner: .app(app.id), app: app.id, team: app.teamID)
        let resource = try insert(draft, owner, repositories, at: date)
        try note("create", resource, app.teamID, actor, repositories, at: date)
        return resource
    }

    private static func insert(
        _ draft: KeptDraft, _ found: Found, _ repositories: StoreRepositories,
        at date: Date
    ) throws -> KeptResource {
        let resource = KeptResource(
            id: draft.id, kind: draft.kind, app: found.app, owner: found.owner,
            attributes: draft.attributes, links: draft.links, created: date)
        try KeptRules.check(resource)
        try checkName(resource, repositories)
        guard try repositories.kept.count(draft.kind, of: found.owner) < draft.kind.limit else {
            throw ConnectRefusal(
                .state, rule: "tooManyKept", field: draft.kind.ownerField,
                "There are \(draft.kind.limit) \(draft.kind.rawValue) already, which is the most.",
                help: "Delete some that are not needed.")
        }
        try repositories.kept.insert(resource)
        for price in draft.prices {
            _ = try insert(
                price, Found(owner: .kept(draft.id), app: found.app, team: found.team),
                repositories, at: date)
        }
        return resource
    }

    private static func checkName(
        _ resource: KeptResource, _ repositories: StoreRepositories
    ) throws {
        guard try repositories.kept.isNameTaken(resource) else { return }
        throw ConnectRefusal(
            .taken, rule: "nameTaken", field: resource.kind.key.first,
            "There is one with \(resource.kind.key.joined(separator: ", ")) "
                + "\"\(resource.name)\" already.", help: "Change that one, or choose another.")
    }

    private static func resource(
        _ kind: KeptKind, _ id: String, _ actor: ConnectActor,
        _ repositories: StoreRepositories
    ) throws -> KeptResource {
        guard let resource = try repositories.kept.resource(kind, id),
            let app = try repositories.catalog.app(resource.app), actor.sees(team: app.teamID),
            try isThere(resource.owner, of: kind, repositories)
        else { throw ConnectRefusal.notFound("resource of the type \(kind.rawValue)", id) }
        return resource
    }

    /// What belongs to a deleted product is there no longer.
    private static func isThere(
        _ owner: KeptOwner, of kind: KeptKind, _ repositories: StoreRepositories
    ) throws -> Bool {
        switch owner {
        case .app: return true
        case .product(let number):
            return try repositories.products.record(number)?.product.isDeleted == false
        case .kept(let id):
            guard case .kept(let ownerKind) = kind.owner,
                let resource = try repositories.kept.resource(ownerKind, id)
            else { return false }
            return try isThere(resource.owner, of: ownerKind, repositories)
        }
    }

    /// What a new resource of a kind would belong to.
    private static func owner(
        of kind: KeptKind, _ id: String, _ actor: ConnectActor,
        _ repositories: StoreRepositories
    ) throws -> Found {
        switch kind.owner {
        case .app:
            guard let number = ProductNumber(id).map({ AppID(number: $0.number) }),
                let app = try repositories.catalog.app(number), actor.sees(team: app.teamID)
            else { throw ConnectRefusal.notFound("app", id) }
            return Found(owner: .app(app.id), app: app.id, team: app.teamID)
        case .subscription, .inAppPurchase:
            let isSubscription = kind.owner == .subscription
            let what = isSubscription ? "subscription" : "in-app purchase"
            guard let number = ProductNumber(id),
                let summary = try repositories.products.record(number),
                !summary.product.isDeleted,
                (summary.summary.type == .autoRenewableSubscription) == isSubscription,
                let app = try repositories.catalog.app(summary.summary.app),
                actor.sees(team: app.teamID)
            else { throw ConnectRefusal.notFound(what, id) }
            return Found(owner: .product(number), app: app.id, team: app.teamID)
        case .kept(let ownerKind):
            let owner = try resource(ownerKind, id, actor, repositories)
            return Found(
                owner: .kept(owner.id), app: owner.app,
                team: try team(of: owner.app, repositories))
        }
    }

    private static func team(
        of app: AppID, _ repositories: StoreRepositories
    ) throws -> Int64 {
        guard let app = try repositories.catalog.app(app) else {
            throw ConnectRefusal.notFound("app", String(app.number))
        }
        return app.teamID
    }

    private static func note(
        _ verb: String, _ resource: KeptResource, _ team: Int64, _ actor: ConnectActor,
        _ repositories: StoreRepositories, at date: Date
    ) throws {
        try repositories.audit.append(
            AuditEntry(
                team: team, actor: actor, action: "\(resource.kind.rawValue).\(verb)",
                subject: resource.name), at: date)
    }
}
