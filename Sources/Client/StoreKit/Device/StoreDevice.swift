import FoundationNetworking
import StoreKernel
import StoreModel
import StoreSecurity
import StoreTexts
import StoreWire
import Synchronization

/// This device as one app sees it: profile, folders, session, and the way to the store.
package final class StoreDevice: Sendable {
    package let profile: DeviceProfile
    package let folders: DeviceFolders
    package let sessions: SessionKeeper
    package let client: StoreClient
    let receiptFile: ReceiptFile
    package let log: @Sendable (String) -> Void
    let now: @Sendable () -> Date
    /// Makes identifiers that nothing else has.
    let makeID: @Sendable () -> UUID
    private let chosenSheet: Mutex<(any OpenStoreSheet)?>
    private let lastStorefront = Mutex<SKStorefront?>(nil)
    private let storefrontChange = Listener<Void>()
    /// The country of the last session that was seen.
    private let lastCountry: Mutex<String?>
    private let productRequests: ProductRequestCache
    /// What the store said about items in the last minute: an app loads one before it is to be shown,
    /// and again when it is.
    let items: Cache<StorePageLookup.ItemKey, StoreItemAnswer>
    package let restrictions: DeviceRestrictions
    let contentUpdates = ContentUpdates()
    /// The download agent, or nil if the app fetches content by itself.
    let downloadAgent: AgentAccess?
    /// Rings when somebody signs in in this process.
    let signIns = ListenerSignal()
    /// What a test lets fail.
    let simulatedErrors: SimulatedErrors
    /// The locale that a test wants texts of products in; `nil` for the storefront's.
    private let locale: @Sendable () -> String?
    /// What was logged and is not to be logged again.
    private let said = Mutex<Set<String>>([])
    /// The customer is asked to sign in once, however many wait for it.
    let signInTurn = AsyncLock()
    private let signInFailures = Mutex<(count: Int, last: (any Error)?)>((0, nil))
    private let makeJournal: (@Sendable () throws -> any JournalStorage)?

    /// - Parameters:
    ///   - environment: where the XDG variables are read from.
    ///   - sheet: nil for the terminal's, or whatever `OpenStore.sheet` names.
    ///   - journal: opens what the journal is written to; nil for the file in the state folder.
    ///   - makeID: makes the identifiers of the device and of its orders.
    ///   - note: gets the messages about opening the device's files; `nil` sends them to `log`.
    ///   - simulatedErrors: what a test lets fail.
    ///   - locale: the locale of products' titles and descriptions; `nil` for the storefront's.
    /// - Throws: `CocoaError` or a POSIX error where the state folder can't be made.
    package init(
        profile: DeviceProfile,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        transport: any RequestTransport = HTTPTransport(),
        sheet: (any OpenStoreSheet)? = nil,
        restrictions: DeviceRestrictions = .system,
        journal: (@Sendable () throws -> any JournalStorage)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        log: @escaping @Sendable (String) -> Void = OpenStore.writeLog,
        note: ((String) -> Void)? = nil,
        simulatedErrors: SimulatedErrors = SimulatedErrors(),
        locale: @escaping @Sendable () -> String? = { nil }
    ) throws {
        self.profile = profile
        self.log = log
        self.now = now
        self.makeID = makeID
        folders = DeviceFolders(
            bundleID: profile.payload.bundleId.text, environment: environment)
        sessions = SessionKeeper(
            folder: folders.sessions, tag: profile.tag, note: note, log: log)
        let id = try Self.deviceID(in: folders.state, makeID, note: note ?? log)
        client = StoreClient(profile: profile, deviceID: id.text, transport: transport)
        receiptFile = ReceiptFile(profile: profile, folders: folders, deviceID: id.uuid)
        downloadAgent = AgentAccess(environment: environment, log: log)
        chosenSheet = Mutex(sheet)
        lastCountry = Mutex(sessions.session?.storefront)
        productRequests = ProductRequestCache(now: now)
        items = Cache(limit: 64, lifetime: 60, now: now)
        self.restrictions = restrictions
        makeJournal = journal
        self.simulatedErrors = simulatedErrors
        self.locale = locale
    }

    private static let shared = Mutex<StoreDevice?>(nil)

    /// The device that calls go to which name none.
    ///
    /// - Throws: `SKError.clientInvalid` where the app has no usable profile.
    package static func current() throws -> StoreDevice {
        try PaymentEngine.current.makeDevice()
    }

    /// The device of this process by its profile, made when it is first needed.
    ///
    /// - Throws: `SKError.clientInvalid` where the app has no usable profile.
    static func ofProcess() throws -> StoreDevice {
        // The app's log may ask for the device: it is called after the lock.
        var notes: [String] = []
        defer { notes.forEach(OpenStore.writeLog) }
        return try shared.withLock { shared in
            if let shared { return shared }
            let device = try StoreDevice(
                profile: try DeviceProfile.current(), note: { notes.append($0) })
            shared = device
            return device
        }
    }

    /// Logs the reasons for invalid products. Developers need them; customers of an app in
    /// production don't, unless its developer asks for them.
    func reportInvalidProducts(in answer: ProductsAnswer) {
        guard profile.payload.environment == .sandbox || OpenStore.wantsLog() else { return }
        for invalid in answer.invalid {
            log(
                "The product identifier \(invalid.productId) is invalid. \(invalid.message) "
                    + "(\(invalid.reason.rawValue))")
        }
    }

    /// What asks the customer.
    var sheet: any OpenStoreSheet {
        chosenSheet.withLock { $0 } ?? OpenStore.sheet
    }

    /// The storefront of the signed-in account, else the one that the store last answered
    /// for.
    var storefront: SKStorefront? {
        if let session = sessions.session {
            return SKStorefront(
                countryCode: session.storefront, identifier: session.storefrontId)
        }
        return lastStorefront.withLock { $0 }
    }

    /// Opens the journal of the app.
    ///
    /// - Parameter log: gets what was wrong with it.
    /// - Throws: as `JournalFile` and `DeviceJournal` do.
    func openJournal(log: (String) -> Void) throws -> DeviceJournal {
        let storage =
            try makeJournal?() ?? JournalFile(folder: folders.state, tag: profile.tag)
        return try DeviceJournal(storage: storage, log: log)
    }

    /// Reads the journal that another process of the app has open.
    ///
    /// - Throws: as `DeviceJournal` does.
    func copyJournal() throws -> DeviceJournal {
        let copy = JournalCopy(folder: folders.state, tag: profile.tag)
        return try DeviceJournal(storage: copy) { _ in }
    }

    /// The session as it is now, having told of another storefront where there is one: the
    /// account may have been switched by another process.
    func noticeSession() -> SessionAnswer? {
        let session = sessions.session
        if let session {
            let before = lastCountry.withLock { last in
                defer { last = session.storefront }
                return last
            }
            if let before, before != session.storefront { tellStorefront() }
        }
        return session
    }

    private func tellStorefront() {
        storefrontChange.tell(())
        OpenStoreCallbackExecutor.app.run {
            for name: Notification.Name in [
                .SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange,
            ] { NotificationCenter.default.post(name: name, object: nil) }
        }
    }

    /// Calls `body` whenever an account of another storefront signs in.
    func onStorefrontChange(_ body: @escaping @Sendable () -> Void) {
        storefrontChange.set(body)
    }

    /// What the store sells of some products, in the account's storefront.
    ///
    /// - Parameter isFresh: whether the store is asked although an answer is at hand.
    func products(_ identifiers: [String], isFresh: Bool = false) async throws -> ProductsAnswer {
        let session = noticeSession()
        var answer: ProductsAnswer
        do {
            answer = try await inquire(identifiers, session: session, isFresh: isFresh)
        } catch let error as WireError where error.code == .notSignedIn && session != nil {
            // The session has ended; products can be looked at without one.
            sessions.clear(session)
            answer = try await inquire(identifiers, session: nil, isFresh: isFresh)
        }
        let storefront = SKStorefront(
            countryCode: answer.storefront, identifier: answer.storefrontId)
        lastStorefront.withLock { $0 = storefront }
        lastCountry.withLock { $0 = $0 ?? answer.storefront }
        return answer
    }

    private func inquire(
        _ identifiers: [String], session: SessionAnswer?, isFresh: Bool
    ) async throws -> ProductsAnswer {
        let question = ProductRequestCache.Question(
            identifiers: identifiers, session: session, locale: locale())
        return try await productRequests.answer(to: question, isFresh: isFresh) { [client] tag in
            try await client.products(
                identifiers, session: session, unless: tag, in: question.locale)
        }
    }

    /// When a payment for a product would charge an account.
    func charge(
        for product: WireProduct, _ payment: SKPayment, to account: String
    ) async throws -> ChargeNotice {
        // All others are paid for each time.
        let isKept = [.nonConsumable, .autoRenewableSubscription].contains {
            (type: ProductType) in type.rawValue == product.type
        }
        guard isKept else { return .now }
        let session = try await signedIn(as: account)
        let wanted = QuoteRequest(
            productId: product.productId, offer: payment.offerWish,
            applicationUsername: payment.applicationUsername)
        do {
            return try await client.quote(wanted, session: session).notice
        } catch let error as WireError where error.code == .notSignedIn {
            sessions.clear(session)
            let renewed = try await signedIn(as: account)
            return try await client.quote(wanted, session: renewed).notice
        }
    }

    /// The session, after asking the customer to sign in where there is none.
    ///
    /// - Parameter email: the account that it has to be; nil for any.
    /// - Throws: `SKError.paymentCancelled` where the customer gives up,
    ///   `SKError.paymentNotAllowed` where nobody can be asked.
    @discardableResult
    func signedIn(as email: String? = nil) async throws -> SessionAnswer {
        if let session = noticeSession(), email == nil || session.email == email {
            return session
        }
        let failures = signInFailures.withLock { $0.count }
        try await signInTurn.waitUnlessCancelled()
        defer { signInTurn.end() }
        // The customer may have answered somebody else, and is not asked again at once.
        if let session = noticeSession(), email == nil || session.email == email { return session }
        let (count, last) = signInFailures.withLock { ($0.count, $0.last) }
        if count != failures, let last { throw last }
        do {
            return try await askToSignIn(as: email)
        } catch {
            // A caller that was cancelled has not answered for the others.
            if !(error is CancellationError), !Task.isCancelled {
                signInFailures.withLock { $0 = ($0.count + 1, error) }
            }
            throw error
        }
    }

    /// A new session, of the account that the customer signs in with.
    ///
    /// - Parameter email: the account that it has to be; nil for any.
    /// - Throws: as `signedIn` does; the session from before is as it was then.
    func askToSignIn(as email: String?) async throws -> SessionAnswer {
        let texts = Texts.device
        var problem: String?
        for _ in 0..<3 {
            let question = OpenStoreSignInQuestion(
                isSandbox: profile.payload.environment == .sandbox, email: email,
                problem: problem)
            guard let credentials = try await sheet.signIn(question) else {
                throw SKError(.paymentCancelled, texts.didNotSignIn)
            }
            if let email, credentials.email.lowercased() != email {
                problem = texts.belongsToAccount(email: email)
                continue
            }
            do {
                let session =
                    if let made = credentials.session { made } else {
                        try await client.signIn(
                            email: credentials.email, password: credentials.password)
                    }
                try begin(session)
                return session
            } catch let error as WireError where error.code == .signInRefused {
                problem = error.sentence(in: texts)
            }
        }
        throw SKError(.paymentNotAllowed, problem ?? texts.couldNotSignIn)
    }

    /// Signs an account in without asking anybody; the one before is signed out.
    ///
    /// - Throws: `WireError`, `URLError`, or an error of the file system.
    package func signIn(email: String, password: String) async throws {
        let session = try await client.signIn(email: email, password: password)
        try? await signOut()
        try begin(session)
    }

    /// Takes a session that the store has just made.
    package func begin(_ session: SessionAnswer) throws {
        try sessions.save(session)
        _ = noticeSession()
        signIns.ring()
    }

    /// Signs out, and asks the customer to sign in anew.
    ///
    /// - Parameter email: the account that it has to be; nil for any.
    package func switchAccount(to email: String?) async throws {
        try await signOut()
        try await signedIn(as: email?.lowercased())
    }

    /// Ends the session here and in the store.
    package func signOut() async throws {
        guard let session = sessions.session else { return }
        sessions.clear(session)
        do {
            try await client.signOut(session)
        } catch let error as WireError where error.code == .notSignedIn {
            // It had ended already.
        }
    }

    /// Does something with the session; where the store does not know it any more, once more
    /// after a new sign-in.
    func withSession<Answer>(
        _ body: (SessionAnswer) async throws -> Answer
    ) async throws -> Answer {
        let session = try await signedIn()
        do {
            return try await body(session)
        } catch let error as WireError where error.code == .notSignedIn {
            sessions.clear(session)
            return try await body(try await signedIn())
        }
    }

    /// Writes to the log what is told again and again, once in this run.
    func logOnce(_ line: String) {
        if said.withLock({ $0.insert(line).inserted }) { log(line) }
    }

    /// The identifier of the device, made at random the first time, and again where its file is
    /// damaged. Two processes that make it at the same time get the same one.
    private static func deviceID(
        in folder: URL, _ makeID: () -> UUID, note: (String) -> Void
    ) throws -> (text: String, uuid: UUID) {
        let file = folder.appendingPathComponent("device")
        if let id = try savedID(file) { return id }
        var isDamaged = false
        let id = try DurableFile.whileLocked(file) {
            if let id = try savedID(file) { return id }
            isDamaged = access(file.path, F_OK) == 0
            let uuid = makeID()
            let text = uuid.uuidString.lowercased()
            try DurableFile.write(Data(text.utf8), to: file, mode: 0o600)
            return (text, uuid)
        }
        if isDamaged {
            note(
                "The identifier of this device in \(file.path) was damaged, and is a new one now. "
                    + "A receipt from before counts again when the app has refreshed it.")
        }
        return id
    }

    /// The identifier in the file; `nil` if the file is missing or damaged.
    ///
    /// - Throws: an error of the file system: a file that can't be read is not missing.
    private static func savedID(_ file: URL) throws -> (text: String, uuid: UUID)? {
        guard access(file.path, F_OK) == 0 else { return nil }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return UUID(uuidString: text).map { (text, $0) }
    }
}
