import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// Everything that the routes call: made once by the composition root.
package struct APIServices: Sendable {
    package let database: any StoreDatabase
    package let content: any ContentStore
    package let clock: any StoreClock
    /// The time for customers and testers.
    package let customerClock: CustomerClock
    package let vault: any CredentialVault
    package let catalog: CatalogService
    package let hosting: ContentService
    package let reviews: ReviewService
    package let saleChanges: SaleService
    /// Tells which files versions of content have.
    package let manifests: any ContentManifests
    package let uploads: UploadService
    package let uploadFiles: any UploadStore
    package let apiKeys: APIKeyService
    /// People who use Connect's API.
    package let connectSessions: ConnectSessionService
    package let subscriptions: SubscriptionService
    package let kept: KeptService
    /// Products as their publishers maintain them.
    package let products: ProductService
    package let assets: AssetService
    /// Pictures, sounds and films of the storefront's items.
    package let itemMedia: ItemMediaService
    /// Bytes of a range of a media file that one answer has at most; nil for all.
    let mediaWindow: UInt64?
    package let promotions: PromotionService
    package let bundleIdentifiers: BundleIdentifierService
    package let profiles: ProfileService
    package let apps: AppService
    package let productImports: ProductImportService
    /// Items of the storefront as their publishers maintain them.
    package let items: ItemService
    package let itemImports: ItemImportService
    /// Items as customers see them.
    package var storefront: StorefrontService
    package let productExports: ProductExportService
    package let appVersions: AppVersionService
    /// What customers' devices get of apps.
    package let appDeliveries: AppDeliveryService
    package let accounts: AccountService
    package let purchases: PurchaseService
    package let pending: PendingPurchaseService
    package let approvals: ApprovalService
    package let offers: OfferService
    /// Renews subscriptions that are due.
    package let renewals: RenewalService
    /// What customers do with their subscriptions.
    package let subscriberChoices: SubscriptionManagement
    package let extensions: ExtensionService
    package let refunds: RefundService
    package let families: FamilyService
    package let testers: TesterService
    package let testerPurchases: TesterPurchaseService
    package let sandboxClocks: SandboxClockService
    package let sales: SalesService
    package let events: EventHub
    package let receipts: ReceiptService
    /// What publishers' servers ask about customers' transactions.
    package let history: HistoryService
    package let subscriptionStatuses: SubscriptionStatusService
    /// What they change about them.
    package let transactionChanges: TransactionChanges
    /// How many of their requests are answered.
    package var serverRequestLimit: ServerRequestLimit = .standard
    /// How many requests of one account, key or person are answered; nil for all.
    package var accountAllowance: RequestAllowance?
    package let sharedSecrets: SharedSecretService
    package let prompts: PromptService
    /// Devices of this process that wait for a customer.
    package let promptWaiters: PromptWaiters
    package let pageSessions: PageSessionService
    package let people: PeopleServices
    package let storefrontSettings: StorefrontSettings
    package let customerReviews: CustomerReviewService
    package let itemSales: ItemSaleService
    package let affiliates: AffiliateService
    /// Who may fetch the partner feed.
    package let feedPartners: FeedPartnerService
    package let feedGate: FeedPartnerGate
    package let feedFiles: any FeedFiles
    /// What publishers' servers are told.
    package let notifications: NotificationService
    package let notificationSigner: NotificationSigner
    /// Where publishers may have notifications sent to.
    package let notificationTargets: NotificationTargets
    /// Messages to customers who are about to cancel.
    package var retention: RetentionService
    package let retentionReview: RetentionReview
    /// Who chooses among them.
    package var realtime: RealtimeService
    package let signer: JWSSigner
    /// How statements name the environments.
    package let environmentNames: EnvironmentNames
    package let receiptSigner: ReceiptSigner
    /// Makes what binds a statement to a device, anew for each.
    package let makeNonce: @Sendable () -> UUID
    let signingPool: SigningPool
    package let verifier: JWSVerifier
    package let seals: SealedTokens
    /// Answers requests of OCSP about the store's certificates: DER in, DER out.
    package let certificateStatus: @Sendable (Data, Date) -> Data
    /// Certificates for statements that were taken back, the last one first.
    let revokedCertificates: @Sendable () -> [CertificateSerial]
    /// Hears that a package is to be processed.
    package let uploadCommitted: @Sendable () -> Void
    /// Hears of what broke, for the log; the answer on the wire says less.
    package let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - believed: what the clock shows; `nil` while it can't be believed.
    ///   - signingEnd: until when what is signed can be verified.
    ///   - sleep: waits between two looks for events, and for what a history would miss.
    package init(
        database: any StoreDatabase, content: any ContentStore,
        manifests: any ContentManifests, uploadFiles: any UploadStore,
        pictures: any PictureFiles & MediaFiles, pictureMaker: any PictureMaker,
        feedFiles: any FeedFiles, clock: any StoreClock, believed: BelievedTime? = nil,
        signingEnd: @escaping @Sendable () throws -> Date,
        vault: any CredentialVault, signer: JWSSigner,
        environmentNames: EnvironmentNames = .standard,
        makeNonce: @escaping @Sendable () -> UUID = { UUID() },
        receiptSigner: ReceiptSigner, verifier: JWSVerifier, seals: SealedTokens,
        certificateStatus: @escaping @Sendable (Data, Date) -> Data,
        revokedCertificates: @escaping @Sendable () -> [CertificateSerial],
        uploadCommitted: @escaping @Sendable () -> Void = {},
        apiKeyMaker: any APIKeyMaker,
        storefrontSettings: StorefrontSettings = StorefrontSettings(),
        notificationTargets: NotificationTargets = .internet,
        report: @escaping @Sendable (String) -> Void,
        signingPool: SigningPool = SigningPool(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) throws {
        self.database = database
        self.signingPool = signingPool
        self.content = content
        self.clock = clock
        let customerClock = CustomerClock(clock)
        self.customerClock = customerClock
        self.vault = vault
        self.catalog = CatalogService(database: database)
        self.hosting = ContentService(database: database, clock: clock)
        self.reviews = ReviewService(database: database, clock: clock)
        self.saleChanges = SaleService(database: database, clock: clock)
        self.manifests = manifests
        self.uploads = UploadService(database: database, clock: clock)
        self.uploadFiles = uploadFiles
        self.apiKeys = APIKeyService(database: database, clock: clock)
        self.products = ProductService(database: database, clock: clock)
        self.subscriptions = SubscriptionService(database: database, clock: clock)
        self.kept = KeptService(database: database, clock: clock)
        let mediaShare = MediaShare { try pictures.freeBytes() }
        self.assets = AssetService(
            database: database, files: pictures, share: mediaShare, clock: clock)
        self.appDeliveries = AppDeliveryService(
            database: database, content: content, clock: clock)
        self.mediaWindow = pictures.window
        self.itemMedia = ItemMediaService(
            database: database, files: pictures, pictures: pictureMaker, share: mediaShare,
            clock: clock, makeID: { AssetID(UUID()) })
        self.promotions = PromotionService(database: database, clock: clock)
        self.bundleIdentifiers = BundleIdentifierService(database: database, clock: clock)
        self.profiles = ProfileService(
            database: database, clock: clock,
            signer: SignedProfiles(signer: signer, names: environmentNames))
        self.apps = AppService(
            database: database, clock: clock, notificationTargets: notificationTargets)
        self.productImports = ProductImportService(database: database, clock: clock)
        self.items = ItemService(database: database, clock: clock)
        self.itemImports = ItemImportService(
            database: database, files: pictures, clock: clock, makeMediaID: { AssetID(UUID()) })
        self.storefront = StorefrontService(database: database)
        self.productExports = ProductExportService(database: database)
        self.appVersions = AppVersionService(database: database, clock: clock)
        self.accounts = try AccountService(database: database, vault: vault, clock: clock)
        self.purchases = PurchaseService(database: database, clock: clock)
        self.pending = PendingPurchaseService(database: database, clock: clock)
        let events = EventHub(database: database, clock: clock, sleep: sleep)
        self.approvals = ApprovalService(
            database: database, accounts: accounts, pending: pending,
            seal: SealedApprovals(seals: seals), clock: clock, decided: { events.nudge($0) })
        self.offers = OfferService(
            database: database, clock: clock, oneTimeCodes: .store)
        self.renewals = RenewalService(
            database: database, clock: clock, changed: { events.nudge($0) })
        self.subscriberChoices = SubscriptionManagement(
            database: database, clock: clock, changed: { events.nudge($0) })
        self.extensions = ExtensionService(
            database: database, clock: clock, believed: believed)
        self.refunds = RefundService(
            database: database, clock: clock, changed: { events.nudge($0) })
        self.families = FamilyService(
            database: database, clock: clock, changed: { events.nudge($0) })
        self.testers = TesterService(
            database: database, vault: vault, clock: clock, changed: { events.nudge($0) })
        self.testerPurchases = TesterPurchaseService(
            database: database, clock: clock, changed: { events.nudge($0) })
        self.sandboxClocks = SandboxClockService(
            database: database, clock: clock, changed: { events.nudge($0) }, latest: signingEnd,
            sleep: sleep)
        self.sales = SalesService(database: database, clock: clock)
        self.events = events
        self.receipts = ReceiptService(database: database, clock: clock)
        self.history = HistoryService(database: database)
        self.subscriptionStatuses = SubscriptionStatusService(database: database, clock: clock)
        self.transactionChanges = TransactionChanges(database: database, clock: clock)
        self.sharedSecrets = SharedSecretService(
            database: database, vault: vault, clock: clock)
        self.promptWaiters = PromptWaiters()
        self.prompts = PromptService(
            database: database, accounts: accounts, vault: vault, clock: clock,
            signal: promptWaiters,
            needsApproval: { try $1.accounts.settings(of: $0).asksToBuy })
        self.pageSessions = PageSessionService(database: database, vault: vault, clock: clock)
        self.people = try PeopleServices(
            database: database, vault: vault, keyMaker: apiKeyMaker, clock: clock)
        self.connectSessions = people.sessions
        self.storefrontSettings = storefrontSettings
        self.customerReviews = CustomerReviewService(
            database: database, clock: clock, settings: storefrontSettings)
        self.itemSales = ItemSaleService(database: database, clock: clock)
        self.affiliates = AffiliateService(
            database: database, clock: clock, makeToken: { try Self.affiliateToken() })
        self.feedPartners = FeedPartnerService(database: database, vault: vault, clock: clock)
        self.feedFiles = feedFiles
        self.feedGate = try FeedPartnerGate(database: database, vault: vault, clock: clock)
        self.notifications = NotificationService(
            database: database, clock: clock, seal: SealedHistoryPlaces(seals: seals), sleep: sleep)
        self.notificationSigner = NotificationSigner(
            transactions: TransactionSigner(
                signer: signer, clock: customerClock, names: environmentNames))
        self.notificationTargets = notificationTargets
        self.retention = RetentionService(
            database: database, files: pictures, pictures: pictureMaker, clock: clock,
            makeID: { AssetID(UUID()) })
        self.retentionReview = RetentionReview(database: database, clock: clock)
        self.realtime = RealtimeService(
            database: database, clock: clock, targets: notificationTargets, makeID: { UUID() })
        self.signer = signer
        self.environmentNames = environmentNames
        self.makeNonce = makeNonce
        self.receiptSigner = receiptSigner
        self.verifier = verifier
        self.seals = seals
        self.certificateStatus = certificateStatus
        self.revokedCertificates = revokedCertificates
        self.uploadCommitted = uploadCommitted
        self.report = report
    }

    /// Signs what devices and servers get.
    package var transactionSigner: TransactionSigner {
        TransactionSigner(signer: signer, clock: customerClock, names: environmentNames)
    }

    /// Ten letters and digits, without those that look like others.
    private static func affiliateToken() throws -> String {
        let letters = Array("23456789abcdefghjkmnpqrstuvwxyz1")
        return String(try SecureRandom.bytes(10).map { letters[Int($0 & 31)] })
    }
}
