import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// Everything that the routes call: made once by the composition root.
package struct APIServices: Sendable {
    package let database: any ShopDatabase
    package let content: any ContentStore
    package let clock: any StoreClock
    /// The time for customers and testers.
    package let customerClock: CustomerClock
    package let vault: any CredentialVault
    /// Tells which files versions of content have.
    package let readManifest: ManifestReader
    package let uploadFiles: any UploadStore
    package let assets: AssetService
    /// Pictures, sounds and films of the storefront's items.
    package let itemMedia: ItemMediaService
    /// Bytes of a range of a media file that one answer has at most; nil for all.
    let mediaWindow: UInt64?
    package let productImports: ProductImportService
    package let itemImports: ItemImportService
    /// Items as customers see them.
    package var storefront: StorefrontService
    package let accounts: AccountService
    package let approvals: ApprovalService
    package let extensions: ExtensionService
    package let sandboxClocks: SandboxClockService
    package let events: EventHub
    /// How many requests of one publisher's servers are answered.
    package var serverRequestLimit: ServerRequestLimit = .standard
    /// How many requests of one account, key or person are answered; nil for all.
    package var accountAllowance: RequestAllowance?
    package let prompts: PromptService
    /// Devices of this process that wait for a customer.
    package let promptWaiters: PromptWaiters
    package let people: PeopleServices
    package let storefrontSettings: StorefrontSettings
    package let affiliates: AffiliateService
    package let feedGate: FeedPartnerGate
    /// Finds the file or folder at a path of the partner feed; nil if there is none.
    package let feedEntry: @Sendable ([String]) throws -> FeedEntry?
    /// What publishers' servers are told.
    package let notifications: NotificationService
    /// Where publishers may have notifications sent to.
    package let notificationTargets: NotificationTargets
    /// Messages to customers who are about to cancel.
    package var retention: RetentionService
    /// Asks the publisher's server which of them a customer sees.
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

    /// Takes one parameter for each part that the routes need. `Store` calls it, and so do tests that
    /// replace a part.
    ///
    /// - Parameters:
    ///   - believed: what the clock shows; `nil` while it can't be believed.
    ///   - signingEnd: until when what is signed can be verified.
    ///   - sleep: waits between two looks for events, and for what a history would miss.
    package init(
        database: any ShopDatabase, content: any ContentStore,
        readManifest: @escaping ManifestReader, uploadFiles: any UploadStore,
        pictures: any PictureFiles & MediaFiles, pictureMaker: any PictureMaker,
        feedEntry: @escaping @Sendable ([String]) throws -> FeedEntry?, clock: any StoreClock,
        believed: BelievedTime? = nil,
        signingEnd: @escaping @Sendable () throws -> Date,
        vault: any CredentialVault, signer: JWSSigner,
        environmentNames: EnvironmentNames = .standard,
        makeNonce: @escaping @Sendable () -> UUID = { UUID() },
        receiptSigner: ReceiptSigner, verifier: JWSVerifier, seals: SealedTokens,
        certificateStatus: @escaping @Sendable (Data, Date) -> Data,
        revokedCertificates: @escaping @Sendable () -> [CertificateSerial],
        uploadCommitted: @escaping @Sendable () -> Void = {},
        makeKeyPair: @escaping @Sendable () throws -> APIKeyPair,
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
        self.readManifest = readManifest
        self.uploadFiles = uploadFiles
        let mediaShare = MediaShare { try pictures.freeBytes() }
        self.assets = AssetService(
            database: database, files: pictures, share: mediaShare, clock: clock)
        self.mediaWindow = pictures.window
        self.itemMedia = ItemMediaService(
            database: database, files: pictures, pictures: pictureMaker, share: mediaShare,
            clock: clock, makeID: { AssetID(UUID()) })
        self.productImports = ProductImportService(database: database, clock: clock)
        self.itemImports = ItemImportService(
            database: database, files: pictures, clock: clock, makeMediaID: { AssetID(UUID()) })
        self.storefront = StorefrontService(database: database)
        self.accounts = try AccountService(database: database, vault: vault, clock: clock)
        let events = EventHub(database: database, clock: clock, sleep: sleep)
        self.approvals = ApprovalService(
            database: database, accounts: accounts,
            pending: PendingPurchaseService(database: database, clock: clock),
            seal: SealedApprovals(seals: seals), clock: clock)
        self.extensions = ExtensionService(
            database: database, clock: clock, believed: believed)
        self.sandboxClocks = SandboxClockService(
            database: database, clock: clock, latest: signingEnd, sleep: sleep)
        self.events = events
        let waiters = PromptWaiters()
        self.promptWaiters = waiters
        self.prompts = PromptService(
            database: database, accounts: accounts, vault: vault, clock: clock,
            needsApproval: { try $1.accounts.settings(of: $0).asksToBuy },
            promptEnded: { waiters.ended($0) })
        self.people = try PeopleServices(
            database: database, vault: vault, makeKeyPair: makeKeyPair, clock: clock)
        self.storefrontSettings = storefrontSettings
        self.affiliates = AffiliateService(
            database: database, clock: clock, makeToken: { try Self.affiliateToken() })
        self.feedEntry = feedEntry
        self.feedGate = try FeedPartnerGate(database: database, vault: vault, clock: clock)
        self.notifications = NotificationService(
            database: database, clock: clock, seal: SealedHistoryCursors(seals: seals), sleep: sleep
        )
        self.notificationTargets = notificationTargets
        self.retention = RetentionService(
            database: database, files: pictures, pictures: pictureMaker, clock: clock,
            makeID: { AssetID(UUID()) })
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

// MARK: Services that keep nothing of their own

extension APIServices {
    package var shop: Shop { Shop(database: database, clock: clock) }
    package var catalog: CatalogService { CatalogService(database: database) }
    package var hosting: ContentService { ContentService(database: database, clock: clock) }
    package var reviews: ReviewService { ReviewService(database: database, clock: clock) }
    package var saleChanges: SaleService { SaleService(database: database, clock: clock) }
    package var uploads: UploadService { UploadService(database: database, clock: clock) }
    package var apiKeys: APIKeyService { APIKeyService(database: database, clock: clock) }
    package var subscriptions: SubscriptionService {
        SubscriptionService(database: database, clock: clock)
    }
    package var kept: KeptService { KeptService(database: database, clock: clock) }
    /// Products as their publishers maintain them.
    package var products: ProductService { ProductService(database: database, clock: clock) }
    package var promotions: PromotionService { PromotionService(database: database, clock: clock) }
    package var bundleIdentifiers: BundleIdentifierService {
        BundleIdentifierService(database: database, clock: clock)
    }
    /// Items of the storefront as their publishers maintain them.
    package var items: ItemService { ItemService(database: database, clock: clock) }
    package var productExports: ProductExportService {
        ProductExportService(database: database, clock: clock)
    }
    package var appVersions: AppVersionService {
        AppVersionService(database: database, clock: clock)
    }
    package var purchases: PurchaseService { PurchaseService(database: database, clock: clock) }
    package var pending: PendingPurchaseService {
        PendingPurchaseService(database: database, clock: clock)
    }
    package var receipts: ReceiptService { ReceiptService(database: database, clock: clock) }
    /// What publishers' servers ask about customers' transactions.
    package var history: HistoryService { HistoryService(database: database) }
    package var subscriptionStatuses: SubscriptionStatusService {
        SubscriptionStatusService(database: database, clock: clock)
    }
    /// What they change about them.
    package var transactionChanges: TransactionChanges {
        TransactionChanges(database: database, clock: clock)
    }
    package var itemSales: ItemSaleService { ItemSaleService(database: database, clock: clock) }
    package var sales: SalesService { SalesService(database: database, clock: clock) }
    package var retentionReview: RetentionReview {
        RetentionReview(database: database, clock: clock)
    }
    /// Renews subscriptions that are due.
    package var renewals: RenewalService {
        RenewalService(database: database, clock: clock)
    }
    /// What customers do with their subscriptions.
    package var subscriberChoices: SubscriptionManagement {
        SubscriptionManagement(database: database, clock: clock)
    }
    package var refunds: RefundService {
        RefundService(database: database, clock: clock)
    }
    package var families: FamilyService {
        FamilyService(database: database, clock: clock)
    }
    package var testerPurchases: TesterPurchaseService {
        TesterPurchaseService(database: database, clock: clock)
    }
    package var pageSessions: PageSessionService {
        PageSessionService(database: database, vault: vault, clock: clock)
    }
    /// Who may fetch the partner feed.
    package var feedPartners: FeedPartnerService {
        FeedPartnerService(database: database, vault: vault, clock: clock)
    }
    package var sharedSecrets: SharedSecretService {
        SharedSecretService(database: database, vault: vault, clock: clock)
    }
    /// What customers' devices get of apps.
    package var appDeliveries: AppDeliveryService {
        AppDeliveryService(database: database, content: content, clock: clock)
    }
    package var testers: TesterService {
        TesterService(database: database, vault: vault, clock: clock)
    }
    package var customerReviews: CustomerReviewService {
        CustomerReviewService(
            database: database, clock: clock, settings: storefrontSettings)
    }
    package var profiles: ProfileService {
        ProfileService(
            database: database, clock: clock,
            signer: SignedProfiles(signer: signer, names: environmentNames))
    }
    package var apps: AppService {
        AppService(database: database, clock: clock, notificationTargets: notificationTargets)
    }
    package var offers: OfferService {
        OfferService(database: database, clock: clock, oneTimeCodes: .store)
    }
    package var notificationSigner: NotificationSigner {
        NotificationSigner(transactions: transactionSigner)
    }
    /// People who use Connect's API.
    package var connectSessions: ConnectSessionService { people.sessions }
}
