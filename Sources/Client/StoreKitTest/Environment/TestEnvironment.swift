import StoreAPI
import StoreCore
import StoreKit
import StoreKernel
import StoreModel
import StoreServer
import StoreWire
import Synchronization

/// The store of a test session, and the device on which the app under test meets it.
///
/// The session's methods change the store by `TestShop`. The app hears of it as it hears of
/// everything: its device asks the store, over a socket of this machine.
final class TestEnvironment: Sendable {
    struct State {
        var device: StoreDevice
        var engine: PaymentEngine?
        /// Numbers the installations of the app, which begin anew when the history is cleared.
        var installations = 1
        /// When the tester last signed in.
        var signInDate: Date
        /// The settings that the store has.
        var applied: SessionSettings
        var isOver = false
        /// The last event of the store that was asked for.
        var event: DeviceEventID?
        /// Does what becomes due while the clock runs.
        var work: Task<Void, Never>?
    }

    private let ephemeral: EphemeralStore
    let shop: TestShop
    let settings: SettingsBox
    let configured: SessionSettings
    let state: Mutex<State>
    /// Settings are brought to the store one after the other.
    let settingsTurn = AsyncLock()
    let failedPayments: FailedPayments
    private let place: SessionScope
    /// What calls of the app fail with.
    let simulatedErrors: SimulatedErrors
    private let identifiers: SequentialUUIDs

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
        let date = SessionScope.current.date ?? Date()
        guard dates.contains(date) else {
            throw SKTestError(
                .invalidAction, "A session begins at a date of the years 2000 to 2999.")
        }
        do {
            return try BlockingCall.run {
                let environment = try await TestEnvironment(file, at: date)
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

    private init(_ file: ConfigurationFile, at date: Date) async throws {
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
        let failedPayments = FailedPayments()
        let identifiers = SequentialUUIDs(group: 1)
        let nonce = SequentialUUIDs(group: 2).next()
        let clock = TestClock(
            Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
        let ephemeral = try EphemeralStore(
            in: EphemeralStore.memory, clock: clock, vault: Self.vault, names: .xcode,
            makeNonce: { nonce }, sandbox: { settings.value.store.rules }, isPrepared: true)
        _ = Self.removesFoldersAtExit
        Self.folders.withLock { _ = $0.insert(ephemeral.folder) }
        do {
            let bundleID =
                Bundle.main.bundleIdentifier.flatMap { BundleID($0) }
                ?? configuration.commonBundleID ?? Self.namelessApp
            let beginning = try await ephemeral.open(
                configuration: file.data, bundleID: bundleID,
                storefront: configuration.storefront)
            let shop = TestShop(ephemeral, beginning, clock: clock)
            state = Mutex(
                State(
                    device: try Self.device(
                        1, shop, ephemeral, settings, failedPayments, simulatedErrors,
                        identifiers),
                    signInDate: clock.now(), applied: Self.untouched(configured)))
            self.shop = shop
        } catch {
            Self.remove(ephemeral)
            throw error
        }
        self.ephemeral = ephemeral
        self.settings = settings
        self.configured = configured
        self.failedPayments = failedPayments
        self.simulatedErrors = simulatedErrors
        self.identifiers = identifiers
        place = .current
    }

    private func begin() async throws {
        try await signIn()
        try await applySettings()
    }

    /// What a new store has of a session's settings: the storefront, in which the tester was made.
    private static func untouched(_ configured: SessionSettings) -> SessionSettings {
        var settings = SessionSettings()
        settings.storefront = configured.storefront
        return settings
    }

    /// Passwords of testers protect nothing. However many tests run at once, each signs in.
    private static let vault = OpenSSLVault(
        logN: 10,
        threads: .passwords(
            threads: ProcessInfo.processInfo.activeProcessorCount, queueLimit: .max))

    /// The years 2000 to 2999.
    private static let dates =
        Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 32_503_680_000)

    /// What an app is called that has no bundle identifier, and whose products don't tell one.
    private static let namelessApp = BundleID("com.example.app")!

    private static func device(
        _ number: Int, _ shop: TestShop, _ ephemeral: EphemeralStore, _ settings: SettingsBox,
        _ failedPayments: FailedPayments, _ simulatedErrors: SimulatedErrors,
        _ identifiers: SequentialUUIDs
    ) throws -> StoreDevice {
        let folder = ephemeral.folder.appendingPathComponent("device-\(number)")
        return try StoreDevice(
            profile: DeviceProfile(
                text: shop.beginning.profile, source: "of the test session"),
            environment: ["HOME": folder.path, "OPENSTORE_DOWNLOADS": "inside"],
            sheet: SessionSheet(
                settings: settings, failedPayments: failedPayments, now: { shop.clock.now() },
                password: shop.beginning.password),
            now: { shop.clock.now() }, makeID: { identifiers.next() },
            simulatedErrors: simulatedErrors,
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
            number, shop, ephemeral, settings, failedPayments, simulatedErrors, identifiers)
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
        idle: { try await Task.sleep(for: .milliseconds(100)) }, patience: .seconds(20),
        jitter: { 0.02 })

    // MARK: The store

    var device: StoreDevice { state.withLock { $0.device } }
    var engine: PaymentEngine? { state.withLock { $0.engine } }

    /// Has the store do something.
    ///
    /// - Throws: `SKTestError`, or what breaks in the store.
    func perform<Value>(_ body: (TestShop) async throws -> Value) async throws -> Value {
        try requireCharge()
        do { return try await body(shop) } catch let refusal as TestRefusal {
            throw SKTestError(refusal)
        }
    }

    /// The same for a method that is not `async`.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (TestShop) async throws -> Value
    ) throws -> Value {
        try BlockingCall.run { [self] in try await perform(body) }
    }

    /// - Throws: `SKTestError.serviceUnavailable` if another session has taken its place.
    func requireCharge() throws {
        guard !state.withLock({ $0.isOver }) else {
            throw SKTestError(
                .serviceUnavailable,
                "Another SKTestSession has taken the place of this one: there is one at a time.")
        }
    }

    /// Has the tester signed in on the device.
    func signIn() async throws {
        let accounts = shop.services.accounts
        let session = try await accounts.signIn(
            email: EphemeralStore.email, password: shop.beginning.password, environment: .sandbox)
        let settings = try await accounts.settings(of: shop.tester)
        let storefront = session.account.storefront
        let device = state.withLock { state in
            state.signInDate = shop.clock.now()
            return state.device
        }
        try device.begin(
            SessionAnswer(
                token: session.token, email: session.account.email, storefront: storefront.code,
                storefrontId: storefront.identifier, expiresDate: session.end.milliseconds,
                asksToBuy: settings.asksToBuy ? true : nil))
    }
}
