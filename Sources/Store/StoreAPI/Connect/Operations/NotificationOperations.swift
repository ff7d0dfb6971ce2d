import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// What apps' servers are told. Making one has a test sent.
    static let notifications = ResourceType(
        "notifications", at: "/openstore/v1/notifications", reading: .viewNotifications,
        shape: ResourceShape([
            "notificationUUID": .text(36...36),
            "notificationType": .choice(NotificationType.allCases.map(\.rawValue)),
            "subtype": .optional(.choice(NotificationSubtype.allCases.map(\.rawValue))),
            "environment": .choice(Self.environments),
            "state": .choice(NotificationStatus.State.allCases.map { $0.rawValue.uppercased() }),
            "attemptCount": .integer(0...1000), "createdDate": .dateTime,
            "nextAttemptDate": .optional(.dateTime), "transactionId": .optional(.text(1...20)),
            // Of one that is asked for by its identifier.
            "payload": .optional(.text(1...100_000)),
            "transactionInfo": .optional(.text(1...100_000)),
            "renewalInfo": .optional(.text(1...100_000)),
        ]),
        find: { call, id in
            let sent = try await call.services.notifications.notification(
                notification(id), by: call.actor)
            return Resource(
                sent.content.notification,
                try call.services.notificationSigner.text(of: sent.content))
        },
        relationships: [
            .one("app", to: "apps") { call, wanted in
                let sent = try await call.services.notifications.notification(
                    notification(wanted.id), by: call.actor)
                return Resource(
                    try await call.services.apps.app(sent.content.app.id, by: call.actor))
            },
            .many("attempts", to: "notificationAttempts") { call, wanted in
                let sent = try await call.services.notifications.notification(
                    notification(wanted.id), by: call.actor)
                return try ListPage(
                    of: sent.attempts.enumerated().map { number, attempt in
                        Resource(attempt, id: "\(wanted.id)-\(number + 1)")
                    }, wanted.page)
            },
        ])

    /// What was tried to deliver a notification.
    static let notificationAttempts = ResourceType(
        "notificationAttempts", reading: .viewNotifications,
        shape: ResourceShape([
            "attemptDate": .dateTime, "url": .text(0...2000),
            "result": .choice(SendResult.allCases.map(\.rawValue)),
            "status": .optional(.integer(100...999)), "detail": .optional(.text(1...1000)),
            "milliseconds": .integer(0...1_000_000), "replay": .flag,
        ]))

    /// Notifications that are to be sent once more.
    static let notificationReplays = ResourceType(
        "notificationReplays", at: "/openstore/v1/notificationReplays",
        reading: .sendNotifications,
        shape: ResourceShape(["notificationUUID": .text(36...36)]),
        relationships: [.one("notification", to: "notifications") { _, _ in nil }])

    static let environments = ["PRODUCTION", "SANDBOX"]

    static func notification(_ text: String) throws -> NotificationID {
        NotificationID(number: try ConnectCall.number(text, of: "notification"))
    }
}

extension Resource {
    /// - Parameter text: what it says; nil in lists.
    init(_ notification: StoreNotification, _ text: NotificationText? = nil) {
        let details = notification.details
        self.init(
            .notifications, id: notification.id.description,
            [
                "notificationUUID": .string(notification.uuid),
                "notificationType": .string(details.type.rawValue),
                "subtype": .text(details.subtype?.rawValue),
                "environment": .string(details.environment.rawValue.uppercased()),
                "state": .string(notification.status.state.rawValue.uppercased()),
                "attemptCount": .integer(notification.status.attempts),
                "createdDate": .time(notification.date),
                "nextAttemptDate": .time(notification.status.due),
                "transactionId": .text(details.transaction?.description),
                "payload": .text(text?.payload), "transactionInfo": .text(text?.transaction),
                "renewalInfo": .text(text?.renewal),
            ],
            links: ["app": [ResourceLink(type: "apps", id: String(details.app.number))]])
    }

    init(_ attempt: SendAttempt, id: String) {
        let duration = attempt.duration.components
        self.init(
            .notificationAttempts, id: id,
            [
                "attemptDate": .time(attempt.date), "url": .string(attempt.url),
                "result": .string(attempt.outcome.result.rawValue),
                "status": attempt.outcome.status.map { .integer($0) } ?? .null,
                "detail": .text(attempt.outcome.detail.isEmpty ? nil : attempt.outcome.detail),
                "milliseconds": .integer(
                    Int(duration.seconds * 1000 + duration.attoseconds / 1_000_000_000_000_000)),
                "replay": .bool(attempt.isReplay),
            ])
    }
}

extension ConnectOperation {
    static let notifications: [ConnectOperation] =
        reading(.notifications) + [
            .list(
                .notifications, .viewNotifications,
                filters: [
                    "environment": .choice(ResourceType.environments),
                    "notificationType": .choice(NotificationType.allCases.map(\.rawValue)),
                    "failed": .flag,
                ], searches: ["app": .text(1...20)]
            ) { call in
                let (lane, query) = try call.notificationQuery()
                return try await call.services.notifications.notifications(
                    of: lane, query, call.page(), by: call.actor
                ).map { Resource($0) }
            },
            .create(
                .notifications, .sendNotifications, required: ["environment", "app"]
            ) { call in
                let lane = AppScope(
                    app: AppID(
                        number: try ConnectCall.number(try call.data.one("app"), of: "app")),
                    environment: try call.data.value("environment", "PRODUCTION or SANDBOX") {
                        StoreEnvironment(word: $0)
                    })
                return Resource(
                    try await call.services.notifications.sendTest(to: lane, by: call.actor))
            },
            .create(
                .notificationReplays, .sendNotifications, required: ["notification"]
            ) { call in
                let asked = try await call.services.notifications.resend(
                    ResourceType.notification(try call.data.one("notification")), by: call.actor)
                return Resource(
                    .notificationReplays, id: asked.id.description,
                    ["notificationUUID": .string(asked.uuid)],
                    links: [
                        "notification": [
                            ResourceLink(type: "notifications", id: asked.id.description)
                        ]
                    ])
            },
        ]
}

extension ConnectCall {
    /// Which notifications are wanted: of one app, and of production unless said otherwise.
    fileprivate func notificationQuery() throws -> (AppScope, NotificationQuery) {
        guard let app = try query.one("app") else {
            throw ConnectRefusal(
                .invalid, rule: "appMissing", field: "filter[app]", "No app is named.",
                help: "Add filter[app] with the app's number.")
        }
        var wanted = NotificationQuery()
        wanted.onlyFailures = try query.one("failed") == "true"
        wanted.type = try query.one("notificationType").flatMap(NotificationType.init(rawValue:))
        let environment = try query.one("environment").flatMap(StoreEnvironment.init(word:))
        return (
            AppScope(
                app: AppID(number: try Self.number(app, of: "app")),
                environment: environment ?? .production),
            wanted
        )
    }
}
