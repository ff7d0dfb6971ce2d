@_exported import StoreKit

/// A store inside the process of a test, with the products of a StoreKit configuration file.
///
/// ```swift
/// let session = try SKTestSession(configurationFileNamed: "Shop")
/// session.disableDialogs = true
/// let product = try await Product.products(for: ["com.example.shop.badge"])[0]
/// let result = try await product.purchase()
/// ```
///
/// From its beginning on both APIs of StoreKit work against it, without a profile, an account or a
/// network. The store is the one that `openstore` runs: the same rules, signatures and database.
/// Its transactions have the environment `Xcode`.
///
/// There is one at a time: a new session takes the place of the one before, with nothing bought
/// yet. Observers of the queue and loops over `Transaction.updates` stay. A session that another has
/// taken the place of throws ``SKTestError/serviceUnavailable``. Its store lasts until then, or
/// until the process ends, whether or not anything refers to the session. Tests that run in parallel
/// have a session each with
/// ``openStoreWithSession(configurationFileNamed:at:isolation:_:)``, or with the trait
/// ``Testing/Trait/storeKit(_:at:)`` of Swift Testing.
///
/// Time is the test's: unless ``timeRate`` says otherwise the session's clock stands, and nothing
/// is renewed or expires before a call of ``openStoreAdvance(by:)``.
open class SKTestSession: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    let environment: TestEnvironment

    /// Begins a session with a file of the main bundle, or of a resource bundle beside the
    /// executable, as those are that SwiftPM makes of a target's resources.
    ///
    /// - Parameter filename: without `.storekit`.
    /// - Throws: ``SKTestError/fileNotFound``; as ``init(contentsOf:)`` does.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try ConfigurationFile.url(named: filename))
    }

    /// Begins a session with a file.
    ///
    /// - Parameter fileURL: of a file that ends in `.storekit`.
    /// - Throws: ``SKTestError/invalidURL`` for another URL, and for a file that is no
    ///   configuration, with everything that is wrong in it; ``SKTestError/fileNotFound``;
    ///   ``SKTestError/serviceUnavailable`` if no store can be started on this machine.
    public init(contentsOf fileURL: URL) throws {
        environment = try TestEnvironment.make(try ConfigurationFile(contentsOf: fileURL))
        super.init()
        environment.takeCharge(for: self)
    }

    // MARK: Settings

    /// Whether purchases succeed without asking anybody. If false, which it is at the beginning,
    /// ``OpenStore/sheet`` asks.
    open var disableDialogs: Bool {
        get { environment.settings.value.disableDialogs }
        set { environment.change { $0.disableDialogs = newValue } }
    }

    /// How fast time passes for subscriptions; ``TimeRate/realTime`` at the beginning. Periods that
    /// have begun keep their length.
    open var timeRate: TimeRate {
        get { environment.settings.value.rate }
        set { environment.change { $0.rate = newValue } }
    }

    /// The customer's storefront, an alpha-3 code such as `JPN`; that of the file at the beginning.
    ///
    /// Products are sold there as the store's price tiers have it. A code that no storefront has
    /// changes nothing, and the log says so.
    open var storefront: String {
        get { environment.settings.value.storefront.code }
        set { environment.setStorefront(newValue) }
    }

    /// The language of the app's texts, such as `Locale(identifier: "de_DE")`; that of the file at
    /// the beginning.
    ///
    /// Products have the names and descriptions that the file has in it. Prices are written as the
    /// storefront writes them.
    open var locale: Locale {
        get { Locale(identifier: environment.settings.value.locale) }
        set { environment.setLocale(newValue.identifier) }
    }

    /// Sets everything back to what the file says, simulated errors too. Transactions stay.
    open func resetToDefaultState() {
        let configured = environment.configured
        environment.change { $0 = configured }
    }
}
