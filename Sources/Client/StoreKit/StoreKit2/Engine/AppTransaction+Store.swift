import StoreModel
import StoreWire

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension AppTransaction {
    /// That the account has this app, as the store signed it: asked for once, then read from the
    /// device, also without a network.
    ///
    /// - Throws: ``StoreKitError``, if nobody is signed in, or the store can't be reached the first
    ///   time.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await PaymentEngine.current.appTransaction(isFresh: false) }
    }

    /// Asks the customer to sign in, and the store to sign anew.
    ///
    /// Call it if the customer asks for it because ``shared`` is not verified.
    ///
    /// - Throws: `StoreKitError.userCancelled` if the customer does not sign in; other
    ///   ``StoreKitError``.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await PaymentEngine.current.refreshAppTransaction()
    }
}

extension PaymentEngine {
    func appTransaction(isFresh: Bool) async throws -> VerificationResult<AppTransaction> {
        guard let opened = await useFeed() else { throw storeKitError(openingError()) }
        guard let session = opened.device.noticeSession() else {
            throw StoreKitError.systemError(
                SKError(.clientInvalid, "Nobody is signed in; AppTransaction.refresh() asks."))
        }
        if !isFresh, let signed = opened.journal.history(of: session.email)?.appTransaction,
            let result = opened.verifier.appTransaction(signed)
        {
            return result
        }
        do {
            let answer = try await opened.device.client.appTransaction(session: session)
            guard let result = opened.verifier.appTransaction(answer.signedAppTransaction) else {
                throw StoreKitError.unknown
            }
            var change = HistoryChange(account: session.email)
            change.appTransaction = answer.signedAppTransaction
            try opened.journal.put([change])
            return result
        } catch {
            if let error = error as? WireError, error.code == .notSignedIn {
                opened.device.sessions.clear(session)
            }
            throw storeKitError(error)
        }
    }

    func refreshAppTransaction() async throws -> VerificationResult<AppTransaction> {
        guard let opened = await useFeed() else { throw storeKitError(openingError()) }
        do {
            try await opened.device.confirmAccount()
        } catch {
            throw storeKitError(error)
        }
        return try await appTransaction(isFresh: true)
    }
}
