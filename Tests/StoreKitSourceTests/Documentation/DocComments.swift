import StoreKit

// The examples in the doc comments of StoreKit's sources.

private func buy(_ product: SKProduct, _ observer: any SKPaymentTransactionObserver) {
    SKPaymentQueue.default().add(observer)
    SKPaymentQueue.default().add(SKPayment(product: product))
}

private func owned() throws -> Set<String> {
    let receipt = try OpenStoreReceipt.current()
    let owned = Set(
        receipt.inAppPurchases.filter { $0.cancellationDate == nil }.map(\.productIdentifier))
    return owned
}

private func checkReceipt() {
    do {
        try OpenStore.verifyReceipt(bundleIdentifier: "com.example.app", version: "7")
    } catch {
        // Where a refresh does not help either:
        SKTerminateForInvalidReceipt()
    }
}

private final class Caller: NSObject, SKProductsRequestDelegate,
    SKStoreProductViewControllerDelegate
{
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}

    func askForProducts() {
        let request = SKProductsRequest(productIdentifiers: ["com.example.chapter1"])
        request.delegate = self
        request.start()
    }

    func refreshReceipt() {
        let request = SKReceiptRefreshRequest()
        request.delegate = self
        request.start()
    }

    @MainActor func showPage() async throws {
        let controller = SKStoreProductViewController()
        controller.delegate = self
        let parameters = [SKStoreProductParameterITunesItemIdentifier: 1_234_567_890]
        if try await controller.loadProduct(withParameters: parameters) {
            try await controller.openStorePresent()
        }
    }
}

private func searchAddress() throws -> URL {
    let address = try OpenStore.address().appending(path: "search")
        .appending(queryItems: [URLQueryItem(name: "term", value: "lighthouse")])
    return address
}

private func productPage() async throws -> URL {
    let url = try await OpenStore.productPageURL(forItem: 1_234_567_890, affiliateToken: "ada")
    return url
}

private func listedProducts() async throws -> (builtIn: Int, request: SKProductsRequest) {
    let builtIn = try OpenStoreProductIdentifiers.builtIn()

    let list = OpenStoreProductIdentifiers(
        serverURL: URL(string: "https://example.com/products_v1.json")!)
    let request = SKProductsRequest(productIdentifiers: Set(try await list.load().identifiers))
    return (builtIn.count, request)
}

private func chapters() async throws -> Int {
    let products = try await Product.products(for: ["com.example.chapter1"])
    return products.count
}
