import StoreCore

/// The repositories over one connection.
struct SQLRepositories: StoreRepositories {
    let catalog: any CatalogRepository
    let accounts: any AccountRepository
    let ledger: any LedgerRepository
    let content: any ContentRepository
    let pending: any PendingPurchaseRepository
    let refused: any RefusedPurchaseRepository
    let offers: any OfferRepository
    let events: any DeviceEventRepository
    let prompts: any PromptRepository
    let apiKeys: any APIKeyRepository
    let uploads: any UploadRepository
    let audit: any AuditRepository
    let testers: any TesterRepository
    let sales: any SalesRepository
    let products: any ProductRepository
    let revisions: any RevisionRepository
    let assets: any AssetRepository
    let promotions: any PromotionRepository
    let subscriptions: any SubscriptionRepository
    let kept: any KeptRepository
    let people: any PeopleRepository
    let connectSessions: any ConnectSessionRepository
    let signIns: any SignInRepository
    let passwordResets: any PasswordResetRepository
    let agreements: any AgreementRepository
    let bundleIdentifiers: any BundleIdentifierRepository
    let profiles: any ProfileRepository
    let apps: any AppRepository
    let appVersions: any AppVersionRepository
    let buildDeliveries: any BuildDeliveryRepository
    let submissions: any SubmissionRepository
    let customerReviews: any CustomerReviewRepository
    let itemSales: any ItemSaleRepository
    let affiliates: any AffiliateRepository
    let items: any ItemRepository
    let itemSearch: any ItemSearchRepository
    let popularity: any PopularityRepository
    let feedPartners: any FeedPartnerRepository
    let feed: any FeedRepository
    let itemMedia: any ItemMediaRepository
    let transactions: any TransactionRepository
    let renewals: any RenewalRepository
    let families: any FamilyRepository
    let refunds: any RefundRepository
    let sharedSecrets: any SharedSecretRepository
    let notifications: any NotificationRepository
    let retention: any RetentionRepository
    let removals: any ByteRemovalRepository
    let jobs: any JobRepository

    private let index: ItemSearchIndex
    let notificationNews: NotificationNews

    init(connection: any SQLConnection, news: NotificationNews = NotificationNews()) {
        notificationNews = news
        index = ItemSearchIndex(connection: connection)
        catalog = SQLCatalogRepository(connection: connection)
        accounts = SQLAccountRepository(connection: connection)
        ledger = SQLLedgerRepository(connection: connection)
        content = SQLContentRepository(connection: connection)
        pending = SQLPendingPurchaseRepository(connection: connection)
        refused = SQLRefusedPurchaseRepository(connection: connection)
        offers = SQLOfferRepository(connection: connection)
        events = SQLDeviceEventRepository(connection: connection)
        prompts = SQLPromptRepository(connection: connection)
        apiKeys = SQLAPIKeyRepository(connection: connection)
        uploads = SQLUploadRepository(connection: connection)
        audit = SQLAuditRepository(connection: connection)
        testers = SQLTesterRepository(connection: connection)
        sales = SQLSalesRepository(connection: connection)
        products = SQLProductRepository(connection: connection)
        revisions = SQLRevisionRepository(connection: connection)
        assets = SQLAssetRepository(connection: connection)
        promotions = SQLPromotionRepository(connection: connection)
        subscriptions = SQLSubscriptionRepository(connection: connection)
        kept = SQLKeptRepository(connection: connection)
        people = SQLPeopleRepository(connection: connection)
        connectSessions = SQLConnectSessionRepository(connection: connection)
        signIns = SQLSignInRepository(connection: connection)
        passwordResets = SQLPasswordResetRepository(connection: connection)
        agreements = SQLAgreementRepository(connection: connection)
        bundleIdentifiers = SQLBundleIdentifierRepository(connection: connection)
        profiles = SQLProfileRepository(connection: connection)
        apps = SQLAppRepository(connection: connection)
        appVersions = SQLAppVersionRepository(connection: connection)
        buildDeliveries = SQLBuildDeliveryRepository(connection: connection)
        submissions = SQLSubmissionRepository(connection: connection)
        customerReviews = SQLCustomerReviewRepository(connection: connection)
        itemSales = SQLItemSaleRepository(connection: connection)
        affiliates = SQLAffiliateRepository(connection: connection)
        items = SQLItemRepository(connection: connection, index: index)
        itemSearch = SQLItemSearchRepository(connection: connection, index: index)
        popularity = SQLPopularityRepository(connection: connection, index: index)
        feedPartners = SQLFeedPartnerRepository(connection: connection)
        feed = SQLFeedRepository(connection: connection)
        itemMedia = SQLItemMediaRepository(connection: connection)
        transactions = SQLTransactionRepository(connection: connection)
        renewals = SQLRenewalRepository(connection: connection)
        families = SQLFamilyRepository(connection: connection)
        refunds = SQLRefundRepository(connection: connection)
        sharedSecrets = SQLSharedSecretRepository(connection: connection)
        notifications = SQLNotificationRepository(connection: connection, news: notificationNews)
        retention = SQLRetentionRepository(connection: connection)
        removals = SQLByteRemovalRepository(connection: connection)
        jobs = SQLJobRepository(connection: connection)
    }

    /// Writes what waits for the end of a transaction.
    func finish() throws {
        try index.finish()
    }
}
