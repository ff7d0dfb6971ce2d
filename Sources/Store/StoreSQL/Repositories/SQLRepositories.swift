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
    let agreements: any AgreementRepository
    let bundleIdentifiers: any BundleIdentifierRepository
    let profiles: any ProfileRepository
    let apps: any AppRepository
    let appVersions: any AppVersionRepository
    let submissions: any SubmissionRepository

    init(connection: any SQLConnection) {
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
        agreements = SQLAgreementRepository(connection: connection)
        bundleIdentifiers = SQLBundleIdentifierRepository(connection: connection)
        profiles = SQLProfileRepository(connection: connection)
        apps = SQLAppRepository(connection: connection)
        appVersions = SQLAppVersionRepository(connection: connection)
        submissions = SQLSubmissionRepository(connection: connection)
    }
}
