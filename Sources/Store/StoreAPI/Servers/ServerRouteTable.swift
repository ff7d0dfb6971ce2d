import StoreCore
import StoreHTTP
import StoreModel

/// Every route of the App Store Server API with what its caller's key must be allowed, below each
/// environment.
///
/// This is the only list: the router is made from it, and a test walks it.
package enum ServerRouteTable {
    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        package let pattern: String
        package let permission: ConnectPermission
        package let operation: ServerOperation
    }

    /// What every address begins with, below the environment.
    package static let path = "/inApps/"

    package static let rows: [Row] = [
        read("/inApps/v1/transactions/{id}", .transaction),
        read("/inApps/v1/transactions/appTransactions/{id}", .appTransaction),
        read("/inApps/v1/history/{id}", .history),
        read("/inApps/v2/history/{id}", .history),
        read("/inApps/v2/refund/lookup/{id}", .refunds),
        read("/inApps/v1/lookup/{id}", .order),
        read("/inApps/v1/subscriptions/{id}", .statuses),
        change(.put, "/inApps/v1/subscriptions/extend/{id}", .extend),
        change(.post, "/inApps/v1/subscriptions/extend/mass", .extendMany),
        read("/inApps/v1/subscriptions/extend/mass/{product}/{request}", .massExtension),
        change(.put, "/inApps/v1/transactions/consumption/{id}", .informFirst),
        change(.put, "/inApps/v2/transactions/consumption/{id}", .inform),
        change(.put, "/inApps/v1/transactions/{id}/appAccountToken", .setAccountToken),
        change(.post, "/inApps/v1/transactions/{id}/finish", .finish),
        Row(
            method: .post, pattern: "/inApps/v1/notifications/test",
            permission: .sendNotifications, operation: .sendTest),
        Row(
            method: .get, pattern: "/inApps/v1/notifications/test/{token}",
            permission: .viewNotifications, operation: .checkTest),
        Row(
            method: .post, pattern: "/inApps/v1/notifications/history",
            permission: .viewNotifications, operation: .notificationHistory),
        change(.put, imagePattern, .addImage),
        change(.delete, imagePattern, .deleteImage),
        read("/inApps/v1/messaging/image/list", .images),
        change(.put, "/inApps/v1/messaging/message/{uuid}", .addMessage),
        change(.delete, "/inApps/v1/messaging/message/{uuid}", .deleteMessage),
        read("/inApps/v1/messaging/message/list", .messages),
        change(.put, "/inApps/v1/messaging/default/{product}/{locale}", .setDefaultMessage),
        change(.delete, "/inApps/v1/messaging/default/{product}/{locale}", .deleteDefaultMessage),
        read("/inApps/v1/messaging/default/{product}/{locale}", .defaultMessage),
        change(.put, "/inApps/v1/messaging/realtime/url", .setRealtimeURL),
        change(.delete, "/inApps/v1/messaging/realtime/url", .deleteRealtimeURL),
        read("/inApps/v1/messaging/realtime/url", .realtimeURL),
        change(.post, "/inApps/v1/messaging/performanceTest", .beginPerformanceTest),
        read("/inApps/v1/messaging/performanceTest/result/{uuid}", .performanceTest),
    ]

    /// Of the only requests with large bodies.
    private static let imagePattern = "/inApps/v1/messaging/image/{uuid}"

    /// The largest body that a path takes, in bytes, where that is more than usual.
    package static func largestBody(_ path: String) -> Int? {
        let beginning = imagePattern.dropLast("{uuid}".count)
        let isImage = StoreEnvironment.allCases.contains {
            path.hasPrefix(scalars: $0.pathPrefix + beginning)
        }
        return isImage ? RetentionRules.imageSize : nil
    }

    private static func read(_ pattern: String, _ operation: ServerOperation) -> Row {
        Row(method: .get, pattern: pattern, permission: .viewTransactions, operation: operation)
    }

    private static func change(
        _ method: HTTPMethod, _ pattern: String, _ operation: ServerOperation
    ) -> Row {
        Row(
            method: method, pattern: pattern, permission: .manageTransactions,
            operation: operation)
    }
}

/// What a route does.
package enum ServerOperation: String, Sendable, Hashable, CaseIterable {
    case transaction
    case appTransaction
    case history
    case refunds
    case order
    case statuses
    case extend
    case extendMany
    case massExtension
    case informFirst
    case inform
    case setAccountToken
    case finish
    case sendTest
    case checkTest
    case notificationHistory
    case addImage
    case deleteImage
    case images
    case addMessage
    case deleteMessage
    case messages
    case setDefaultMessage
    case deleteDefaultMessage
    case defaultMessage
    case setRealtimeURL
    case deleteRealtimeURL
    case realtimeURL
    case beginPerformanceTest
    case performanceTest
}
