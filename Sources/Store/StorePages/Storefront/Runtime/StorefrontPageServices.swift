import StoreCore
import StoreModel

/// What the pages for customers work with.
package struct StorefrontPageServices: Sendable {
    package let database: any ShopDatabase
    package private(set) var storefront: StorefrontService
    package let reviews: CustomerReviewService
    package let sales: ItemSaleService
    package let media: ItemMediaService
    /// What customers download of apps.
    package let apps: AppDeliveryService
    package let accounts: AccountService
    /// What customers do with what they bought in apps.
    package let customers: CustomerServices
    package let sessions: PageSessionService
    package let settings: StorefrontSettings
    package let clock: any StoreClock
    /// Hears of what broke, for the log; pages say less.
    package let report: @Sendable (String) -> Void

    package init(
        database: any ShopDatabase, storefront: StorefrontService,
        reviews: CustomerReviewService, sales: ItemSaleService, media: ItemMediaService,
        apps: AppDeliveryService, accounts: AccountService, customers: CustomerServices,
        sessions: PageSessionService,
        settings: StorefrontSettings, clock: any StoreClock,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.database = database
        self.storefront = storefront
        self.reviews = reviews
        self.sales = sales
        self.media = media
        self.apps = apps
        self.accounts = accounts
        self.customers = customers
        self.sessions = sessions
        self.settings = settings
        self.clock = clock
        self.report = report
    }

    /// The same, with the stars that customers of an environment gave.
    func seen(in environment: StoreEnvironment) -> StorefrontPageServices {
        var services = self
        services.storefront = storefront.seen(in: environment)
        return services
    }
}

/// What the pages about what customers bought in apps work with.
package struct CustomerServices: Sendable {
    let orders: OrderService
    let refunds: RefundService
    let subscriptions: SubscriptionManagement
    let families: FamilyService

    package init(
        orders: OrderService, refunds: RefundService, subscriptions: SubscriptionManagement,
        families: FamilyService
    ) {
        self.orders = orders
        self.refunds = refunds
        self.subscriptions = subscriptions
        self.families = families
    }
}
