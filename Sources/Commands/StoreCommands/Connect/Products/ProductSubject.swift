/// How in-app purchases are shown.
enum ProductSubject {
    static let columns: [ConnectRenderer.Column] = [
        .id, .attribute("PRODUCT", "productId"), .attribute("NAME", "name"),
        .attribute("TYPE", "inAppPurchaseType"), .attribute("STATE", "state"),
    ]
}
