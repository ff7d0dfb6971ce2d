import Foundation
import StoreAPI
import StoreContent
import StoreCore
import StoreFeed
import StoreHTTP
import StoreModel
import StorePictures
import StoreSecurity

/// A store on disk, opened: database, content, keys, and the services over them.
///
/// `openstore serve` puts an HTTP server in front of it; the other commands use it
/// directly. Several processes may have the same store open.
package final class Store: Sendable {
    package let directory: URL
    package let database: any ShopDatabase
    package let content: any ContentStore
    package let uploadFiles: any UploadStore
    /// Screenshots and images of products, and media of items.
    package let pictures: any PictureFiles & MediaFiles
    /// The bucket that content, uploads and pictures lie in; nil where folders have them.
    package let objects: ObjectStorage?
    /// Exports of the partner feed.
    package let feedFolder: FeedFolder
    /// Rings where a package is to be processed.
    package let uploadSignal = WakeSignal()
    /// Rings where a notification is to be sent.
    package let notificationSignal = WakeSignal()
    package let keys: StoreKeys
    package let services: APIServices
    package let log: EventLog
    /// How often its jobs ran, and how it went.
    let jobMetrics = JobMetrics()
    package let clock: any StoreClock
    let clockWatch: ClockWatch
    /// What stays free of the disk where content is made.
    let room: DiskRoom

    /// Bytes of pictures in other sizes that are kept.
    private static let renditionLimit: Int64 = 1 << 30

    private static let folders = ["feeds", "renditions", "temporary"]
    /// Those that an object store stands for.
    private static let contentFolders = ["assets", "content", "uploads"]

    /// Seconds after which what was begun in parts and not finished was left by a process that
    /// has ended.
    private static let partsAge: TimeInterval = 86_400

    /// Opens the store in a folder; makes folder, schema and keys where they are missing.
    ///
    /// - Parameters:
    ///   - database: replaces the database in the folder.
    ///   - objects: keeps content, uploads and pictures instead of the folder.
    ///   - environmentNames: how statements name the environments.
    ///   - makeNonce: makes what binds a statement to a device.
    ///   - makeReceiptKey: makes the key for receipts when the first one is signed.
    ///   - storefront: how links and reviews are treated.
    ///   - room: what uploads, and what is made of them, leave free.
    ///   - notificationTargets: where publishers may have notifications sent to.
    ///   - signingPool: makes responses with much to sign.
    ///   - believesClock: whether the clock may jump, as that of a test does.
    ///   - sleep: waits between two looks for events.
    /// - Throws: `SQLError`, `SecurityError` or `CocoaError`, with nothing half done; `BackupError`
    ///   where a backup was being restored into the folder.
    package init(
        directory: URL, database: (any ShopDatabase)? = nil, objects: ObjectStorage? = nil,
        clock: any StoreClock = SystemClock(), vault: any CredentialVault = OpenSSLVault(),
        log: EventLog, environmentNames: EnvironmentNames = .standard,
        makeNonce: @escaping @Sendable () -> UUID = { UUID() },
        makeReceiptKey: @escaping @Sendable () throws -> ReceiptKey = ReceiptKey.generate,
        storefront: StorefrontSettings = StorefrontSettings(),
        room: DiskRoom = DiskRoom(), notificationTargets: NotificationTargets = .internet,
        signingPool: SigningPool = SigningPool(), believesClock: Bool = false,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) throws {
        try RestoringFolder.requireNone(in: directory)
        self.directory = directory
        self.clock = clock
        self.log = log
        self.room = room
        try Self.makeFolders(in: directory, withContent: objects == nil)
        self.database =
            try database
            ?? SQLiteDatabase(
                path: directory.appendingPathComponent("store.sqlite").path, uptime: clock.uptime)
        let clockWatch = ClockWatch(
            database: self.database, clock: clock, log: log, believesAll: believesClock,
            instant: { clock.uptime() })
        self.clockWatch = clockWatch
        // What is fetched on its way to a client lies where there is room for packages, too.
        let objects = objects?.withScratch(directory.appendingPathComponent("temporary"))
        self.objects = objects
        let uploadFiles: any UploadStore
        if let objects {
            (content, uploadFiles, pictures) = (objects.content, objects.uploads, objects.pictures)
        } else {
            content = try DiskContentStore(root: directory.appendingPathComponent("content"))
            uploadFiles = try DiskUploadStore(
                root: directory.appendingPathComponent("uploads"), room: room)
            pictures = try DiskPictureFiles(
                root: directory.appendingPathComponent("assets"),
                digest: { ContentDigest(SHA256Digest.hex($0)) },
                checksum: { MD5Checksum.hex($0) }, makeDigest: { ContentDigestStream() }, room: room
            )
        }
        self.uploadFiles = uploadFiles
        self.feedFolder = FeedFolder(root: directory.appendingPathComponent("feeds"))
        self.keys = try StoreKeys.open(
            in: directory.appendingPathComponent("keys"), at: clock.now(),
            makeReceiptKey: makeReceiptKey)
        self.services = try APIServices(
            database: self.database, content: content,
            readManifest: { [content] in try await content.files(of: $0) },
            uploadFiles: uploadFiles,
            pictures: pictures,
            pictureMaker: PictureResizer(
                folder: try RenditionFolder(
                    root: directory.appendingPathComponent("renditions"),
                    limit: Self.renditionLimit),
                report: { log.write(.error, .pictureNotKept, ["reason": $0]) }),
            feedEntry: { [feedFolder] in try feedFolder.entry(at: $0) }, clock: clock,
            believed: { try await clockWatch.time() },
            signingEnd: { [keys] in keys.signingEnd() }, vault: vault,
            signer: keys.signer(), environmentNames: environmentNames, makeNonce: makeNonce,
            receiptSigner: keys.receiptSigner(),
            verifier: JWSVerifier(
                root: keys.root, isRevoked: { [issued = keys.issued] in issued.isRevoked($0) }),
            seals: SealedTokens(secret: keys.sealSecret),
            certificateStatus: { [keys] in keys.certificateStatus($0, at: $1) },
            revokedCertificates: { [keys] in keys.revokedForStatements() },
            uploadCommitted: { [uploadSignal] in uploadSignal.send() },
            makeKeyPair: { try APIKeyPair.generate() }, storefrontSettings: storefront,
            notificationTargets: notificationTargets, report: Self.report(to: log),
            signingPool: signingPool, sleep: sleep)
        self.database.whenNotified { [notificationSignal] in notificationSignal.send() }
    }

    /// Makes what is missing. A folder that was there may be open to others; what the store has in it is
    /// not.
    private static func makeFolders(in directory: URL, withContent hasContent: Bool) throws {
        let folders = Self.folders + (hasContent ? contentFolders : [])
        for folder in [directory] + folders.map(directory.appendingPathComponent) {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    /// Writes down why a request has failed.
    private static func report(to log: EventLog) -> @Sendable (String) -> Void {
        { reason in
            if let request = RequestTrace.current?.id {
                log.write(.error, .requestFailed, ["request": request, "reason": reason])
            } else {
                log.write(.error, .requestFailed, ["reason": reason])
            }
        }
    }

    /// A folder for files that are being made, on the same file system as the content.
    package func temporaryFolder() throws -> URL {
        let folder = directory.appendingPathComponent("temporary")
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// What `collect` would give back.
    package func collectable(_ keeping: ContentRetentionPolicy) async throws
        -> GarbageCollectionService.Report
    {
        guard try await isOwnerOfContent() else { return GarbageCollectionService.Report() }
        return try await collection.plan(keeping)
    }

    /// Gives back the space of content that nobody needs, and of work that was broken off.
    ///
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed:
    ///   nothing is deleted by a clock that jumps meanwhile.
    package func collect(
        _ keeping: ContentRetentionPolicy, at now: Date? = nil
    ) async throws -> GarbageCollectionService.Report {
        let now = now ?? clock.now()
        // Needs nobody else, so that it happens whatever fails after it.
        cleanTemporary(at: now)
        // Rows only: the limits of a team count them, whoever decides about their bytes.
        _ = try await services.uploads.expire(at: now)
        guard try await isOwnerOfContent() else { return GarbageCollectionService.Report() }
        // A file that can't be taken away does not keep the others.
        await abandonParts(at: now)
        let content = await attempt { try await collection.collect(keeping, at: now) }
        _ = try await services.assets.collect(grace: keeping.unreferencedGracePeriod, at: now)
        return try content.get()
    }

    private func attempt<Value>(_ step: () async throws -> Value) async -> Result<Value, any Error>
    {
        do { return .success(try await step()) } catch { return .failure(error) }
    }

    /// Whether the database is that of a shop, and decides about the bucket that it may share with a copy. A
    /// database without teams is none's yet, and what lies beside it may be that of a shop for which
    /// somebody has named the wrong database: all of it would be a stranger's.
    private func isOwnerOfContent() async throws -> Bool {
        let (hasTeam, restoration) = try await database.read {
            (try $0.people.teamCount(matching: nil) > 0, try $0.transactions.restorationMark())
        }
        var reason = "the database has no team, so it may not be that of the content"
        if hasTeam {
            guard let objects else { return true }
            if try await objects.content.apart({ try objects.isKeeper(restoration) }) {
                return true
            }
            reason =
                "the database was restored or failed over, and the bucket may be that of a store that "
                + "still runs; where it is not, run openstore content clean-up --take-over"
        }
        log.write(hasTeam ? .warning : .info, .contentKept, ["reason": reason])
        return false
    }

    /// Has this store's database decide from now on what is deleted from the bucket, in place of the one
    /// that it was restored from.
    package func takeOverContent() async throws {
        guard let objects else { return }
        let restoration = try await database.read { try $0.transactions.restorationMark() }
        _ = try await objects.content.apart { try objects.isKeeper(restoration, takesOver: true) }
    }

    /// Gives up what was begun in parts, where the object store and the key allow that.
    private func abandonParts(at now: Date) async {
        guard let objects else { return }
        let day = now.addingTimeInterval(-Self.partsAge)
        do {
            _ = try await objects.content.apart { try objects.client.abandonParts(before: day) }
        } catch {
            log.write(
                .warning, .partsLeft,
                ["reason": String(describing: error)])
        }
    }

    /// What the clock shows, for what is deleted by it.
    ///
    /// - Throws: `ClockNotTrusted`.
    package func believedTime() async throws -> Date { try await clockWatch.believedTime() }

    /// Takes away what work of this process that was broken off has left.
    func cleanTemporary(at now: Date) {
        let limit = now.addingTimeInterval(-ContentRetentionPolicy.standard.unreferencedGracePeriod)
        let folder = directory.appendingPathComponent("temporary")
        let left =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
        for url in left {
            let values = try? url.resourceValues(forKeys: [.contentModificationDateKey])
            guard let date = values?.contentModificationDate, date <= limit else { continue }
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// Finds and takes away content that nobody needs.
    package var collection: GarbageCollectionService {
        GarbageCollectionService(
            database: database, content: content, uploads: services.uploads,
            uploadFiles: uploadFiles, clock: clock)
    }

    /// Makes exports of the partner feed.
    package var feed: FeedService { FeedService(database: database, clock: clock) }

    /// A fresh offer code of 80 random bits.
    package func makeOfferCode() throws -> String {
        LegibleCode.text(of: try SecureRandom.bytes(16))
    }

    /// Commits what is waiting and closes the database.
    package func close() {
        database.close()
    }
}

/// The time of the machine.
package struct SystemClock: StoreClock {
    package init() {}
    package func now() -> Date { Date() }
}

extension Store {
    /// Looks whether the bucket with the content, if there is one, can be used, and makes its
    /// place this store's. For who serves; others call `expectObjects`.
    ///
    /// - Throws: `ObjectStoreError` with what is wrong.
    package func checkObjects() async throws {
        guard let objects else { return }
        let fingerprint = try rootFingerprint()
        try await objects.content.apart { try objects.claim(for: fingerprint) }
    }

    /// Has it looked whether the bucket with the content, if there is one, is this store's, before
    /// anything in it is touched.
    package func expectObjects() throws {
        objects?.expect(owner: try rootFingerprint())
    }

    /// The SHA-256 of the root certificate, hexadecimal.
    package func rootFingerprint() throws -> String {
        SHA256Digest.hex(try keys.root.der())
    }

    /// Renews certificates that are due, and has them say that this store answers for them at its
    /// address, as clients that check revocation online need.
    ///
    /// - Parameter address: scheme, host and port at which clients reach the store; nil for what they say.
    /// - Throws: `ClockNotTrusted`, `StoreKeysError`.
    func renewCertificates(answeringAt address: String?) async throws {
        let ocspAddress = address.map { $0 + "/ocsp" }
        let now = try await believedTime()
        let issued =
            try ocspAddress.map { try keys.adopt(ocspAddress: $0, at: now) }
            ?? keys.renewDue(at: now)
        for certificate in issued { logIssued(certificate) }
        logLack(keys.lacksRootKey(ocspAddress: ocspAddress, at: now))
    }

    /// The same at the start: a store that can't change its keys, or can't believe its clock, goes on with
    /// the certificates that it has.
    package func prepareCertificates(answeringAt address: String) async {
        do { try await renewCertificates(answeringAt: address) } catch {
            log.write(.error, .certificateNotRenewed, ["reason": String(describing: error)])
        }
    }

    /// Writes into the log that a certificate could not be issued, and why; nothing for nil.
    package func logLack(_ reason: String?) {
        guard let reason else { return }
        log.write(.error, .certificateNotRenewed, ["reason": reason])
    }

    /// Writes into the log that a certificate was issued.
    package func logIssued(_ certificate: Certificate) {
        log.write(
            .info, .certificateIssued,
            [
                "name": certificate.name, "serial": certificate.serial?.text ?? "",
                "until": certificate.validity?.upperBound.formatted(.iso8601) ?? "",
            ])
    }
}
