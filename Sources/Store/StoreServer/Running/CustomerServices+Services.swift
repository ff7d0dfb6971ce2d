import StoreAPI
import StoreCore
import StorePages

extension CustomerServices {
    /// The pages work with the services that devices and publishers' servers work with.
    package init(_ services: APIServices) {
        self.init(
            orders: OrderService(database: services.database, clock: services.clock),
            refunds: services.refunds, subscriptions: services.subscriberChoices,
            families: services.families)
    }
}
