import StoreKit
import Testing

/// An addition of OpenStoreKit: the trait that ``Testing/Trait/storeKit(_:at:)`` makes. It begins a
/// session for each test.
public struct OpenStoreSessionTrait: SuiteTrait, TestTrait, TestScoping {
    let filename: String
    let date: Date?

    /// It is for each test of a suite.
    public var isRecursive: Bool { true }

    /// Each case of a test has a session; the suite has none.
    public func scopeProvider(
        for test: Test, testCase: Test.Case?
    ) -> OpenStoreSessionTrait? {
        testCase == nil ? nil : self
    }

    /// Runs a test with its session, whose dialogs are switched off.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await SKTestSession.openStoreWithSession(
            configurationFileNamed: filename, at: date
        ) { session in
            session.disableDialogs = true
            try await function()
        }
    }
}

extension Trait where Self == OpenStoreSessionTrait {
    /// An addition of OpenStoreKit: begins a session for each test, and ends it with the test. Tests
    /// can run in parallel.
    ///
    /// ```swift
    /// @Suite(.storeKit("Shop.storekit")) struct Purchases {
    ///     @Test func `the badge can be bought`() async throws {
    ///         let session = try #require(SKTestSession.openStoreCurrent)
    ///         try await session.buyProduct(identifier: "com.example.shop.badge")
    ///     }
    /// }
    /// ```
    ///
    /// ``SKTestSession/openStoreWithSession(configurationFileNamed:at:isolation:_:)`` says what belongs
    /// to a test. Its dialogs are switched off: tests in parallel have nobody to ask.
    ///
    /// - Parameters:
    ///   - filename: as of ``SKTestSession/init(configurationFileNamed:)``. If there is no such file,
    ///     each test fails.
    ///   - date: when the sessions begin, as of
    ///     ``SKTestSession/openStoreWithSession(configurationFileNamed:at:isolation:_:)``.
    public static func storeKit(_ filename: String, at date: Date? = nil) -> Self {
        OpenStoreSessionTrait(filename: filename, date: date)
    }
}
