import StoreKit

/// Shows items of the store inside the app, and asks for a rating of the app.
final class ProductWindow: NSObject, SKStoreProductViewControllerDelegate {
    /// Hears when the customer is done with an item.
    var onDone: () -> Void = {}
    private var controller: SKStoreProductViewController?

    /// Loads an item and shows it.
    ///
    /// - Throws: the reason why the store does not show it.
    func show(_ item: Int64, campaign: String) async throws {
        let controller = SKStoreProductViewController()
        controller.delegate = self
        self.controller = controller
        try await controller.loadProduct(withParameters: [
            SKStoreProductParameterITunesItemIdentifier: NSNumber(value: item),
            SKStoreProductParameterCampaignToken: campaign,
        ])
        #if os(Linux)
            try await controller.openStorePresent()
        #else
            // Here an app presents the controller as any other; a program on a terminal has no
            // window to present it in.
            productViewControllerDidFinish(controller)
        #endif
    }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        controller = nil
        onDone()
    }

    /// Opens the page of an item in a browser, as apps did before there was a controller for it.
    func open(_ page: URL, titled title: String) async {
        #if os(Linux)
            try? await OpenStoreBrowserSheet().show(OpenStorePage(title: title, url: page))
        #endif
    }

    /// Asks for a rating, where the customer was not asked too often already.
    func askForRating() async {
        #if os(Linux)
            await SKStoreReviewController.openStoreRequestReview()
        #else
            SKStoreReviewController.requestReview()
        #endif
    }

    /// Why an item can't be shown, for the customer.
    static func sentence(for error: any Error) -> String {
        guard let error = error as? SKError, error.code == .storeProductNotAvailable else {
            return error.localizedDescription
        }
        switch error.userInfo[NSUnderlyingErrorKey] {
        case is URLError: return "The store can't be reached."
        case let cause as any Error: return cause.localizedDescription
        default: return error.localizedDescription
        }
    }
}
