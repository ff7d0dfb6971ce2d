import Foundation
import StoreModel

/// Keeps groups of subscriptions, offers and codes as the API gives them.
///
/// All errors of the rules are `ConnectRefusal`s; after one, nothing has changed.
package struct KeptService: Sendable {
    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Reading

    package func resource(
        _ kind: KeptKind, _ id: String, by actor: ConnectActor
    ) async throws -> KeptResource {
        try await shop.read(as: actor, requiring: .viewApps) {
            try Self.resource(kind, id, $0)
        }
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
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let found = try Self.owner(of: kind, owner, work)
            return try work.kept.page(kind, of: found.owner, territories: territories, request)
        }
    }

    // MARK: Changing

    package func add(
        _ draft: KeptDraft, to owner: String, by actor: ConnectActor
    ) async throws -> KeptResource {
        try await shop.write(as: actor, requiring: draft.kind.permission) { work in
            let found = try Self.owner(of: draft.kind, owner, work)
            let resource = try Self.insert(draft, found, work)
            try Self.note("create", resource, found.team, work)
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
        try await shop.write(as: actor, requiring: kind.permission) { work in
            var resource = try Self.resource(kind, id, work)
            let known = resource
            KeptRules.apply(changes, to: &resource)
            if resource != known {
                try KeptRules.check(resource)
                try Self.checkName(resource, work)
                try Self.checkOverlap(resource, work)
                try work.kept.update(resource)
                if kind == .subscriptionGroups {
                    try work.subscriptions.setName(resource.name, ofGroup: id, of: resource.app)
                }
            }
            let team = try Self.team(of: resource.app, work)
            if let prices, let priceKind = kind.prices {
                let old = try work.kept.page(
                    priceKind, of: .kept(id), territories: nil, PageRequest(limit: 1000))
                for price in old.items { try work.kept.delete(priceKind, price.id) }
                let owner = Found(owner: .kept(id), app: resource.app, team: team)
                try KeptRules.checkPrices(of: resource, prices)
                try Self.checkPayAsYouGo(resource, prices, work)
                for price in prices {
                    _ = try Self.insert(price, owner, work)
                }
            }
            try Self.note("update", resource, team, work)
            return resource
        }
    }

    /// Deletes all of these, or none.
    ///
    /// - Parameter owner: what they must belong to; nil for anything.
    package func delete(
        _ kind: KeptKind, _ ids: [String], of owner: String? = nil, by actor: ConnectActor
    ) async throws {
        try await shop.write(as: actor, requiring: kind.permission) { work in
            let owner = try owner.map { try Self.owner(of: kind, $0, work).owner }
            for id in ids {
                try Self.delete(kind, id, of: owner, work)
            }
        }
    }

    private static func delete(
        _ kind: KeptKind, _ id: String, of owner: KeptOwner?, _ work: UnitOfWork
    ) throws {
        let resource = try Self.resource(kind, id, work)
        if kind == .subscriptionGroups,
            try work.subscriptions.isUsed(group: id, of: resource.app)
        {
            throw ConnectRefusal(
                .state, rule: "groupInUse", field: "subscriptions",
                "The group \(resource.name) has subscriptions.",
                help: "Delete these first.")
        }
        guard owner == nil || owner == resource.owner else {
            throw ConnectRefusal.notFound("resource of the type \(kind.rawValue)", id)
        }
        try work.kept.delete(kind, id)
        try Self.note("delete", resource, try Self.team(of: resource.app, work), work)
    }

    /// The grace period of an app's subscriptions: there is one for each app, which begins
    /// as one that is off.
    package func setGracePeriod(
        of app: String, _ changes: [String: KeptValue?], by actor: ConnectActor
    ) async throws -> KeptResource {
        try await shop.write(as: actor, requiring: KeptKind.subscriptionGracePeriods.permission) {
            work in
            let found = try Self.owner(of: .subscriptionGracePeriods, app, work)
            let known = try work.kept.resource(.subscriptionGracePeriods, app)
            var resource = known ?? Self.gracePeriod(of: found.app, at: work.now)
            KeptRules.apply(changes, to: &resource)
            if known == nil {
                try work.kept.insert(resource)
            } else {
                try work.kept.update(resource)
            }
            try Self.note("update", resource, found.team, work)
            return resource
        }
    }

    /// The grace period of an app's subscriptions.
    package func gracePeriod(of app: String, by actor: ConnectActor) async throws -> KeptResource {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let found = try Self.owner(of: .subscriptionGracePeriods, app, work)
            return try work.kept.resource(.subscriptionGracePeriods, app)
                ?? Self.gracePeriod(of: found.app, at: work.now)
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
    static func insert(_ draft: KeptDraft, to app: App, _ work: UnitOfWork) throws -> KeptResource {
        let owner = Found(owner: .app(app.id), app: app.id, team: app.teamID)
        let resource = try insert(draft, owner, work)
        try note("create", resource, app.teamID, work)
        return resource
    }

    private static func insert(
        _ draft: KeptDraft, _ found: Found, _ work: UnitOfWork
    ) throws -> KeptResource {
        let resource = KeptResource(
            id: draft.id, kind: draft.kind, app: found.app, owner: found.owner,
            attributes: draft.attributes, links: draft.links, created: work.now)
        try KeptRules.checkNew(resource, prices: draft.prices, at: work.now)
        try checkName(resource, work)
        try checkOverlap(resource, work)
        try checkPayAsYouGo(resource, draft.prices, work)
        guard try work.kept.count(draft.kind, of: found.owner) < draft.kind.limit else {
            throw ConnectRefusal(
                .state, rule: "tooManyKept", field: draft.kind.ownerField,
                "There are \(draft.kind.limit) \(draft.kind.rawValue) already, which is the most.",
                help: "Delete some that are not needed.")
        }
        try work.kept.insert(resource)
        for price in draft.prices {
            _ = try insert(
                price, Found(owner: .kept(draft.id), app: found.app, team: found.team),
                work)
        }
        return resource
    }

    private static func checkName(_ resource: KeptResource, _ work: UnitOfWork) throws {
        guard let other = try work.kept.other(like: resource) else { return }
        guard try isThere(other.owner, of: other.kind, work) else {
            throw ConnectRefusal(
                .taken, rule: "nameTaken", field: resource.kind.key.first,
                "\"\(resource.name)\" belonged to a product that was deleted.",
                help: "Choose another one: it is not given twice.")
        }
        throw ConnectRefusal(
            .taken, rule: "nameTaken", field: resource.kind.key.first,
            "There is one with \(resource.kind.key.joined(separator: ", ")) "
                + "\"\(resource.name)\" already.", help: "Change that one, or choose another.")
    }

    /// Checks the prices of an offer beside those of its subscription, on the day when it begins.
    private static func checkPayAsYouGo(
        _ resource: KeptResource, _ prices: [KeptDraft], _ work: UnitOfWork
    ) throws {
        guard case .product(let number) = resource.owner,
            let product = try work.products.record(number)?.product
        else { return }
        let start = resource.attributes["startDate"]?.text.flatMap { CalendarDay($0)?.beginning }
        try KeptRules.checkPayAsYouGo(
            resource, prices: [resource.links] + prices.map(\.links), of: product,
            at: max(work.now, start ?? work.now))
    }

    /// Checks an introductory offer beside the others of its subscription.
    private static func checkOverlap(_ resource: KeptResource, _ work: UnitOfWork) throws {
        guard resource.kind == .subscriptionIntroductoryOffers else { return }
        let others = try work.kept.page(
            resource.kind, of: resource.owner, territories: nil,
            PageRequest(limit: resource.kind.limit))
        for other in others.items where other.id != resource.id {
            try KeptRules.checkOverlap(resource, other)
        }
    }

    private static func resource(
        _ kind: KeptKind, _ id: String, _ work: UnitOfWork
    ) throws -> KeptResource {
        guard let resource = try work.kept.resource(kind, id),
            let app = try work.catalog.app(resource.app), work.actor.sees(team: app.teamID),
            try isThere(resource.owner, of: kind, work)
        else { throw ConnectRefusal.notFound("resource of the type \(kind.rawValue)", id) }
        return resource
    }

    /// What belongs to a deleted product is there no longer.
    private static func isThere(
        _ owner: KeptOwner, of kind: KeptKind, _ work: UnitOfWork
    ) throws -> Bool {
        switch owner {
        case .app: return true
        case .product(let number):
            return try work.products.record(number)?.product.isDeleted == false
        case .kept(let id):
            guard case .kept(let ownerKind) = kind.owner,
                let resource = try work.kept.resource(ownerKind, id)
            else { return false }
            return try isThere(resource.owner, of: ownerKind, work)
        }
    }

    /// What a new resource of a kind would belong to.
    private static func owner(of kind: KeptKind, _ id: String, _ work: UnitOfWork) throws -> Found {
        switch kind.owner {
        case .app:
            guard let number = ProductNumber(id) else { throw ConnectRefusal.notFound("app", id) }
            let app = try work.app(AppID(number: number.number))
            return Found(owner: .app(app.id), app: app.id, team: app.teamID)
        case .subscription, .inAppPurchase:
            let isSubscription = kind.owner == .subscription
            let what = isSubscription ? "subscription" : "in-app purchase"
            guard let number = ProductNumber(id), let product = try work.productIfSeen(number),
                (product.record.summary.type == .autoRenewableSubscription) == isSubscription
            else { throw ConnectRefusal.notFound(what, id) }
            return Found(owner: .product(number), app: product.app.id, team: product.app.teamID)
        case .kept(let ownerKind):
            let owner = try resource(ownerKind, id, work)
            return Found(
                owner: .kept(owner.id), app: owner.app,
                team: try team(of: owner.app, work))
        }
    }

    private static func team(of app: AppID, _ work: UnitOfWork) throws -> Int64 {
        try work.catalog.app(app).orNotFound("app", String(app.number)).teamID
    }

    private static func note(
        _ verb: String, _ resource: KeptResource, _ team: Int64, _ work: UnitOfWork
    ) throws {
        try work.note("\(resource.kind.rawValue).\(verb)", on: resource.name, of: team)
    }
}
