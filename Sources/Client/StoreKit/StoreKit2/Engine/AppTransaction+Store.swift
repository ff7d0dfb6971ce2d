import StoreModel
import StoreWire

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension AppTransaction {
    /// The signed statement that the account has this app. It is fetched once, and then read from
    /// the device, also without a network.
    ///
    /// - Throws: ``StoreKitError``, if nobody is signed in, or the store can't be reached the first
    ///   time.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await PaymentEngine.current.appTransaction(isFresh: false) }
    }

    /// Asks the customer to sign in, and fetches a newly signed app transaction.
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
        try opened.device.simulatedErrors.check(.appTransaction)
        guard let session = opened.device.noticeSession() else {
            throw StoreKitError.systemError(
                SKError(.clientInvalid, "Nobody is signed in; AppTransaction.refresh() asks."))
        }
        if !isFresh, let signed = opened.journal.history(of: session.email)?.appTransaction,
            let result = opened.verifier.appTransaction(signed)
        {
            return shown(result)
        }
        return shown(try await fetchAppTransaction(of: session, opened))
    }

    /// The age in years that the app is rated for: as the store says now, or else said last.
    func ageRatingCode() async -> Int? {
        guard let opened = await useFeed(), let account = opened.device.noticeSession()?.email
        else {
            return nil
        }
        let fetching = feed.ageRatings.refresh { [self] in
            guard let session = opened.device.sessions.session else { return }
            do {
                _ = try await fetchAppTransaction(of: session, opened)
            } catch {
                opened.device.log("The app's age rating could not be fetched: \(error)")
            }
        }
        if opened.journal.history(of: account)?.appTransaction == nil {
            await fetching.value
        } else {
            await waitBriefly(for: fetching)
        }
        return opened.journal.history(of: account)?.ageRatingCode
    }

    /// Asks the store, and keeps its answer.
    ///
    /// - Throws: ``StoreKitError``.
    func fetchAppTransaction(
        of session: SessionAnswer, _ opened: Opened
    ) async throws -> VerificationResult<AppTransaction> {
        do {
            let answer = try await opened.device.client.appTransaction(session: session)
            guard let result = opened.verifier.appTransaction(answer.signedAppTransaction) else {
                throw StoreKitError.unknown
            }
            // One whose signature does not vouch for it is not kept: the store is asked again.
            if case .verified = result {
                var change = HistoryChange(account: session.email)
                change.appTransaction = answer.signedAppTransaction
                change.ageRatingCode = answer.ageRatingCode
                try opened.journal.put([change])
            }
            return result
        } catch {
            noteRefusal(error, opened)
            if let error = error as? WireError, error.code == .notSignedIn {
                opened.device.sessions.clear(session)
            }
            throw storeKitError(error)
        }
    }

    func refreshAppTransaction() async throws -> VerificationResult<AppTransaction> {
        guard let opened = await useFeed() else { throw storeKitError(openingError()) }
        try opened.device.simulatedErrors.check(.appTransaction)
        do {
            try await opened.device.confirmAccount()
        } catch {
            noteRefusal(error, opened)
            throw storeKitError(error)
        }
        return try await appTransaction(isFresh: true)
    }
}
