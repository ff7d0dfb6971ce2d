import StoreKit

extension SKTestSession {
    // MARK: Failures

    /// Whether each purchase fails with ``failureError``, in both APIs; false at the beginning.
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
}
