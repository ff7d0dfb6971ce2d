import Foundation
import StoreModel

/// Where the store keeps its rows.
package protocol StoreDatabase: Sendable {
    /// Reads a consistent picture.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result

    /// As `read`, at once and on the caller's own thread: for a few rows by their keys.
    ///
    /// - Returns: nil where another machine would have to be waited for.
    func lookUp<Result>(_ body: (any StoreRepositories) throws -> Result) throws -> Result?

    /// Runs one transaction. When it returns, what was written is on disk; when it
    /// throws, nothing was written.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result

    /// A number that grows with every change to the catalog, whoever made it. Cheap
    /// enough to ask with each request.
    ///
    /// What this object has written is in it when `write` returns. SQLite has what others have
    /// written with the next question. PostgreSQL tells of it by a message, some milliseconds
    /// after the commit; where the message is lost, it is found ten seconds later at most. The
    /// same holds for all the numbers below.
    func catalogGeneration() async throws -> Int64

    /// The catalog's generation, where nobody has to be waited for to tell it.
    func knownCatalogGeneration() -> Int64?

    /// A number that grows with every change to what customers see on the storefront's pages,
    /// whoever made it. Cheap enough to ask with each request.
    func storefrontGeneration() async throws -> Int64

    /// The storefront's generation, where nobody has to be waited for to tell it.
    func knownStorefrontGeneration() -> Int64?

    /// A number that is another one after every commit, whoever made it. Cheap enough to ask with
    /// each request.
    func changes() throws -> Int64

    /// The number of the last device event, whoever added it. Cheap enough to ask every
    /// second.
    func lastEvent() async throws -> DeviceEventID

    /// Calls something after each transaction of this process that left a notification to be sent.
    func whenNotified(_ ring: @escaping @Sendable () -> Void)

    /// What the clock of the database's server shows; nil where there is no server.
    func serverTime() async throws -> Date?
}

extension StoreDatabase {
    /// A database that can't tell is looked into from time to time.
    package func whenNotified(_ ring: @escaping @Sendable () -> Void) {}

    /// A database in this machine has this machine's clock.
    package func serverTime() async throws -> Date? { nil }
}

/// What a transaction can reach.
package protocol StoreRepositories {
    var catalog: any CatalogRepository { get }
    var accounts: any AccountRepository { get }
    var ledger: any LedgerRepository { get }
    var content: any ContentRepository { get }
    var pending: any PendingPurchaseRepository { get }
    var refused: any RefusedPurchaseRepository { get }
    var offers: any OfferRepository { get }
    var events: any DeviceEventRepository { get }
    var prompts: any PromptRepository { get }
    var apiKeys: any APIKeyRepository { get }
    var uploads: any UploadRepository { get }
    var buildDeliveries: any BuildDeliveryRepository { get }
    var audit: any AuditRepository { get }
    var testers: any TesterRepository { get }
    var sales: any SalesRepository { get }
    var products: any ProductRepository { get }
    var revisions: any RevisionRepository { get }
    var assets: any AssetRepository { get }
    var promotions: any PromotionRepository { get }
    var subscriptions: any SubscriptionRepository { get }
    var kept: any KeptRepository { get }
    var people: any PeopleRepository { get }
    var connectSessions: any ConnectSessionRepository { get }
    var signIns: any SignInRepository { get }
    var passwordResets: any PasswordResetRepository { get }
    var agreements: any AgreementRepository { get }
    var bundleIdentifiers: any BundleIdentifierRepository { get }
    var profiles: any ProfileRepository { get }
    var apps: any AppRepository { get }
    var appVersions: any AppVersionRepository { get }
    var submissions: any SubmissionRepository { get }
    var customerReviews: any CustomerReviewRepository { get }
    var itemSales: any ItemSaleRepository { get }
    var affiliates: any AffiliateRepository { get }
    var items: any ItemRepository { get }
    var itemSearch: any ItemSearchRepository { get }
    var popularity: any PopularityRepository { get }
    var feedPartners: any FeedPartnerRepository { get }
    /// What the partner feed tells of.
    var feed: any FeedRepository { get }
    var itemMedia: any ItemMediaRepository { get }
    var transactions: any TransactionRepository { get }
    /// Subscriptions of accounts.
    var renewals: any RenewalRepository { get }
    var families: any FamilyRepository { get }
    var refunds: any RefundRepository { get }
    var sharedSecrets: any SharedSecretRepository { get }
    var notifications: any NotificationRepository { get }
    /// Messages to customers who are about to cancel.
    var retention: any RetentionRepository { get }
    /// Bytes that are taken away.
    var removals: any ByteRemovalRepository { get }
    /// What the store does by itself.
    var jobs: any JobRepository { get }
}

/// Teams, apps and products.
package protocol CatalogRepository {
    /// Grows with each change to what devices see of any app.
    func generation() throws -> Int64
    /// Grows with each change to what devices see of one app.
    func generation(of app: AppID) throws -> Int64
    func team(named name: String) throws -> Team?
    func team(_ id: Int64) throws -> Team?
    /// The team of a store that has exactly one.
    func onlyTeam() throws -> Team?
    func hasTeams() throws -> Bool
    /// Adds a team, or gives the one with this name as it is. Its agreements begin in force
    /// where the draft has the paid one, and not accepted otherwise.
    func save(_ team: TeamDraft) throws -> Team
    func apps() throws -> [App]
    func app(_ bundleID: BundleID) throws -> App?
    func app(_ id: AppID) throws -> App?
    /// Adds an app, with its bundle identifier where there is none, or changes the one with
    /// this bundle identifier. The generation of an identifier that there is, or was, is not
    /// lowered; the schema refuses one of another team.
    func save(_ app: AppDraft) throws -> App
    func products(of app: AppID) throws -> [Product]
    func product(_ id: ProductID, in app: AppID) throws -> Product?
    /// Adds a product, or changes the one with this identifier in this app.
    func save(_ product: ProductDraft, in app: AppID) throws
    func setState(_ state: ProductState, of product: ProductID, in app: AppID) throws
    /// Records whether the store hosts the product's content. The schema refuses to take it
    /// from a product that was on sale.
    func setHosting(_ isHosted: Bool, of product: ProductID, in app: AppID) throws
}

/// Customers and testers, and their sessions.
package protocol AccountRepository {
    func account(_ id: AccountID) throws -> Account?
    func account(email: String, in environment: StoreEnvironment) throws -> Account?
    func insert(_ account: AccountDraft, at date: Date) throws -> Account
    func insertSession(tokenDigest: Data, account: AccountID, start: Date, end: Date) throws
    /// A session that has not ended.
    func session(tokenDigest: Data, at date: Date) throws -> Session?
    func deleteSession(tokenDigest: Data) throws
    func settings(of account: AccountID) throws -> AccountSettings
    func set(_ settings: AccountSettings, of account: AccountID) throws
    func setPasswordHash(_ hash: String, of account: AccountID) throws
    /// Moves an account to another country's store.
    func setStorefront(_ storefront: Storefront, of account: AccountID) throws
    /// Ends all sessions of an account, on devices and in browsers.
    func deleteSessions(of account: AccountID) throws
}

/// The ledger: facts are added, never changed.
package protocol LedgerRepository {
    func entry(_ id: TransactionID) throws -> LedgerEntry?
    func entry(key: String, account: AccountID, app: AppID) throws -> LedgerEntry?
    /// What an account has in an app under some keys, in no order.
    func entries(keys: [String], account: AccountID, app: AppID) throws -> [LedgerEntry]
    /// Everything of an account in an app, oldest first, from the last clearing of its history
    /// on. So it is with all that follows: what lies before a clearing is found by identifier
    /// and by key only.
    func entries(account: AccountID, app: AppID) throws -> [LedgerEntry]
    /// The account's first purchase of a product that was not revoked.
    func firstPurchase(of product: ProductID, account: AccountID, app: AppID) throws -> LedgerEntry?
    /// The first purchase of each product that the account can have restored on a device, and the
    /// last period of each subscription, its own and its family's: finished ones, and those of
    /// other devices, which may be lost; none that was revoked.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - limit: gives so many at most.
    func restorable(
        account: AccountID, app: AppID, device: String, after: TransactionID?, limit: Int
    ) throws -> [LedgerEntry]
    /// What a device bought and has not finished, and what was not revoked.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - limit: gives so many at most.
    func unfinished(
        account: AccountID, app: AppID, device: String, after: TransactionID?, limit: Int
    ) throws -> [LedgerEntry]
    /// Adds a fact; the ledger gives it its identifier. Nil where the account has used the
    /// key in this app before: nothing is added then.
    func insertIfNew(_ entry: LedgerDraft) throws -> LedgerEntry?
    /// Records when a fact was written whose own date lies on a day before.
    func recordPosting(of id: TransactionID, at date: Date) throws
    /// Records that a transaction was finished; the second time changes nothing.
    func recordFinish(of id: TransactionID, at date: Date) throws
    func isFinished(_ id: TransactionID) throws -> Bool
    /// Records that the customer may not use what was bought any longer; the second time
    /// changes nothing.
    ///
    /// - Returns: whether it was the first time.
    func recordRevocation(_ revocation: Revocation) throws -> Bool
    /// Whether a first purchase was taken back.
    func isRevoked(_ id: TransactionID) throws -> Bool
    /// What was taken back of an account in an app.
    func revocations(account: AccountID, app: AppID) throws -> [Revocation]
}

extension LedgerRepository {
    /// Adds a fact under a key that must be new.
    ///
    /// - Throws: `LedgerKeyUsed`.
    package func insert(_ entry: LedgerDraft) throws -> LedgerEntry {
        guard let inserted = try insertIfNew(entry) else { throw LedgerKeyUsed(key: entry.key) }
        return inserted
    }
}

/// The account has used the key in this app before.
package struct LedgerKeyUsed: Error, Sendable, Hashable {
    package let key: String
}

/// Purchases that wait for somebody's decision.
package protocol PendingPurchaseRepository {
    func purchase(_ id: PendingPurchaseID) throws -> PendingPurchase?
    func purchase(key: String, account: AccountID, app: AppID) throws -> PendingPurchase?
    /// Those that nobody has decided, oldest first.
    func undecided() throws -> [PendingPurchase]
    func insert(_ order: LedgerDraft, kind: PendingPurchase.Kind) throws -> PendingPurchase
    /// Records the decision; nobody decides twice.
    func record(_ decision: PendingPurchase.Decision, on id: PendingPurchaseID) throws
    /// What belongs to the page on which somebody decides; nil where nobody was told of it.
    func page(of id: PendingPurchaseID) throws -> ApprovalPageRecord?
    /// Adds the page; the second time changes nothing.
    func insertPage(of id: PendingPurchaseID, address: String) throws
    /// Counts a password that is tried on the page, and gives how many there were with it.
    func countAttempt(on id: PendingPurchaseID, address: String) throws -> Int
}

/// Offer codes and questions about prices.
package protocol OfferRepository {
    func code(_ code: String) throws -> OfferCode?
    func insert(_ code: OfferCode, at date: Date) throws
    /// How often a code was redeemed in an environment.
    func uses(of code: String, in environment: StoreEnvironment) throws -> Int
    /// What an account got for a code.
    func use(of code: String, by account: AccountID) throws -> TransactionID?
    func recordUse(_ use: OfferCodeUse) throws
    /// Questions of an account in an app that it has not answered.
    func openConsents(account: AccountID, app: AppID) throws -> [PriceConsent]
    func insertConsent(_ draft: PriceConsentDraft, at date: Date) throws -> PriceConsent
    /// Records the answer; only the first counts.
    func recordConsent(_ id: PriceConsentID, agreed: Bool, at date: Date) throws
}

/// What devices are told.
package protocol DeviceEventRepository {
    func append(_ event: DeviceEventDraft, at date: Date) throws
    /// Events of an account in an app, and of everybody who has it, behind a number, oldest
    /// first.
    ///
    /// - Parameter environment: the account's.
    func events(
        account: AccountID, in environment: StoreEnvironment, app: AppID, after: DeviceEventID,
        limit: Int
    ) throws -> [DeviceEvent]
    /// Where a device goes on that has heard everything up to a number: there, but for numbers that
    /// were given before the database went back to an earlier state. They go on with what that
    /// state had last; or begin anew, where another earlier state may have been here in between,
    /// which lacked some of that.
    func resumption(after number: DeviceEventID) throws -> DeviceEventID
    /// Who has events behind a number.
    func news(after: DeviceEventID) throws -> DeviceNews
    /// The last event of all accounts.
    func last() throws -> DeviceEventID
}

/// Accepted versions of hosted content.
package protocol ContentRepository {
    func releases(of product: ProductID, in app: AppID) throws -> [ContentRelease]
    /// The versions of a product with what happened to them, oldest first.
    func records(of product: ProductID, in app: AppID) throws -> [ReleaseRecord]
    func insert(_ release: ContentRelease, of product: ProductID, in app: AppID, at date: Date)
        throws
    /// Notes that somebody was permitted to download a version.
    ///
    /// - Returns: false where its bytes were given up; nothing is noted then.
    func recordPermit(
        of version: ContentVersion, of product: ProductID, in app: AppID, at date: Date
    ) throws -> Bool
    /// Gives up the bytes of a version.
    func retire(
        _ version: ContentVersion, of product: ProductID, in app: AppID, at date: Date) throws
    /// Whether a version whose bytes were not given up needs them.
    func isNeeded(_ digest: ContentDigest) throws -> Bool
    /// Whether a version has ever had the bytes.
    func isKnown(_ digest: ContentDigest) throws -> Bool
    /// Forgets bytes that no version needs.
    func forget(_ digest: ContentDigest) throws
    /// - Parameter message: what the reviewer said; nil takes away what was said before.
    func setState(
        _ state: ContentState, message: String?, of version: ContentVersion,
        of product: ProductID, in app: AppID, at date: Date) throws
}
