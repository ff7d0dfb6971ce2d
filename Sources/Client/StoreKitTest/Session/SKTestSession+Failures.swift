import StoreKit

extension SKTestSession {
    // MARK: Failures

    /// Whether each purchase fails with ``failureError``, in both APIs; false at the beginning.
    /// The purchases that fail are in ``allTransactions()``.
    public var failTransactionsEnabled: Bool {
        get { environment.settings.value.failsTransactions }
        set { environment.change { $0.failsTransactions = newValue } }
    }

    /// What purchases fail with while ``failTransactionsEnabled`` is true; `unknown` at the
    /// beginning.
    public var failureError: SKError.Code {
        get { environment.settings.value.failure }
        set { environment.change { $0.failure = newValue } }
    }

    /// Lets a call of StoreKit fail until it is set to `nil`, or ``resetToDefaultState()`` is
    /// called.
    ///
    /// ```swift
    /// try await session.setSimulatedError(
    ///     .generic(.networkError(URLError(.timedOut))), forAPI: .loadProducts)
    /// ```
    ///
    /// The store is not asked. Where the original API has the call too, it fails with the `SKError`
    /// that says the same. With `.verification` nothing is thrown: results are `unverified`, with
    /// this error.
    ///
    /// - Parameters:
    ///   - error: `nil` for none.
    ///   - api: the call.
    /// - Throws: ``SKTestError/serviceUnavailable`` for a session that has ended;
    ///   ``SKTestError/invalidAction`` for an API that is none of StoreKit's.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public func setSimulatedError<API: FailableStoreKitAPI>(
        _ error: API.Failure?, forAPI api: API
    ) async throws {
        guard let call = (api as? any SimulatedCall).map({ type(of: $0).call }) else {
            throw SKTestError(.invalidAction, "\(API.self) is no API that can be made to fail.")
        }
        try await environment.changing { $0.errors[call] = error?._errorCode }
    }

    /// The error that a call of StoreKit fails with; `nil` for none.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        (api as? any SimulatedCall)
            .flatMap { environment.settings.value.errors[type(of: $0).call] }
            .flatMap { API.Failure(_fromErrorCode: $0) }
    }
}
