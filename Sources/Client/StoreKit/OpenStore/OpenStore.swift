import StoreKernel
import StoreModel
import Synchronization

/// What OpenStoreKit adds to Apple's surface, all in one place.
///
/// Apps written for Apple's StoreKit need none of it.
public enum OpenStore {
    private static let settings = Mutex(Settings())

    private struct Settings {
        var sheet: (any OpenStoreSheet)?
        var log: (@Sendable (String) -> Void)?
        var executor: OpenStoreCallbackExecutor?
    }

    /// Asks the customer to confirm and to sign in.
    ///
    /// Unless it is set, the environment variable `OPENSTORE_SHEET` chooses: `terminal`, which
    /// is what it is without the variable, `browser` for ``OpenStoreBrowserSheet``, or, in the
    /// sandbox, `accept` and `decline`, which answer without a person: see
    /// <doc:TestingPurchasesOnLinux>.
    public static var sheet: any OpenStoreSheet {
        get { settings.withLock { $0.sheet } ?? environmentSheet }
        set { settings.withLock { $0.sheet = newValue } }
    }

    /// What the environment asks for, read once.
    private static let standard: (sheet: any OpenStoreSheet, problem: String?) = sheet(
        named: ProcessInfo.processInfo.environment["OPENSTORE_SHEET"])
    private static let saidProblem = Atomic(false)

    /// The sheet that the environment asks for. What is wrong with its name is said once, and
    /// not while the name is read: the app's log may ask for the sheet itself.
    private static var environmentSheet: any OpenStoreSheet {
        let (sheet, problem) = standard
        if let problem, !saidProblem.exchange(true, ordering: .relaxed) { writeLog(problem) }
        return sheet
    }

    /// The sheet of a name; the terminal's for none and for one that there is not, which is a
    /// problem.
    static func sheet(
        named name: String?
    ) -> (sheet: any OpenStoreSheet, problem: String?) {
        switch name ?? "" {
        case "browser": return (OpenStoreBrowserSheet(), nil)
        case "terminal", "": return (OpenStoreTerminalSheet(), nil)
        case "accept": return (AutomaticSheet(accepts: true), nil)
        case "decline": return (AutomaticSheet(accepts: false), nil)
        default:
            return (
                OpenStoreTerminalSheet(),
                "OPENSTORE_SHEET is \"\(name ?? "")\"; it can be terminal, browser, accept or "
                    + "decline. The terminal is used."
            )
        }
    }

    /// Names where observers and delegates are called; the main queue unless it is named.
    ///
    /// To be called once, before anything else of the framework is used: a second call, or
    /// one after the first callback, traps.
    public static func useCallbackExecutor(_ executor: OpenStoreCallbackExecutor) {
        let isFirst = settings.withLock { settings -> Bool in
            guard settings.executor == nil else { return false }
            settings.executor = executor
            return true
        }
        precondition(isFirst, "The callback executor is named once, before the first callback.")
    }

    /// Where callbacks run; settled by the first one.
    static var callbackExecutor: OpenStoreCallbackExecutor {
        settings.withLock { settings in
            let executor = settings.executor ?? .main
            settings.executor = executor
            return executor
        }
    }

    /// Gets what developers should know, one sentence at a time, such as the reason for
    /// an invalid product identifier. Standard error unless it is set.
    ///
    /// With a production profile the reasons for invalid products are given only where this is
    /// set, or where the environment variable `OPENSTORE_LOG` is `1`: customers can do nothing
    /// about them.
    ///
    /// The framework holds no lock meanwhile, so it may call the framework. Each message is
    /// one line, without control characters from the store's texts.
    public static var log: (@Sendable (String) -> Void)? {
        get { settings.withLock { $0.log } }
        set { settings.withLock { $0.log = newValue } }
    }

    /// Whether somebody has asked for what only developers need.
    static func wantsLog(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        log != nil || environment["OPENSTORE_LOG"] == "1"
    }

    @Sendable package static func writeLog(_ line: String) {
        let line = line.terminalText()
        if let log { return log(line) }
        StandardError.write("StoreKit: \(line)\n")
    }

    /// Signs in the account that purchases are charged to, asking the customer where
    /// nobody is signed in.
    ///
    /// - Returns: the storefront of the account.
    /// - Throws: ``SKError/paymentCancelled`` where the customer gives up, ``SKError`` or
    ///   `URLError` where the store can't be reached or refuses.
    @discardableResult
    public static func signIn() async throws -> SKStorefront {
        do {
            let session = try await StoreDevice.current().signedIn()
            return SKStorefront(
                countryCode: session.storefront, identifier: session.storefrontId)
        } catch {
            throw visibleError(error)
        }
    }

    /// Ends the session on this device and in the store.
    public static func signOut() async throws {
        do {
            try await StoreDevice.current().signOut()
        } catch {
            throw visibleError(error)
        }
    }
}
