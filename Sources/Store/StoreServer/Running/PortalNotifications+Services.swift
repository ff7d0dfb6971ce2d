import StoreAPI
import StorePages

extension PortalNotifications {
    /// The pages work with the services that the API works with.
    package init(_ services: APIServices) {
        self.init(
            service: services.notifications, targets: services.notificationTargets,
            text: services.notificationSigner.text(of:))
    }
}
