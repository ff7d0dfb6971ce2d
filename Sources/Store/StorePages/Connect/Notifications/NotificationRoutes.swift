import StoreCore
import StoreModel

extension PortalRouteTable {
    /// What an app's server is told.
    static let notifications: [PortalRoute] = [
        .get("/apps/{id}/notifications", .viewNotifications, NotificationListPage.show),
        .post("/apps/{id}/notifications/test", .sendNotifications, NotificationListPage.test),
        .post(
            "/apps/{id}/notifications/addresses", .manageApps, NotificationListPage.setAddresses),
        .get(
            "/apps/{id}/notifications/{notification}", .viewNotifications, NotificationPage.show),
        .post(
            "/apps/{id}/notifications/{notification}/resend", .sendNotifications,
            NotificationPage.resend),
    ]
}

/// What the pages about notifications work with.
package struct PortalNotifications: Sendable {
    let service: NotificationService
    /// What a publisher's server is sent, without the signatures around it.
    let text: @Sendable (NotificationContent) throws -> NotificationText
    /// Where publishers may have them sent to.
    let targets: NotificationTargets

    package init(
        service: NotificationService, targets: NotificationTargets,
        text: @escaping @Sendable (NotificationContent) throws -> NotificationText
    ) {
        self.service = service
        self.text = text
        self.targets = targets
    }
}

/// Addresses and words of the pages about notifications.
enum NotificationStrings {
    static func path(_ app: AppID) -> String { "\(AppPages.path(app))/notifications" }

    static func path(_ notification: StoreNotification) -> String {
        "\(path(notification.details.app))/\(notification.id)"
    }

    static func title(_ environment: StoreEnvironment) -> String {
        switch environment {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }

    static func badge(_ status: NotificationStatus) -> PortalBadge {
        if status.isReplay { return PortalBadge("Being Sent Again", .busy) }
        return switch status.state {
        case .waiting:
            status.attempts == 0
                ? PortalBadge("Being Sent", .busy) : PortalBadge("Retrying", .warn)
        case .delivered: PortalBadge("Delivered", .good)
        case .failed: PortalBadge("Failed", .bad)
        }
    }

    /// The type's name and, below it, the subtype's.
    static func kind(_ details: NotificationDraft) -> String {
        details.type.rawValue + (details.subtype.map { " / \($0.rawValue)" } ?? "")
    }
}
