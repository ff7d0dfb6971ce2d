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
    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Reading

    package func subscription(
        _ number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try Self.subscription(number, work)
        }
    }

    /// A page of the subscriptions in a group.
    package func subscriptions(
        ofGroup group: String, _ filter: SubscriptionFilter = SubscriptionFilter(),
        _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<ProductRecord> {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let group = try Self.group(group, work)
            let page = try work.subscriptions.page(
                ofGroup: group.id, of: group.app, filter, request)
            return ListPage(
                items: try page.items.compactMap { try work.products.record($0) },
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
        try await shop.read(as: actor, requiring: .viewApps) { work in
            _ = try work.app(app)
            guard names != nil || states != nil || byNameDescending != nil else {
                return try work.kept.page(
                    .subscriptionGroups, of: .app(app), territories: nil, request)
            }
            // An app has a limited number of them.
            var groups = try work.kept.page(
                .subscriptionGroups, of: .app(app), territories: nil,
                PageRequest(limit: KeptKind.subscriptionGroups.limit)
            ).items.filter { names?.contains($0.name) ?? true }
            if let states {
                let wanted = try work.subscriptions.groups(of: app, withSubscriptionsIn: states)
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
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let group = try Self.group(group, work)
            return try Self.create(new, in: group, work)
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
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let app = try work.app(app)
            let groups = SubscriptionGroups(of: app, work)
            return try Self.create(new, in: groups.group(named: name, id: id), work)
        }
    }

    private static func create(
        _ new: NewSubscription, in group: KeptResource, _ work: UnitOfWork
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
            in: group.app, work)
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
        return try await shop.write(as: actor) { work in
            let record = try Self.subscription(number, work)
            var product = try work.product(number)
            if try ProductService.change(product, change) { try product.settle() }
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
                var product = try work.product(number)
                try product.beginEdit()
                try work.subscriptions.setTerms(terms, of: number)
                try product.note(
                    "subscription.update", before: Self.words(known), after: Self.words(terms))
                try product.settle()
            }
            if !prices.isEmpty {
                var product = try work.product(number)
                try Self.changePrices(&product) { known in
                    prices.reduce(known) { $0.setting($1, now: work.now) }
                }
            }
            return try Self.subscription(number, work)
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
        let now = try await changePrices(of: price.product, by: actor) {
            $0.setting(price, now: $1)
        }
        let begins = price.start.flatMap { $0 > now ? $0 : nil }
        return SubscriptionPrice(
            product: price.product, territory: price.territory, tier: price.tier, start: begins)
    }

    /// Takes prices away that have not begun: all of these, or none.
    package func deletePrices(
        _ gone: [SubscriptionPrice], of number: ProductNumber, by actor: ConnectActor
    ) async throws {
        _ = try await changePrices(of: number, by: actor) { prices, now in
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

    /// - Parameter change: gets the time of the change, too.
    /// - Returns: the time of the change.
    private func changePrices(
        of number: ProductNumber, by actor: ConnectActor,
        _ change: @escaping @Sendable (PriceSchedule, Date) throws -> PriceSchedule
    ) async throws -> Date {
        try await shop.write(as: actor, requiring: .managePrices) { work in
            var product = try work.product(number)
            guard product.record.summary.type == .autoRenewableSubscription else {
                throw ConnectRefusal.notFound("subscription", number.description)
            }
            try Self.changePrices(&product) { try change($0, work.now) }
            return work.now
        }
    }

    private static func changePrices(
        _ product: inout EditedProduct, _ change: (PriceSchedule) throws -> PriceSchedule
    ) throws {
        let known = product.record.product.details.prices
        let prices = try PriceRules.checked(change(known), known: known)
        guard prices != known else { return }
        try product.beginSaleEdit()
        try product.work.products.setPrices(prices, of: product.record.number)
        try product.note("subscription.price")
        try product.settle()
    }

    // MARK: Parts

    private static func subscription(
        _ number: ProductNumber, _ work: UnitOfWork
    ) throws -> ProductRecord {
        let record = try work.product(number).record
        guard record.summary.type == .autoRenewableSubscription else {
            throw ConnectRefusal.notFound("subscription", number.description)
        }
        return record
    }

    private static func group(_ id: String, _ work: UnitOfWork) throws -> KeptResource {
        guard let group = try work.kept.resource(.subscriptionGroups, id),
            let app = try work.catalog.app(group.app), work.actor.sees(team: app.teamID)
        else { throw ConnectRefusal.notFound("group of subscriptions", id) }
        return group
    }
}
