import StoreModel
import StoreWire

/// What the device has of the account's transactions, for the sequences of `Transaction`.
extension PaymentEngine {
    /// The signed transactions of an account that the app has yet to finish on this device.
    func unfinishedSigned(of account: String, _ opened: Opened) -> [String] {
        opened.journal.entries.compactMap { entry in
            guard entry.account == account, case .purchased(let answer) = entry.stage else {
                return nil
            }
            return answer.signedTransaction
        }
    }

    /// `SKIncludeConsumableInAppPurchaseHistory` of the app's `Info.plist`.
    private static var includesConsumables: Bool {
        let value = Bundle.main.infoDictionary?["SKIncludeConsumableInAppPurchaseHistory"]
        return value as? Bool ?? false
    }

    /// Waits a while until the queue has what an earlier run of the app, or another device, has left.
    private func waitForStart() async {
        guard let starting = state.withLock({ $0.starting }) else { return }
        await waitBriefly(for: starting)
        state.withLock { $0.starting = nil }
    }

    /// What the sequences choose from.
    func selection(_ opened: Opened) async -> TransactionSelection? {
        async let start: Void = waitForStart()
        var found = await accountHistory(opened)
        await start
        // Somebody else may have signed in meanwhile.
        while let account = found?.account, account != opened.device.sessions.session?.email {
            found = await accountHistory(opened)
        }
        guard let (account, history) = found else { return nil }
        return selection(of: account, history, opened, isCopy: false) { self.verified($0) }
    }

    /// What the sequences choose from; where another process of the app has the journal, what
    /// that process has written to it.
    ///
    /// - Returns: nil if nobody is signed in, or the app can't use the store at all.
    func currentSelection() async -> TransactionSelection? {
        if let opened = await useFeed() { return await selection(opened) }
        guard let copy = try? openCopy(), let account = copy.device.sessions.session?.email
        else { return nil }
        // Each copy has its own list of revoked certificates, and so nothing is remembered.
        return selection(
            of: account, copy.journal.history(of: account) ?? AccountHistory(), copy, isCopy: true
        ) { copy.verifier.transaction($0) }
    }

    private func selection(
        of account: String, _ history: AccountHistory, _ opened: Opened, isCopy: Bool,
        verify: (String) -> VerificationResult<Transaction>?
    ) -> TransactionSelection {
        let unfinished = unfinishedSigned(of: account, opened).compactMap(verify)
        var results: [UInt64: VerificationResult<Transaction>] = [:]
        for result in unfinished { results[result.unsafePayloadValue.id] = result }
        // The history is newer than the answer to the purchase.
        for result in history.transactions.values.compactMap(verify) {
            results[result.unsafePayloadValue.id] = result
        }
        return TransactionSelection(
            account: account,
            transactions: Array(results.values),
            unfinished: Set(unfinished.map(\.unsafePayloadValue.id))
                .subtracting(feed.state.withLock { $0.finished }),
            statuses: withoutActuallyEscaping(verify) {
                statuses(history.subscriptions, opened, verify: $0)
            },
            includesConsumables: Self.includesConsumables,
            now: history.time.map(Date.init(milliseconds:)) ?? opened.device.now(),
            isCopy: isCopy)
    }
}
