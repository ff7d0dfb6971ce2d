import StoreKit

func explain(_ response: SKProductsResponse) {
    for product in response.openStoreInvalidProducts {
        print("\(product.productIdentifier): \(product.reason). \(product.message)")
    }
}

func whatTheStoreSaid(_ error: any Error) -> String? {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    return cause?.userInfo["code"] as? String
}

func ownedProducts() throws -> Set<String> {
    let receipt = try OpenStoreReceipt.current()
    let inForce = receipt.inAppPurchases.filter { $0.cancellationDate == nil }
    return Set(inForce.map(\.productIdentifier))
}
