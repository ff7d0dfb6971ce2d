import Foundation
import StoreModel

/// A subscription to be made.
package struct NewSubscription: Sendable, Hashable {
    package var productID: String
    package var referenceName: String
    package var reviewNote: String
    package var isFamilyShareable: Bool
    package var period: SubscriptionPeriod
    /// 1 is the highest level of service in the group.
    package var level: Int

    package init(
        productID: String, referenceName: String, reviewNote: String, isFamilyShareable: Bool,
        period: SubscriptionPeriod, level: Int
    ) {
        self.productID = productID
        self.referenceName = referenceName
        self.reviewNote = reviewNote
        self.isFamilyShareable = isFamilyShareable
        self.period = period
        self.level = level
    }
}

/// Makes and changes auto-renewable subscriptions. They are products of their app, whose
/// identifiers are unique with those of all others; texts, availability and pictures are those
/// of any product (`ProductService`).
package struct SubscriptionService: Sendable {
    let database: any ShopDatabase
    let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    // MARK: Reading

    package func subscription(
        _ number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            try Self.subscription(number, by: actor, repositories, at: now)
        }
    }

    /// A page of the subscriptions in a group.
    package func subscriptions(
        ofGroup group: String, _ filter: SubscriptionFilter = SubscriptionFilter(),
        _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<ProductRecord> {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            let group = try Self.group(group, by: actor, repositories)
            let page = try repositories.subscriptions.page(
                ofGroup: group.id, of: group.app, filter, request)
            return ListPage(
                items: try page.items.compactMap { try repositories.products.record($0) },
                total: page.total, next: page.next)
        }
    }

    /// A page of an app's groups.
    ///
    /// - Parameters:
    ///   - names: gives those with these names only.
    ///   - states: gives those with a subscription in one of these states only.
    ///   - byNameDescending: sorts them by their name, with true the last one first; nil: as
    ///     they were made.
    package func groups(
        of app: AppID, names: [String]? = nil, states: [ProductState]? = nil,
        byNameDescending: Bool? = nil, _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<KeptResource> {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            _ = try ProductService.app(app, actor, repositories)
            guard names != nil || states != nil || byNameDescending != nil else {
                return try repositories.kept.page(
                    .subscriptionGroups, of: .app(app), territories: nil, request)
            }
            // An app has a limited number of them.
            var groups = try repositories.kept.page(
                .subscriptionGroups, of: .app(app), territories: nil,
                PageRequest(limit: KeptKind.subscriptionGroups.limit)
            ).items.filter { names?.contains($0.name) ?? true }
            if let states {
                let wanted = try repositories.subscriptions.groups(
                    of: app, withSubscriptionsIn: states)
                groups.removeAll { !wanted.contains($0.id) }
            }
            if let byNameDescending {
                groups.sort { byNameDescending ? $1.name < $0.name : $0.name < $1.name }
            }
            return try ListPage(of: groups, request)
        }
    }

    // MARK: Changing

    package func create(
        _ new: NewSubscription, inGroup group: String, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            let group = try Self.group(group, by: actor, repositories)
            return try Self.create(new, in: group, by: actor, repositories, at: now)
        }
    }

    /// Makes a subscription in the group with a name, and the group where the app has none of
    /// that name.
    ///
    /// - Parameter id: of the group where it is made: a fresh UUID in small letters.
    package func create(
        _ new: NewSubscription, inGroupNamed name: String, id: String, of app: AppID,
        by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            let app = try ProductService.app(app, actor, repositories)
            let groups = SubscriptionGroups(of: app, by: actor, repositories, at: now)
            return try Self.create(
                new, in: groups.group(named: name, id: id), by: actor, repositories, at: now)
        }
    }

    private static func create(
        _ new: NewSubscription, in group: KeptResource, by actor: ConnectActor,
        _ repositories: StoreRepositories, at now: Date
    ) throws -> ProductRecord {
        try check(level: new.level)
        let terms = SubscriptionTerms(
            groupID: group.id, groupName: group.name, level: new.level, period: new.period,
            offers: [])
        return try ProductService.make(
            NewProduct(
                productID: new.productID, type: .autoRenewableSubscription,
                referenceName: new.referenceName, reviewNote: new.reviewNote,
                isFamilyShareable: new.isFamilyShareable, subscription: terms),
            in: group.app, by: actor, repositories, at: now)
    }

    /// Changes a subscription; what is nil stays.
    ///
    /// - Parameter prices: prices to be set along with it, as `setPrice` does.
    /// - Throws: `ConnectRefusal`; nothing has changed then.
    package func update(
        _ number: ProductNumber, _ change: ProductChange, period: SubscriptionPeriod? = nil,
        level: Int? = nil, prices: [SubscriptionPrice] = [], by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        if !prices.isEmpty { try actor.require(.managePrices) }
        let now = clock.now()
        return try await database.write { repositories in
            let record = try Self.subscription(number, by: actor, repositories, at: now)
            var work = try ProductWork(number, by: actor, repositories, at: now)
            if try ProductService.change(work, change) { try work.settle() }
            guard let known = record.product.details.subscription else { return record }
            var terms = known
            if let level {
                try Self.check(level: level)
                terms.level = level
            }
            if let period, period != known.period {
                guard !record.product.wasOnSale else {
                    throw ConnectRefusal(
                        .state, rule: "periodFixed", field: "subscriptionPeriod",
                        "The subscription was on sale with the period \(known.period.iso8601).",
                        help: "Make another subscription with the new period.")
                }
                terms.period = period
            }
            if terms != known {
                var work = try ProductWork(number, by: actor, repositories, at: now)
                try work.beginEdit()
                try repositories.subscriptions.setTerms(terms, of: number)
                try work.note(
                    "subscription.update", before: Self.words(known), after: Self.words(terms))
                try work.settle()
            }
            if !prices.isEmpty {
                var work = try ProductWork(number, by: actor, repositories, at: now)
                try Self.changePrices(&work, repositories) { known in
                    prices.reduce(known) { $0.setting($1, now: now) }
                }
            }
            return try Self.subscription(number, by: actor, repositories, at: now)
        }
    }

    private static func words(_ terms: SubscriptionTerms) -> String {
        "level \(terms.level), \(terms.period.iso8601)"
    }

    private static func check(level: Int) throws {
        guard (1...100).contains(level) else {
            throw ConnectRefusal(
                .invalid, rule: "groupLevel", field: "groupLevel",
                "The level \(level) is not from 1 to 100.",
                help: "1 is the highest level of service in the group.")
        }
    }

    // MARK: Prices

    /// Sets the price of one territory from a day on; the first price of a subscription is
    /// that of its base, which the other territories follow.
    ///
    /// - Returns: the price as it is kept: one that begins in the past begins at once.
    package func setPrice(
        _ price: SubscriptionPrice, by actor: ConnectActor
    ) async throws -> SubscriptionPrice {
        let now = clock.now()
        try await changePrices(of: price.product, by: actor, at: now) {
            $0.setting(price, now: now)
        }
        let begins = price.start.flatMap { $0 > now ? $0 : nil }
        return SubscriptionPrice(
            product: price.product, territory: price.territory, tier: price.tier, start: begins)
    }

    /// Takes prices away that have not begun: all of these, or none.
    package func deletePrices(
        _ gone: [SubscriptionPrice], of number: ProductNumber, by actor: ConnectActor
    ) async throws {
        let now = clock.now()
        try await changePrices(of: number, by: actor, at: now) { prices in
            var left = prices.entries
            for price in gone {
                let index = left.firstIndex { entry in
                    entry.territory == price.territory && entry.start == price.start
                        && entry.figure == .tier(price.tier)
                }
                guard price.product == number, let index else {
                    throw ConnectRefusal.notFound(
                        "price of its own of the subscription in", price.territory)
                }
                guard let start = price.start, start > now else {
                    throw ConnectRefusal(
                        .state, rule: "priceInForce", field: "startDate",
                        "The price in \(price.territory) is in force.",
                        help: "Set another one; only prices of the future can be taken away.")
                }
                left.remove(at: index)
            }
            return PriceSchedule(baseTerritory: prices.baseTerritory, entries: left)
        }
    }

    private func changePrices(
        of number: ProductNumber, by actor: ConnectActor, at now: Date,
        _ change: @escaping @Sendable (PriceSchedule) throws -> PriceSchedule
    ) async throws {
        try actor.require(.managePrices)
        try await database.write { repositories in
            var work = try ProductWork(number, by: actor, repositories, at: now)
            guard work.record.summary.type == .autoRenewableSubscription else {
                throw ConnectRefusal.notFound("subscription", number.description)
            }
            try Self.changePrices(&work, repositories, change)
        }
    }

    private static func changePrices(
        _ work: inout ProductWork, _ repositories: StoreRepositories,
        _ change: (PriceSchedule) throws -> PriceSchedule
    ) throws {
        let known = work.record.product.details.prices
        let prices = try PriceRules.checked(change(known), known: known)
        guard prices != known else { return }
        try work.beginSaleEdit()
        try repositories.products.setPrices(prices, of: work.record.number)
        try work.note("subscription.price")
        try work.settle()
    }

    // MARK: Parts

    private static func subscription(
        _ number: ProductNumber, by actor: ConnectActor,
        _ repositories: StoreRepositories, at date: Date
    ) throws -> ProductRecord {
        let record = try ProductWork(number, by: actor, repositories, at: date).record
        guard record.summary.type == .autoRenewableSubscription else {
            throw ConnectRefusal.notFound("subscription", number.description)
        }
        return record
    }

    private static func group(
        _ id: String, by actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> KeptResource {
        guard let group = try repositories.kept.resource(.subscriptionGroups, id),
            let app = try repositories.catalog.app(group.app), actor.sees(team: app.teamID)
        else { throw ConnectRefusal.notFound("group of subscriptions", id) }
        return group
    }
}
