/// The commands about in-app purchases and their prices.
enum ProductCommands {
    static let all: [any Command.Type] = [
        ProductList.self, ProductShow.self, ProductCreate.self, ProductUpdate.self,
        ProductDelete.self, ProductScreenshot.self, PriceShow.self, PriceSet.self,
        PriceTiers.self,
    ]
}
