import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// A shop with a group of three subscriptions, whose publisher's server wants to hear of everything.
struct SubscriberShop: Sendable {
    static let monthly = SeededShop.product(of: .autoRenewableSubscription)
    static let yearly = ProductID("com.example.shop.yearly")!
    static let premium = ProductID("com.example.shop.premium")!
    /// A month of a tester, in seconds.
    static let month: TimeInterval = 300

    let database: OpenedDatabase
    let shop: SeededShop
    let clock = SettableClock()

    /// - Parameter offers: of `monthly`.
    init(
        _ driver: StoreDriver, isShared: Bool = false, offers: [SubscriptionOffer] = []
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        self.database = database
        self.shop = shop
        try await database.write { repositories in
            for (id, level, unit, price): (ProductID, Int, SubscriptionPeriod.Unit, Int) in [
                (Self.monthly, 2, .month, 990), (Self.yearly, 2, .year, 9990),
                (Self.premium, 1, .month, 1990),
            ] {
                var product = SeededShop.product(id, .autoRenewableSubscription)
                product.isFamilyShareable = isShared
                product.prices = PriceSchedule(dictionaryLiteral: ("USA", Int64(price)))
                product.subscription = SubscriptionTerms(
                    groupID: "1", groupName: "Pro", level: level,
                    period: SubscriptionPeriod(unit: unit, count: 1),
                    offers: id == Self.monthly ? offers : [])
                try repositories.catalog.save(product, in: shop.app.id)
            }
            var chapter = SeededShop.product(SeededShop.chapter, .nonConsumable)
            chapter.isFamilyShareable = isShared
            try repositories.catalog.save(chapter, in: shop.app.id)
            guard var record = try repositories.apps.record(shop.app.id) else { return }
            record.attributes.statusURL = StatusURL(url: "https://example.com/production")
            record.attributes.sandboxStatusURL = StatusURL(url: "https://example.com/sandbox")
            try repositories.apps.update(record)
            for account in [shop.ada, shop.grace] {
                try repositories.testers.insert(
                    TesterProfile(team: shop.app.teamID, firstName: "", lastName: "", secret: nil),
                    of: account.id, at: SeededShop.date)
            }
        }
    }

    /// Gives the app a grace period, so long as Connect's API has it.
    func giveGrace(_ duration: String) async throws {
        let app = shop.app.id
        try await database.write {
            try $0.kept.insert(
                KeptResource(
                    id: String(app.number), kind: .subscriptionGracePeriods, app: app,
                    owner: .app(app),
                    attributes: ["optIn": .flag(true), "duration": .text(duration)],
                    links: [:], created: SeededShop.date))
        }
    }

    var renewals: RenewalService {
        RenewalService(database: database, clock: clock)
    }
    var management: SubscriptionManagement {
        SubscriptionManagement(database: database, clock: clock)
    }
    var extensions: ExtensionService { ExtensionService(database: database, clock: clock) }
    var refunds: RefundService {
        RefundService(database: database, clock: clock)
    }
    var families: FamilyService {
        FamilyService(database: database, clock: clock)
    }
    var purchases: PurchaseService { PurchaseService(database: database, clock: clock) }

    /// Orders one of a product, by Ada unless another account is named.
    ///
    /// - Parameter quoted: whether the customer is told what it charges first.
    func order(
        _ product: ProductID = monthly, _ number: Int = 1, by account: Account? = nil,
        price: Int64? = nil, _ claim: OfferClaim = OfferClaim(), agreed: SubscriptionOffer? = nil,
        quoted: Bool = false, token: UUID? = nil
    ) async throws -> Result<PurchaseService.Outcome, PurchaseRefusal> {
        let notice = quoted ? try? await charge(product, by: account, claim).get() : nil
        let account = account ?? shop.ada
        let app = shop.app
        var claim = claim
        claim.received = clock.now()
        let known = try #require(
            try await CatalogService(database: database).catalog(of: app.bundleID))
        let listed = known.products[product]?.price(in: account.storefront, at: clock.now())
        return try await purchases.buy(
            PurchaseOrder(
                key: PurchaseKey("AAAAAAAA-0000-000\(number)")!, productID: product.text,
                quantity: 1,
                confirmedPrice: price.map { Money(thousandths: $0, currency: "USD") }
                    ?? listed ?? Money(thousandths: 0, currency: "USD"),
                applicationUsername: token?.uuidString.lowercased(), device: "device", claim: claim,
                agreedOffer: agreed ?? notice?.offer, isFree: notice?.isFree ?? false),
            by: account,
            profile: ProfileClaim(
                bundleID: app.bundleID,
                applicationIdentifier: ApplicationIdentifier(app.bundleID),
                environment: account.environment, allowsInAppPurchase: true, generation: 1),
            catalog: known)
    }

    /// As `order`, which has to be sold.
    @discardableResult
    func buy(
        _ product: ProductID = monthly, _ number: Int = 1, by account: Account? = nil,
        _ claim: OfferClaim = OfferClaim(), quoted: Bool = false, token: UUID? = nil
    ) async throws -> TransactionRecord {
        guard
            case .sold(let sale) = try await order(
                product, number, by: account, claim, quoted: quoted, token: token
            ).get()
        else { throw NotSold() }
        return sale.record
    }

    /// When an order would charge an account.
    func charge(
        _ product: ProductID = monthly, by account: Account? = nil,
        _ claim: OfferClaim = OfferClaim()
    ) async throws -> Result<ChargeNotice, PurchaseRefusal> {
        let known = try #require(
            try await CatalogService(database: database).catalog(of: shop.app.bundleID))
        var claim = claim
        claim.received = clock.now()
        return try await purchases.charge(
            for: product.text, claim, by: account ?? shop.ada, in: known)
    }

    /// What signed renewal information says of an account's subscription.
    func information(of account: Account? = nil) async throws -> RenewalInformation? {
        guard let subscription = try await subscription(of: account) else { return nil }
        let now = clock.now()
        return try await database.read {
            try UnitOfWork($0, now: now).renewalInformation(on: subscription)
        }
    }

    private struct NotSold: Error {}

    /// What an account has in the group.
    func subscription(of account: Account? = nil) async throws -> Subscription? {
        let (id, app) = ((account ?? shop.ada).id, shop.app.id)
        return try await database.read {
            try $0.renewals.subscription(of: id, app: app, group: "1")
        }
    }

    func record(_ id: TransactionID) async throws -> TransactionRecord? {
        try await database.read { try $0.transactions.record(id) }
    }

    /// What servers see of an account, oldest change first.
    func history(of account: Account? = nil) async throws -> [TransactionRecord] {
        let subject = HistorySubject(account: (account ?? shop.ada).id, app: shop.app.id)
        return try await database.read {
            try $0.transactions.history(
                of: subject, after: nil, .ascending, onlyRevoked: false, limit: 1000
            ).map(\.record)
        }
    }

    /// What the publisher's server is told, oldest first, as `TYPE/SUBTYPE`.
    func told(in environment: StoreEnvironment = .sandbox) async throws -> [String] {
        let app = shop.app.id
        return try await database.read {
            try $0.notifications.notifications(
                of: app, in: environment, NotificationQuery(), after: nil, newestFirst: false,
                limit: 1000
            ).map { notification in
                let subtype = notification.details.subtype.map { "/\($0.rawValue)" } ?? ""
                return notification.details.type.rawValue + subtype
            }
        }
    }

    /// Lets the payments of a tester fail, or not.
    func setPayments(_ failure: PaymentFailure, of account: Account? = nil) async throws {
        let id = (account ?? shop.ada).id
        try await database.write { repositories in
            var settings = try repositories.accounts.settings(of: id)
            settings.paymentFailure = failure
            try repositories.accounts.set(settings, of: id)
        }
    }

    /// Lets time pass, and the store do what is due.
    func wait(_ seconds: TimeInterval) async throws {
        clock.advance(by: seconds)
        try await renewals.advance()
    }
}
