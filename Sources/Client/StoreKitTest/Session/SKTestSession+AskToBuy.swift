import StoreKit

extension SKTestSession {
    // MARK: Ask to Buy

    /// Whether each purchase waits for somebody's approval; false at the beginning.
    public var askToBuyEnabled: Bool {
        get { environment.settings.value.asksToBuy }
        set { environment.change { $0.asksToBuy = newValue } }
    }

    /// Approves a purchase that waits: it arrives through the payment queue and
    /// `Transaction.updates`.
    ///
    /// - Throws: ``SKTestError/noTransactionFound``; ``SKTestError/invalidAction`` for what does
    ///   not wait for approval, or not any more.
    public func approveAskToBuyTransaction(identifier: UInt) throws {
        try environment.run { try await $0.decide(.approved, on: identifier, kind: .approval) }
    }

    /// As ``approveAskToBuyTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try approveAskToBuyTransaction(identifier: try Self.unsigned(identifier))
    }

    /// Declines a purchase that waits: the payment queue's transaction fails.
    ///
    /// - Throws: as ``approveAskToBuyTransaction(identifier:)-(UInt)``.
    public func declineAskToBuyTransaction(identifier: UInt) throws {
        try environment.run { try await $0.decide(.declined, on: identifier, kind: .approval) }
    }

    /// As ``declineAskToBuyTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try declineAskToBuyTransaction(identifier: try Self.unsigned(identifier))
    }

    // MARK: Interrupted purchases

    /// Whether each purchase fails at first, because the customer has to settle something; false at
    /// the beginning.
    public var interruptedPurchasesEnabled: Bool {
        get { environment.settings.value.interruptsPurchases }
        set { environment.change { $0.interruptsPurchases = newValue } }
    }

    /// Settles what has interrupted a purchase, which arrives as a new transaction; or what keeps a
    /// renewal from being paid: a new period begins.
    ///
    /// - Throws: ``SKTestError/noTransactionFound``; ``SKTestError/invalidAction`` if there is no
    ///   issue, or not any more.
    public func resolveIssueForTransaction(identifier: UInt) throws {
        try environment.run { try await $0.resolveIssue(of: identifier) }
    }

    /// As ``resolveIssueForTransaction(identifier:)-(UInt)``, for a number that is an `Int`.
    public func resolveIssueForTransaction(identifier: Int) throws {
        try resolveIssueForTransaction(identifier: try Self.unsigned(identifier))
    }
}
