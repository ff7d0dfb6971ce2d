import StoreKit
import Testing

// The store's promotions, reviews, pages and notifications, called as apps do. The process
// has no profile: everything that needs the store says so.

/// A product that was made by a test.
///
/// Sendable: constant.
private final class Promoted: SKProduct, @unchecked Sendable {
    override var productIdentifier: String { "com.example.pro" }
}

/// Delegate of a page, as a screen of an app would be one.
@MainActor private final class Screen: NSObject, SKStoreProductViewControllerDelegate {
    private(set) var isDone = false

    func open(_ identifier: Int) async -> SKError? {
        let controller = SKStoreProductViewController()
        controller.delegate = self
        let parameters: [String: Any] = [
            SKStoreProductParameterITunesItemIdentifier: NSNumber(value: identifier),
            SKStoreProductParameterProductIdentifier: "com.example.pro",
            SKStoreProductParameterCustomProductPageIdentifier: UUID(),
            SKStoreProductParameterAffiliateToken: "a",
            SKStoreProductParameterCampaignToken: "c",
            SKStoreProductParameterProviderToken: "p",
            SKStoreProductParameterAdvertisingPartnerToken: "ad",
            SKStoreProductParameterAdNetworkAttributionSignature: "s",
            SKStoreProductParameterAdNetworkCampaignIdentifier: 1,
            SKStoreProductParameterAdNetworkSourceIdentifier: 1234,
            SKStoreProductParameterAdNetworkIdentifier: "example.skadnetwork",
            SKStoreProductParameterAdNetworkNonce: UUID(),
            SKStoreProductParameterAdNetworkTimestamp: 1,
            SKStoreProductParameterAdNetworkSourceAppStoreIdentifier: 0,
            SKStoreProductParameterAdNetworkVersion: "4.0",
        ]
        #expect(parameters.count == 15)
        preload(controller, parameters)
        do {
            try await controller.loadProduct(withParameters: parameters)
            return nil
        } catch { return error as? SKError }
    }

    /// Where nothing waits, the completion handler may be left out.
    private func preload(_ controller: SKStoreProductViewController, _ parameters: [String: Any]) {
        controller.loadProduct(withParameters: parameters)
    }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        isDone = true
        viewController.dismiss(animated: true)
        viewController.dismiss(animated: true, completion: nil)
    }
}

/// Shows that a plain object may be the delegate too.
private final class PlainDelegate: NSObject, SKStoreProductViewControllerDelegate {}

struct StorePresence {
    @MainActor @Test func `a page is asked for by completion handler`() async {
        let controller = SKStoreProductViewController()
        let delegate = PlainDelegate()
        controller.delegate = delegate
        let parameters = [SKStoreProductParameterITunesItemIdentifier: "123"]
        let (isLoaded, error) = await withCheckedContinuation { continuation in
            controller.loadProduct(withParameters: parameters) { isLoaded, error in
                continuation.resume(returning: (isLoaded, error))
            }
        }
        #expect(!isLoaded)
        #expect((error as? SKError)?.code == .storeProductNotAvailable)
        let cause = (error as? SKError)?.userInfo[NSUnderlyingErrorKey] as? SKError
        #expect(cause?.code == .clientInvalid)
        controller.delegate?.productViewControllerDidFinish(controller)
        controller.delegate?.productViewControllerDidFinish?(controller)
    }

    @MainActor @Test func `a page is asked for by await`() async {
        let screen = Screen()
        let error = await screen.open(123)
        #expect(error?.code == .storeProductNotAvailable)
        #expect(!screen.isDone)
    }

    @MainActor @Test func `a page can't be shown before it is loaded`() async {
        let controller = SKStoreProductViewController()
        await #expect(throws: SKError.self) { try await controller.openStorePresent() }
    }

    @Test func `addresses need a profile`() async {
        #expect(throws: SKError.self) { try OpenStore.address() }
        let error = await #expect(throws: SKError.self) {
            try await OpenStore.productPageURL(
                forItem: 7, storefront: "JPN", affiliateToken: "a", campaignToken: "c")
        }
        #expect(error?.code == .storeProductNotAvailable)
    }

    @Test func `asking for a review comes back at once`() {
        SKStoreReviewController.requestReview()
        #expect(SKStoreReviewController().isEqual(SKStoreReviewController()) == false)
    }

    @Test func `promotions are read and set by await`() async {
        let controller = SKProductStorePromotionController.default()
        #expect(controller === SKProductStorePromotionController.default())
        await #expect(throws: SKError.self) {
            try await controller.update(promotionVisibility: .hide, for: Promoted())
        }
        await #expect(throws: SKError.self) {
            let visibility = try await controller.promotionVisibility(for: Promoted())
            #expect(visibility == SKProductStorePromotionVisibility.default)
        }
        await #expect(throws: SKError.self) {
            try await controller.update(promotionOrder: [Promoted()])
        }
        await #expect(throws: SKError.self) { try await controller.promotionOrder() }
    }

    @MainActor @Test func `promotions are read and set by completion handlers`() async {
        let controller = SKProductStorePromotionController()
        // Accepted without a handler, too.
        controller.update(storePromotionVisibility: .show, for: Promoted())
        let codes = await withCheckedContinuation { continuation in
            var codes: [Int] = []
            controller.update(storePromotionVisibility: .show, for: Promoted()) { error in
                codes.append((error as? SKError)?.errorCode ?? -1)
                controller.fetchStorePromotionVisibility(for: Promoted()) { visibility, error in
                    codes.append((error as? SKError)?.errorCode ?? visibility.rawValue)
                    controller.update(storePromotionOrder: [Promoted()]) { error in
                        codes.append((error as? SKError)?.errorCode ?? -1)
                        controller.fetchStorePromotionOrder { products, error in
                            codes.append((error as? SKError)?.errorCode ?? products.count)
                            continuation.resume(returning: codes)
                        }
                    }
                }
            }
        }
        #expect(codes == [1, 1, 1, 1])
    }

    @Test func `names of notifications and of music are there`() {
        let names: [Notification.Name] = [
            .SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange,
            .SKCloudServiceCapabilitiesDidChange,
        ]
        #expect(Set(names).count == 3)
        #expect(names[0].rawValue == "SKStorefrontCountryCodeDidChangeNotification")
        let options: [SKCloudServiceSetupOptionsKey: Any] = [
            .action: SKCloudServiceSetupAction.subscribe,
            .messageIdentifier: SKCloudServiceSetupMessageIdentifier.playMusic,
            .iTunesItemIdentifier: NSNumber(value: 1), .affiliateToken: "a", .campaignToken: "c",
        ]
        #expect(options.count == 5)
        let messages: Set<SKCloudServiceSetupMessageIdentifier> = [
            .join, .connect, .addMusic, .playMusic,
        ]
        #expect(messages.count == 4)
    }
}
