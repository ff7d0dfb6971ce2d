import StoreModel
import StoreTexts
import StoreWire

/// The store that this app and its device belong to.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum AppStore: Sendable {
    /// Whether the customer may buy at all: false if the administrator of the machine restricts
    /// it, in `/etc/openstore/restrictions.json`. What was bought can be used all the same.
    public static var canMakePayments: Bool { SKPaymentQueue.canMakePayments() }

    /// The identifier of the device that statements of the store are made for; `nil` if the app
    /// can't use the store.
    public static var deviceVerificationID: UUID? {
        guard let device = try? PaymentEngine.current.makeDevice() else { return nil }
        return UUID(uuidString: device.client.deviceID)
    }

    /// The age in years that the app is rated for: 4, 9, 12, 13, 16, 17 or 18, if its page in the
    /// store says `4+`, `9+` and so on.
    ///
    /// The store is asked each time, because ratings change; without a network it is the one that
    /// the store said last.
    ///
    /// - Returns: `nil` if the developer has stated no such rating, if nobody is signed in, or if
    ///   the store was never reached.
    @available(iOS 26.2, macOS 26.2, tvOS 26.2, watchOS 26.2, visionOS 26.2, *)
    public static var ageRatingCode: Int? {
        get async { await PaymentEngine.current.ageRatingCode() }
    }

    /// Asks the customer to sign in, and fetches what the account has bought.
    ///
    /// Purchases arrive without it. Call it only when the customer asks to restore them.
    ///
    /// - Throws: `StoreKitError.userCancelled` if the customer does not sign in;
    ///   `StoreKitError.networkError` if the store can't be reached; other ``StoreKitError``.
    public static func sync() async throws {
        try await PaymentEngine.current.synchronizePurchases()
    }

    /// An addition of OpenStoreKit: shows the store's page on which customers manage their
    /// subscriptions, and returns when they are done with it.
    ///
    /// It replaces `showManageSubscriptions(in:)`, which needs UIKit. Changes arrive in
    /// `Product.SubscriptionInfo.Status.updates`.
    ///
    /// - Throws: ``StoreKitError``, if there is nowhere to show it.
    @MainActor public static func openStoreShowManageSubscriptions() async throws {
        try await PaymentEngine.current.showAccountPage(.subscriptions)
    }

    /// An addition of OpenStoreKit: asks the customer for an offer code, and redeems it.
    ///
    /// It replaces `presentOfferCodeRedeemSheet(in:)`, which needs UIKit. The transactions of the
    /// code arrive in ``Transaction/updates``.
    ///
    /// - Throws: `StoreKitError.userCancelled` if the customer gives up; `StoreKitError.systemError`
    ///   if the code was not good.
    @MainActor public static func openStorePresentOfferCodeRedeemSheet() async throws {
        try await PaymentEngine.current.redeemCodeForFeed()
    }
}

extension PaymentEngine {
    func synchronizePurchases() async throws {
        guard let opened = await useFeed() else { throw storeKitError(openingError()) }
        try opened.device.simulatedErrors.check(.appStoreSync)
        do {
            try await opened.device.confirmAccount()
        } catch {
            noteRefusal(error, opened)
            throw storeKitError(error)
        }
        feed.state.withLock { $0.wantsAll = true }
        feed.markChanged()
        await refreshHistory(opened).value
        enqueueRefresh()
        if let error = feed.state.withLock({ $0.fetchError }) { throw storeKitError(error) }
    }

    /// Shows a page of the account, and returns when the customer is done with it.
    func showAccountPage(_ page: AccountPage) async throws {
        do {
            let device = try makeDevice()
            try device.simulatedErrors.check(.manageSubscriptions)
            let session = try await device.signedIn()
            try await device.sheet.show(device.page(page, in: session.storefront))
        } catch {
            throw storeKitError(error)
        }
    }

    func redeemCodeForFeed() async throws {
        guard let opened = await useFeed() else { throw storeKitError(openingError()) }
        try opened.device.simulatedErrors.check(.offerCodeRedeem)
        let end: (any Error)? = await withCheckedContinuation { continuation in
            enqueue { engine in
                do {
                    try await engine.redeemCode()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        if let end { throw storeKitError(end) }
    }
}

/// The store's pages on which customers manage their purchases.
enum AccountPage: String {
    case subscriptions
    case orders
}

extension StoreDevice {
    func page(_ page: AccountPage, in storefront: String) throws -> OpenStorePage {
        let country = StoreModel.Storefront.named(storefront)?.country.lowercased() ?? "us"
        let address = "\(profile.payload.baseURL)/\(country)/account/\(page.rawValue)"
        guard let url = URL(string: address) else {
            throw SKError(.clientInvalid, "The store's address in the profile is not a valid URL.")
        }
        return OpenStorePage(title: Texts.device.account, url: url)
    }

    /// Asks the customer to sign in again: the one who is signed in, or anybody if nobody is.
    ///
    /// - Throws: `SKError.paymentCancelled` if they cancel; the session stays as it was.
    func confirmAccount() async throws {
        let before = noticeSession()
        let session = try await askToSignIn(as: before?.email)
        if let before, before != session {
            // What is not ended ends by itself.
            try? await client.signOut(before)
        }
    }
}
