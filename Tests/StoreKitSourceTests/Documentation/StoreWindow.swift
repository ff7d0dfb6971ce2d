import FoundationNetworking
import StoreKit

// The code of the article ShowingTheStore.

@MainActor final class StoreWindow: NSObject, SKStoreProductViewControllerDelegate {
    private var controller: SKStoreProductViewController?

    func show(_ item: Int64) async {
        let controller = SKStoreProductViewController()
        controller.delegate = self
        self.controller = controller
        do {
            try await controller.loadProduct(withParameters: [
                SKStoreProductParameterITunesItemIdentifier: NSNumber(value: item),
                SKStoreProductParameterAffiliateToken: "lighthouse",
                SKStoreProductParameterCampaignToken: "last-page",
            ])
            try await controller.openStorePresent()
        } catch {
            explain(error)
        }
    }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        controller = nil
    }

    private func explain(_ error: any Error) {
        let cause = (error as? SKError)?.userInfo[NSUnderlyingErrorKey] as? NSError
        switch cause?.userInfo["code"] as? String {
        case "itemUnknown": print("The store does not sell it any longer.")
        case "itemNotInStorefront": print("It is not sold in your country.")
        default: print(cause?.localizedDescription ?? error.localizedDescription)
        }
    }
}

/// The code of the comment of `dismiss(animated:completion:)`.
@MainActor final class ClosingWindow: NSObject, SKStoreProductViewControllerDelegate {
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        viewController.dismiss(animated: true)
    }
}

func findBooks(about subject: String) async throws -> Data {
    let address = try OpenStore.address().appending(path: "search")
        .appending(queryItems: [
            URLQueryItem(name: "term", value: subject),
            URLQueryItem(name: "entity", value: "ebook"),
        ])
    return try await URLSession.shared.data(from: address).0
}

func shareLink(to item: Int64) async throws -> URL {
    let url = try await OpenStore.productPageURL(
        forItem: item, storefront: "JPN", affiliateToken: "lighthouse")
    return url
}

func openPage(of item: Int64) async throws {
    let page = OpenStorePage(
        title: "The Clock", url: try await OpenStore.productPageURL(forItem: item))
    try await OpenStoreBrowserSheet().show(page)
}

func rateAfterTheLastPage() async {
    await SKStoreReviewController.openStoreRequestReview()
}
