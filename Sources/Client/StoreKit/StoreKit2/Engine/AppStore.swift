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

    /// Asks the customer to sign in, and fetches what the account has bought.
    ///
    /// In normal operation nobody needs it: call it where the customer asks for their purchases.
    ///
    /// - Throws: `StoreKitError.userCancelled` if the customer does not sign in;
    ///   `StoreKitError.networkError` if the store can't be reached; other ``StoreKitError``.
    public static func sync() async throws {
        try await PaymentEngine.current.synchronizePurchases()
    }

    /// An addition of OpenStoreKit: shows the store's page on which customers manage their
    /// subscriptions, and returns when they are done with it.
    ///
    /// It stands for `showManageSubscriptions(in:)`, which needs UIKit. What they change comes
    /// through `Product.SubscriptionInfo.Status.updates`.
    ///
    /// - Throws: ``StoreKitError``, if there is nowhere to show it.
    @MainActor public static func openStoreShowManageSubscriptions() async throws {
        try await PaymentEngine.current.showAccountPage(.subscriptions)
    }

    /// An addition of OpenStoreKit: asks the customer for an offer code, and redeems it.
    ///
    /// It stands for `presentOfferCodeRedeemSheet(in:)`, which needs UIKit. What the code gives
    /// comes through ``Transaction/updates``.
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
        do {
            try await opened.device.confirmAccount()
        } catch {
            throw storeKitError(error)
        }
        feed.markChanged()
        await refreshHistory(opened).value
        enqueueRefresh()
        if let error = feed.state.withLock({ $0.fetchError }) { throw storeKitError(error) }
    }

    /// Shows a page of the account, and returns when the customer is done with it.
    func showAccountPage(_ page: AccountPage) async throws {
        do {
            let device = try makeDevice()
            let session = try await device.signedIn()
            try await device.sheet.show(device.page(page, in: session.storefront))
        } catch {
            throw storeKitError(error)
        }
    }

    func redeemCodeForFeed() async throws {
        guard await useFeed() != nil else { throw storeKitError(openingError()) }
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

/// The store's pages on which customers look after what they have bought.
enum AccountPage: String {
    case subscriptions
    case orders
}

extension StoreDevice {
    func page(_ page: AccountPage, in storefront: String) throws -> OpenStorePage {
        let country = StoreModel.Storefront.named(storefront)?.country.lowercased() ?? "us"
        let address = "\(profile.payload.baseURL)/\(country)/account/\(page.rawValue)"
        guard let url = URL(string: address) else {
            throw SKError(.clientInvalid, "The store's address in the profile is not one.")
        }
        return OpenStorePage(title: Texts.device.account, url: url)
    }

    /// Has the customer of the session, or any, say once more who they are.
    ///
    /// - Throws: `SKError.paymentCancelled` where they give up; the session stays as it was.
    func confirmAccount() async throws {
        let before = noticeSession()
        let session = try await askToSignIn(as: before?.email)
        if let before, before != session {
            // What is not ended ends by itself.
            try? await client.signOut(before)
        }
    }
}
