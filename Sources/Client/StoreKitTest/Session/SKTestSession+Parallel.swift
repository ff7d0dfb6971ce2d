import StoreKit

extension SKTestSession {
    // MARK: Sessions in parallel

    /// An addition of OpenStoreKit: begins a session for one test, and ends it with the test. Other
    /// tests can run at the same time, each in its own session.
    ///
    /// ```swift
    /// func testBuying() async throws {
    ///     try await SKTestSession.openStoreWithSession(configurationFileNamed: "Shop") { session in
    ///         let product = try await Product.products(for: ["com.example.shop.badge"])[0]
    ///         _ = try await product.purchase()
    ///     }
    /// }
    /// ```
    ///
    /// Both APIs of StoreKit work against it in the calling task and in the tasks that it starts
    /// with `Task { }` or in a group, and in the callbacks of their observers and delegates. A
    /// detached task and a thread are outside: there StoreKit knows the process's session, or none.
    /// A session that the test makes by itself, as with Apple's, takes the place of this one, for
    /// this test only. ``OpenStore/sheet``, `Bundle.main` and notifications of the storefront stay
    /// the process's.
    ///
    /// Two tests that begin at the same date, and make the same calls one after another, get the
    /// same payloads to the byte.
    ///
    /// - Parameters:
    ///   - filename: as of ``init(configurationFileNamed:)``.
    ///   - date: what the clock shows when a session begins, without the fraction of a second; of the
    ///     years 2000 to 2999. `nil` for the machine's time, by which an app goes that compares dates
    ///     with `Date()`.
    ///   - body: the test. Nothing of its session is left when this returns.
    /// - Throws: as ``init(configurationFileNamed:)``; ``SKTestError/invalidAction`` for a date of
    ///   another year; what the test throws.
    public static func openStoreWithSession<Result>(
        configurationFileNamed filename: String, at date: Date? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (SKTestSession) async throws -> Result
    ) async throws -> Result {
        let url = try ConfigurationFile.url(named: filename)
        return try await openStoreWithSession(
            contentsOf: url, at: date, isolation: isolation, body)
    }

    /// An addition of OpenStoreKit: as
    /// ``openStoreWithSession(configurationFileNamed:at:isolation:_:)``, with a file by its URL.
    public static func openStoreWithSession<Result>(
        contentsOf fileURL: URL, at date: Date? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (SKTestSession) async throws -> Result
    ) async throws -> Result {
        try await SessionScope.withOwn(at: date, isolation: isolation) {
            try await body(try SKTestSession(contentsOf: fileURL))
        }
    }

    /// An addition of OpenStoreKit: the session of the calling task, or else the process's; `nil` if
    /// there is none.
    public static var openStoreCurrent: SKTestSession? { SessionScope.current.session }
}
