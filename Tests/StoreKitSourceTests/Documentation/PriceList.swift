import StoreKit

final class PriceList: NSObject, SKProductsRequestDelegate {
    private var request: SKProductsRequest?
    private let show: ([SKProduct]) -> Void

    init(show: @escaping ([SKProduct]) -> Void) {
        self.show = show
    }

    func load(_ identifiers: Set<String>) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        request.start()
        self.request = request
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        show(response.products.sorted { $0.productIdentifier < $1.productIdentifier })
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        print("No prices: \(error.localizedDescription)")
        show([])
    }
}

func priceText(of product: SKProduct) -> String {
    let formatter = NumberFormatter()
    formatter.numberStyle = .currency
    formatter.locale = product.priceLocale
    return formatter.string(from: product.price) ?? "\(product.price)"
}

/// What the article has in `main.swift`.
private func main() {
    let list = PriceList { products in
        for product in products {
            print(product.localizedTitle, priceText(of: product), separator: "\t")
        }
        exit(products.isEmpty ? 1 : 0)
    }
    list.load(["com.example.bookshop.chapter1", "com.example.bookshop.credits5"])
    RunLoop.main.run()
}
