/// What a transaction can reach: the records of each subject, over one connection.
package struct StoreRepositories {
    private let connection: any SQLConnection
    private let index: ItemSearchIndex
    let notificationNews: NotificationNews
    /// How the sandbox differs from production.
    package let sandbox: SandboxRules

    init(
        connection: any SQLConnection, news: NotificationNews = NotificationNews(),
        sandbox: SandboxRules = .standard
    ) {
        self.connection = connection
        self.sandbox = sandbox
        notificationNews = news
        index = ItemSearchIndex(connection: connection)
    }

    /// Writes what waits for the end of a transaction.
    func finish() throws {
        try index.finish()
    }

    package var catalog: CatalogRepository { CatalogRepository(connection: connection) }
    package var accounts: AccountRepository { AccountRepository(connection: connection) }
    package var ledger: LedgerRepository { LedgerRepository(connection: connection) }
    package var content: ContentRepository { ContentRepository(connection: connection) }
    package var pending: PendingPurchaseRepository {
        PendingPurchaseRepository(connection: connection)
    }
    package var refused: RefusedPurchaseRepository {
        RefusedPurchaseRepository(connection: connection)
    }
    package var offers: OfferRepository { OfferRepository(connection: connection) }
    package var events: DeviceEventRepository { DeviceEventRepository(connection: connection) }
    package var prompts: PromptRepository { PromptRepository(connection: connection) }
    package var apiKeys: APIKeyRepository { APIKeyRepository(connection: connection) }
    package var uploads: UploadRepository { UploadRepository(connection: connection) }
    package var audit: AuditRepository { AuditRepository(connection: connection) }
    package var testers: TesterRepository { TesterRepository(connection: connection) }
    package var sandboxClocks: SandboxClockRepository {
        SandboxClockRepository(connection: connection)
    }
    package var sales: SalesRepository { SalesRepository(connection: connection) }
    package var products: ProductRepository { ProductRepository(connection: connection) }
    package var revisions: RevisionRepository { RevisionRepository(connection: connection) }
    package var assets: AssetRepository { AssetRepository(connection: connection) }
    package var promotions: PromotionRepository { PromotionRepository(connection: connection) }
    package var subscriptions: SubscriptionRepository {
        SubscriptionRepository(connection: connection)
    }
    package var kept: KeptRepository { KeptRepository(connection: connection) }
    package var people: PeopleRepository { PeopleRepository(connection: connection) }
    package var connectSessions: ConnectSessionRepository {
        ConnectSessionRepository(connection: connection)
    }
    package var signIns: SignInRepository { SignInRepository(connection: connection) }
    package var passwordResets: PasswordResetRepository {
        PasswordResetRepository(connection: connection)
    }
    package var agreements: AgreementRepository { AgreementRepository(connection: connection) }
    package var bundleIdentifiers: BundleIdentifierRepository {
        BundleIdentifierRepository(connection: connection)
    }
    package var profiles: ProfileRepository { ProfileRepository(connection: connection) }
    package var apps: AppRepository { AppRepository(connection: connection) }
    package var appVersions: AppVersionRepository { AppVersionRepository(connection: connection) }
    package var buildDeliveries: BuildDeliveryRepository {
        BuildDeliveryRepository(connection: connection)
    }
    package var submissions: SubmissionRepository { SubmissionRepository(connection: connection) }
    package var customerReviews: CustomerReviewRepository {
        CustomerReviewRepository(connection: connection)
    }
    package var itemSales: ItemSaleRepository { ItemSaleRepository(connection: connection) }
    package var affiliates: AffiliateRepository { AffiliateRepository(connection: connection) }
    package var items: ItemRepository { ItemRepository(connection: connection, index: index) }
    package var itemSearch: ItemSearchRepository {
        ItemSearchRepository(connection: connection, index: index)
    }
    package var popularity: PopularityRepository {
        PopularityRepository(connection: connection, index: index)
    }
    package var feedPartners: FeedPartnerRepository {
        FeedPartnerRepository(connection: connection)
    }
    /// What the partner feed tells of.
    package var feed: FeedRepository { FeedRepository(connection: connection) }
    package var itemMedia: ItemMediaRepository { ItemMediaRepository(connection: connection) }
    package var transactions: TransactionRepository {
        TransactionRepository(connection: connection)
    }
    /// Subscriptions of accounts.
    package var renewals: RenewalRepository { RenewalRepository(connection: connection) }
    package var families: FamilyRepository { FamilyRepository(connection: connection) }
    package var refunds: RefundRepository { RefundRepository(connection: connection) }
    package var sharedSecrets: SharedSecretRepository {
        SharedSecretRepository(connection: connection)
    }
    package var notifications: NotificationRepository {
        NotificationRepository(connection: connection, news: notificationNews)
    }
    /// Messages to customers who are about to cancel.
    package var retention: RetentionRepository { RetentionRepository(connection: connection) }
    /// Bytes that are taken away.
    package var removals: ByteRemovalRepository { ByteRemovalRepository(connection: connection) }
    /// What the store does by itself.
    package var jobs: JobRepository { JobRepository(connection: connection) }
}
