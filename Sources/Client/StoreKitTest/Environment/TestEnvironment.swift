import StoreAPI
import StoreCore
import StoreKit
import StoreModel
import StoreServer
import StoreWire
import Synchronization

/// The store of a test session, and the device on which the app under test meets it.
///
/// The session's methods change the store as its own services do. The app hears of it as it hears
/// of everything: its device asks the store, over a socket of this machine.
final class TestEnvironment: Sendable {
    private struct State {
        var device: StoreDevice
        var engine: PaymentEngine?
        /// Numbers the installations of the app, which begin anew when the history is cleared.
        var installations = 1
        /// Numbers the purchases that are made outside of the app.
        var orders: UInt64 = 0
        /// When the tester last signed in.
        var signInDate: Date
        var isOver = false
        /// The last event of the store that was asked for.
        var event: DeviceEventID?
        /// Does what becomes due while the clock runs.
        var work: Task<Void, Never>?
    }

    private let ephemeral: EphemeralStore
    let shop: EphemeralStore.Shop
    let clock: SessionClock
    let settings: SettingsBox
    let configured: SessionSettings
    private let state: Mutex<State>
    private let place: SessionPlace
    /// What calls of the app fail with.
    let simulatedErrors: SimulatedErrors

    /// Folders of this process's stores, which go with it whichever way it ends by itself.
    private static let folders = Mutex<Set<URL>>([])
    private static let removesFoldersAtExit: Void = {
        atexit {
            for folder in TestEnvironment.folders.withLock({ $0 }) {
                try? FileManager.default.removeItem(at: folder)
            }
        }
    }()

    /// Makes a store with the products of a file.
    ///
    /// - Throws: `SKTestError`.
    static func make(_ file: ConfigurationFile) throws -> TestEnvironment {
        do {
            return try BlockingCall.run {
                let environment = try await TestEnvironment(file)
                do { try await environment.begin() } catch {
                    Self.remove(environment.ephemeral)
                    throw error
                }
                return environment
            }
        } catch let error as SKTestError {
            throw error
        } catch {
            throw SKTestError(
                .serviceUnavailable, "The test's store can't be started: \(error)")
        }
    }

    private init(_ file: ConfigurationFile) async throws {
        let configuration = try StoreKitConfiguration(data: file.data)
        let configured = try FileSettings.settings(in: file.data, configuration)
        let passedOver = FileSettings.passedOver(configuration)
        if !passedOver.isEmpty {
            OpenStore.writeLog(
                "The test session passes settings of the file over: "
                    + passedOver.joined(separator: ", "))
        }
        let settings = SettingsBox(configured)
        let simulatedErrors = SimulatedErrors()
        let clock = SessionClock(Self.now)
        let ephemeral = try EphemeralStore(
            in: Self.place, clock: clock, vault: OpenSSLVault(logN: 10), names: .xcode,
            sandbox: { settings.value.rules }, isPrepared: true)
        _ = Self.removesFoldersAtExit
        Self.folders.withLock { _ = $0.insert(ephemeral.folder) }
        do {
            let bundleID =
                Bundle.main.bundleIdentifier.flatMap { BundleID($0) }
                ?? configuration.commonBundleID ?? Self.namelessApp
            let shop = try await ephemeral.open(
                configuration: file.data, bundleID: bundleID,
                storefront: configuration.storefront)
            state = Mutex(
                State(
                    device: try Self.device(
                        1, shop, ephemeral, clock, settings, simulatedErrors),
                    signInDate: clock.now()))
            self.shop = shop
        } catch {
            Self.remove(ephemeral)
            throw error
        }
        self.ephemeral = ephemeral
        self.clock = clock
        self.settings = settings
        self.configured = configured
        self.simulatedErrors = simulatedErrors
        place = .current
    }

    private func begin() async throws {
        try await signIn()
        try await apply(configured, over: nil)
    }

    /// The machine's time, in whole seconds.
    private static var now: Date {
        Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    }

    /// What an app is called that has no bundle identifier, and whose products don't tell one.
    private static let namelessApp = BundleID("com.example.app")!

    /// In memory where the system has a place for that.
    private static var place: URL {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        return FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
    }

    private static func device(
        _ number: Int, _ shop: EphemeralStore.Shop, _ ephemeral: EphemeralStore,
        _ clock: SessionClock, _ settings: SettingsBox, _ simulatedErrors: SimulatedErrors
    ) throws -> StoreDevice {
        let folder = ephemeral.folder.appendingPathComponent("device-\(number)")
        return try StoreDevice(
            profile: DeviceProfile(text: shop.profile, source: "of the test session"),
            environment: ["HOME": folder.path, "OPENSTORE_DOWNLOADS": "inside"],
            sheet: SessionSheet(settings: settings, password: shop.password),
            now: { clock.now() }, simulatedErrors: simulatedErrors,
            locale: { settings.value.locale })
    }

    // MARK: Beginning and end

    /// Takes the place of whatever store the app has met until now.
    func takeCharge(for session: SKTestSession) {
        let device = state.withLock { $0.device }
        let (engine, leaving) = PaymentEngine.takeOver(
            of: place.firstEngine, by: device, retry: Self.retry)
        state.withLock { $0.engine = engine }
        guard let former = place.enter(session)?.environment, former !== self else { return }
        former.end(after: leaving)
    }

    /// - Parameter leaving: ends when nothing of the app uses the device.
    /// - Returns: a task that ends when nothing is left.
    @discardableResult
    func end(after leaving: Task<Void, Never>) -> Task<Void, Never> {
        let work = state.withLock { state in
            state.isOver = true
            return state.work.take()
        }
        work?.cancel()
        return Task { [ephemeral] in
            await leaving.value
            await work?.value
            await withCheckedContinuation { continuation in
                // It waits for the last requests.
                Thread.detachNewThread {
                    Self.remove(ephemeral)
                    continuation.resume()
                }
            }
        }
    }

    private static func remove(_ ephemeral: EphemeralStore) {
        ephemeral.remove()
        folders.withLock { _ = $0.remove(ephemeral.folder) }
    }

    /// Gives the app a new device, as after an installation. It has no record of any purchase.
    func installAnew() async throws {
        let number = state.withLock { state in
            state.installations += 1
            return state.installations
        }
        let device = try Self.device(
            number, shop, ephemeral, clock, settings, simulatedErrors)
        let former = state.withLock { state in
            let former = state.device
            state.device = device
            return former
        }
        try await signIn()
        guard place.session?.environment === self else { return }
        let (engine, leaving) = PaymentEngine.takeOver(
            of: place.firstEngine, by: device, retry: Self.retry)
        state.withLock { $0.engine = engine }
        Task {
            await leaving.value
            try? FileManager.default.removeItem(at: former.folders.state)
        }
    }

    /// The app meets a store that answers at once, or never again.
    private static let retry = RetryPolicy(
        attempts: 3, longDelay: .seconds(1), sleep: { try await Task.sleep(for: $0) },
        idle: { try await Task.sleep(for: .milliseconds(100)) }, jitter: { 0.02 })

    // MARK: The store

    var store: Store { ephemeral.store }
    func transactionDeletion() throws -> TransactionDeletion {
        try ephemeral.transactionDeletion()
    }
    var services: APIServices { ephemeral.store.services }
    var app: App { shop.report.app }
    var tester: AccountID { shop.tester.id }
    var device: StoreDevice { state.withLock { $0.device } }
    var engine: PaymentEngine? { state.withLock { $0.engine } }

    /// - Throws: `SKTestError.serviceUnavailable` if another session has taken its place.
    func requireCharge() throws {
        guard !state.withLock({ $0.isOver }) else {
            throw SKTestError(
                .serviceUnavailable,
                "Another SKTestSession has taken the place of this one: there is one at a time.")
        }
    }

    /// A purchase's number, the same with each run.
    func nextOrder() -> UInt64 {
        state.withLock { state in
            state.orders += 1
            return state.orders
        }
    }

    /// Has the tester signed in on the device.
    func signIn() async throws {
        let session = try await services.accounts.signIn(
            email: EphemeralStore.email, password: shop.password, environment: .sandbox)
        let settings = try await services.accounts.settings(of: tester)
        let storefront = session.account.storefront
        let device = state.withLock { state in
            state.signInDate = clock.now()
            return state.device
        }
        try device.begin(
            SessionAnswer(
                token: session.token, email: session.account.email, storefront: storefront.code,
                storefrontId: storefront.identifier, expiresDate: session.end.milliseconds,
                asksToBuy: settings.asksToBuy ? true : nil))
    }

    /// Certificates and sessions end some day, which no test is about.
    func keepAlive() async throws {
        _ = try store.keys.renewDue(at: clock.now())
        let last = state.withLock { $0.signInDate }
        if clock.now().timeIntervalSince(last) > AccountService.sessionDuration / 2 {
            try await signIn()
        }
    }

    /// Tells the app's device that transactions are there which it has not asked for.
    func tellTransactions() async throws {
        let (tester, app, now) = (tester, app.id, clock.now())
        try await store.database.write { repositories in
            try repositories.events.append(
                DeviceEventDraft(account: tester, app: app, kind: .transactions), at: now)
        }
        services.events.nudge(tester)
    }

    /// Returns when the app has heard of everything that has happened in the store.
    func heard() async throws {
        guard let engine else { return }
        let (tester, app) = (tester, app.id)
        let known = state.withLock { $0.event }
        let last = try await store.database.read { repositories -> DeviceEventID? in
            var last = known
            while let next = try repositories.events.events(
                account: tester, in: .sandbox, app: app,
                after: last ?? DeviceEventID(number: 0), limit: 1000
            ).last { last = next.id }
            return last
        }
        state.withLock { $0.event = last }
        await engine.hear(of: last?.number ?? 0)
    }

    // MARK: Time

    /// Lets the clock run and does what becomes due, or lets it stand.
    func setRunning(_ isRunning: Bool) {
        clock.set(running: isRunning)
        let former = state.withLock { state in
            let former = state.work.take()
            if isRunning, !state.isOver { state.work = Task { [weak self] in await self?.work() } }
            return former
        }
        former?.cancel()
    }

    /// Purchases become due between two looks at the latest.
    private static let look: Duration = .milliseconds(250)

    private func work() async {
        while !Task.isCancelled {
            _ = try? await services.renewals.advance()
            try? await keepAlive()
            let due = try? await services.renewals.nextDue()
            let wait = due.map { Duration.seconds($0.timeIntervalSince(clock.now())) }
            let pause = min(max(wait ?? Self.look, .milliseconds(1)), Self.look)
            guard (try? await Task.sleep(for: pause)) != nil else { return }
        }
    }
}
