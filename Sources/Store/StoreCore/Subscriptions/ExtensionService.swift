import Foundation
import StoreModel

/// Makes periods of subscriptions longer, for their publishers' servers.
package struct ExtensionService: Sendable {
    private static let day: TimeInterval = 86_400
    /// So many subscriptions of a request are looked at in one transaction.
    private static let batch = 100

    /// So many requests of an app in an environment may be at work, and may come in a day: each
    /// tells of every subscriber.
    package static let unfinishedLimit = 5
    package static let dailyLimit = 100
    /// Seconds until a publisher's server may ask again where too many are at work.
    private static let pause: TimeInterval = 60

    private let shop: Shop
    private let believed: BelievedTime?

    /// - Parameter believed: what the clock shows; `nil` while it can't be believed, and no period
    ///   is made longer.
    package init(database: any ShopDatabase, clock: any StoreClock, believed: BelievedTime? = nil) {
        shop = Shop(database: database, clock: clock)
        self.believed = believed
    }

    private func believedTime() async throws -> Date {
        guard let now = try await shop.clock.now(believed) else { throw ClockNotTrusted() }
        return now
    }

    /// A request to make one subscription longer.
    package struct Request: Sendable, Hashable {
        package var days: Int
        package var reason: ExtensionReason
        /// The publisher's name for it: the same again changes nothing.
        package var identifier: String

        package init(days: Int, reason: ExtensionReason, identifier: String) {
            self.days = days
            self.reason = reason
            self.identifier = identifier
        }
    }

    /// Makes a subscription longer, once for each request.
    ///
    /// - Throws: `ClockNotTrusted`, with nothing changed.
    package func extend(
        _ original: TransactionID, in app: AppID, _ environment: StoreEnvironment,
        _ request: Request
    ) async throws -> Result<RenewalExtension, ExtensionRefusal> {
        let storeTime = try await believedTime()
        return try await shop.write { work in
            let work = try work.at(storeTime).at(.buyer(of: original))
            guard let entry = try work.ledger.entry(original), entry.details.app == app,
                entry.details.environment == environment,
                try work.transactions.isInHistory(original)
            else { return .failure(.notFound) }
            guard entry.details.original == nil else { return .failure(.notOriginal) }
            guard entry.details.productType == .autoRenewableSubscription else {
                return .failure(.notSubscription)
            }
            if try work.families.isShared(original) { return .failure(.shared) }
            guard let subscription = try work.renewals.subscription(original) else {
                return .failure(.notFound)
            }
            if let known = try work.renewals.extension(
                of: original, request: request.identifier)
            {
                return known.isAnswer(to: request) ? .success(known) : .failure(.identifierUsed)
            }
            return try Self.extend(subscription, request, work)
        }
    }

    private static func extend(
        _ subscription: Subscription, _ request: Request, _ work: UnitOfWork
    ) throws -> Result<RenewalExtension, ExtensionRefusal> {
        let renewals = work.renewals
        let refusal = ExtensionRules.refusal(
            subscription,
            extensions: try renewals.extensions(
                of: subscription.original.id,
                since: work.now.addingTimeInterval(-ExtensionRules.span)))
        if let refusal { return .failure(refusal) }
        var next = subscription
        next.expiration = subscription.expiration.addingTimeInterval(
            TimeInterval(request.days) * day)
        next.due = next.expiration
        next.anchorDay = RenewalSchedule.dayOfMonth(next.expiration)
        let made = RenewalExtension(
            original: subscription.original.id, period: subscription.latest,
            app: subscription.app, expiration: next.expiration, days: request.days,
            reason: request.reason, request: request.identifier, date: work.now)
        try renewals.insert(made)
        try work.save(next, isShared: true)
        try work.events.append(
            DeviceEventDraft(account: next.account, app: next.app, kind: .transactions),
            at: work.now)
        for share in try work.families.shares(of: subscription.latest) {
            try renewals.insert(made.of(share))
            try work.events.append(
                DeviceEventDraft(
                    account: share.details.account, app: next.app, kind: .transactions),
                at: work.now)
        }
        try work.notifyWithFamily(.renewalExtended, nil, of: next)
        return .success(made)
    }

    // MARK: Many

    /// Writes down a request to make all active subscriptions to a product longer. The same
    /// again changes nothing.
    ///
    /// - Returns: false where the app has no such subscription.
    /// - Throws: `TooManyRequests`; `ClockNotTrusted`; `ExtensionRefusal.identifierUsed` for another
    ///   request under an identifier that was used.
    package func begin(_ request: MassExtension) async throws -> Bool {
        let now = try await believedTime()
        return try await shop.write { work in
            let work = work.at(now)
            let product = try work.catalog.product(request.product, in: request.app)
            guard product?.details.subscription != nil else { return false }
            let known = try work.renewals.massExtension(
                request.request, app: request.app, in: request.environment)
            if let known {
                guard known.isRepeated(by: request) else { throw ExtensionRefusal.identifierUsed }
            } else {
                try Self.checkLimits(of: request, work)
                try work.renewals.insert(request)
            }
            return true
        }
    }

    private static func checkLimits(of request: MassExtension, _ work: UnitOfWork) throws {
        let renewals = work.renewals
        let unfinished = try renewals.unfinishedMassExtensions(
            of: request.app, in: request.environment)
        guard unfinished < unfinishedLimit else {
            throw TooManyRequests(end: work.now.addingTimeInterval(pause))
        }
        let last = try renewals.massExtensions(
            of: request.app, in: request.environment, since: work.now.addingTimeInterval(-day),
            limit: dailyLimit)
        if last.count == dailyLimit, let first = last.last {
            throw TooManyRequests(end: first.addingTimeInterval(day))
        }
    }

    /// A request, with how far it has come.
    package func massExtension(
        _ request: String, product: String, app: AppID, in environment: StoreEnvironment
    ) async throws -> MassExtension? {
        let found = try await shop.read {
            try $0.renewals.massExtension(request, app: app, in: environment)
        }
        return found?.product.text == product ? found : nil
    }

    /// Does what requests wait for: a part in each transaction, which also records how far it is,
    /// so that no subscription is made longer twice. Nothing while the clock can't be believed.
    ///
    /// - Throws: `RowsSetAside` where some can't be made longer; all others are.
    package func advance() async throws {
        var problems: [String] = []
        while try await shop.read({ try $0.renewals.waitingMassExtension() != nil }) {
            do {
                guard try await step(Self.batch) else { break }
            } catch {
                // One of them can't be made longer: one by one, and without it.
                guard SettingAside.reason(for: error) != nil else { throw error }
                guard try await stepOneByOne(&problems) else { break }
            }
        }
        guard problems.isEmpty else {
            throw RowsSetAside(what: "subscriptions", problems: problems)
        }
    }

    /// Goes through a batch, one in each transaction, and passes over those that can't be made
    /// longer.
    private func stepOneByOne(_ problems: inout [String]) async throws -> Bool {
        for _ in 0..<Self.batch {
            do {
                guard try await step(1) else { return false }
            } catch {
                guard let reason = SettingAside.reason(for: error) else { throw error }
                guard let original = try await passOver(because: reason) else { throw error }
                problems.append("\(original): \(reason)")
            }
        }
        return true
    }

    /// Counts the next subscription of the request at work as failed, and sets it aside where it
    /// can't be read.
    ///
    /// - Returns: which one that is; nil where there is none.
    private func passOver(because reason: String) async throws -> TransactionID? {
        try await shop.write { work in
            guard var mass = try work.renewals.waitingMassExtension(),
                let original = try work.renewals.nextRunning(of: mass)
            else { return nil }
            do {
                _ = try work.renewals.subscription(original)
            } catch {
                try work.renewals.setAside(original, because: reason)
            }
            mass.position = original.number
            mass.failed += 1
            try work.renewals.update(mass)
            return original
        }
    }

    /// - Parameter count: so many subscriptions are looked at.
    private func step(_ count: Int) async throws -> Bool {
        guard let storeTime = try await shop.clock.now(believed) else { return false }
        return try await shop.write { work in
            let work = work.at(storeTime)
            guard var mass = try work.renewals.waitingMassExtension() else { return false }
            let found = try work.renewals.running(
                product: mass.product, app: mass.app, in: mass.environment,
                after: mass.position, limit: count)
            for subscription in found {
                mass.position = subscription.original.id.number
                guard try Self.concerns(subscription, mass, work) else { continue }
                let work = try work.at(.account(subscription.account, app: subscription.app))
                let request = Request(
                    days: mass.days, reason: mass.reason,
                    identifier: ExtensionRules.massPrefix + mass.request)
                switch try Self.extend(subscription, request, work) {
                case .success:
                    mass.succeeded += 1
                case .failure:
                    mass.failed += 1
                    try work.notify(
                        .renewalExtension, .failure, of: subscription.latest,
                        subscription: subscription)
                }
            }
            if found.count < count { mass.completion = storeTime }
            try work.renewals.update(mass)
            if mass.completion != nil { try work.notify(mass) }
            return true
        }
    }

    /// Whether a request is for where the subscriber is.
    private static func concerns(
        _ subscription: Subscription, _ mass: MassExtension, _ work: UnitOfWork
    ) throws -> Bool {
        guard let wanted = mass.storefronts else { return true }
        let account = try work.accounts.account(subscription.account)
        return account.map { wanted.contains($0.storefront.code) } ?? false
    }
}
