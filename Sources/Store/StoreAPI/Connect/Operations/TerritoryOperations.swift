import StoreCore
import StoreModel

extension ResourceType {
    /// Countries with a store of their own.
    static let territories = ResourceType("territories")
}

extension Resource {
    init(_ storefront: Storefront) {
        self.init(
            .territories, id: storefront.code, ["currency": .text(storefront.currency)])
    }
}

extension ConnectOperation {
    static let territories: [ConnectOperation] = [
        .list("/v1/territories", .useConnect) { call in
            try ListPage(of: Storefront.all, call.page()).map { Resource($0) }
        }
    ]
}
