import StoreKit

extension SKTestSession {
    // MARK: Time

    /// An addition of OpenStoreKit: what the session's clock shows.
    ///
    /// Everything dated goes by it. A session begins at the machine's time, in whole seconds, or at
    /// the date of ``openStoreWithSession(configurationFileNamed:at:isolation:_:)``.
    public var openStoreDate: Date { environment.shop.clock.now() }

    /// An addition of OpenStoreKit: moves the session's clock forward.
    ///
    /// ```swift
    /// try await session.openStoreAdvance(by: 365 * 86_400)
    /// ```
    ///
    /// Everything that becomes due on the way happens in its order and at its time: renewals,
    /// attempts to charge again, expiries. When this returns, the app has heard of all of it:
    /// observers of the queue were called, and loops over `updates` were sent it.
    ///
    /// - Parameter seconds: not negative.
    /// - Throws: ``SKTestError/invalidAction`` for a negative number;
    ///   ``SKTestError/serviceUnavailable`` if the app's device does not get through to the store.
    public func openStoreAdvance(by seconds: TimeInterval) async throws {
        try await environment.advance(by: seconds)
    }

    /// An addition of OpenStoreKit: returns when the app has heard of everything that has happened
    /// in the session's store.
    ///
    /// - Throws: ``SKTestError/serviceUnavailable`` if the app's device does not get through to the
    ///   store.
    public func openStoreSettle() async throws {
        try await environment.heard()
    }
}
