import Foundation
import StoreCore
import StoreModel
import StoreWire

/// The commands about what apps' servers are told.
enum NotificationCommands {
    static let path = "/openstore/v1/notifications"

    static let environment: CommandSpec.Option = .value(
        "environment", "NAME", "production or sandbox; production unless given.")

    /// The environment as the API has it.
    ///
    /// - Throws: `UsageError`.
    static func environment(_ arguments: ParsedArguments) throws -> String {
        let found = try arguments.value(
            "environment", "production or sandbox", { StoreEnvironment(word: $0) })
        return (found ?? .production).rawValue.uppercased()
    }

    static let columns: [ConnectRenderer.Column] = [
        .id, .attribute("TYPE", "notificationType"), .attribute("SUBTYPE", "subtype"),
        .attribute("DATE", "createdDate"), .attribute("STATE", "state"),
        .attribute("ATTEMPTS", "attemptCount"), .attribute("NEXT", "nextAttemptDate"),
    ]

    static let attemptColumns: [ConnectRenderer.Column] = [
        .attribute("DATE", "attemptDate"), .attribute("RESULT", "result"),
        .attribute("STATUS", "status"), .attribute("MS", "milliseconds"),
        .attribute("ASKED FOR", "replay"), .attribute("URL", "url"),
        .attribute("DETAIL", "detail"),
    ]
}

extension CommandSpec.Argument {
    static let notification = CommandSpec.Argument(
        name: "ID", help: "The notification's number, as openstore notification list shows it.")
}

/// `openstore notification list`
enum NotificationList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["notification", "list"],
        summary: "List an app's server notifications, the newest first.",
        arguments: [.app],
        options: [
            NotificationCommands.environment,
            .value("type", "TYPE", "Only those of a type, such as DID_RENEW."),
            .flag("failed", "Only those that were sent and not delivered."), .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let type = try arguments.value("type", "a type of notifications, such as DID_RENEW") {
            NotificationType(rawValue: $0.uppercased())
        }
        var query = [
            "filter[environment]": try NotificationCommands.environment(arguments),
            "filter[app]": try await connect.app(arguments.argument(0)).id,
        ]
        query["filter[notificationType]"] = type?.rawValue
        if arguments.has("failed") { query["filter[failed]"] = "true" }
        connect.show.list(
            try await connect.api.list(
                NotificationCommands.path, query, limit: connect.limit()),
            NotificationCommands.columns, empty: "There are no notifications.")
    }
}

/// `openstore notification show`
enum NotificationShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["notification", "show"],
        summary: "Show a notification's payload and its delivery attempts.",
        arguments: [.notification])

    static func run(_ connect: ConnectContext) async throws {
        let path = "\(NotificationCommands.path)/\(connect.arguments.argument(0))"
        let notification = try await connect.api.show(path)
        let attempts = try await connect.api.list("\(path)/attempts")
        guard connect.show.isForPeople else {
            guard connect.arguments.has("json"), var members = notification.members else {
                return connect.show.one(notification, [])
            }
            var attributes = members["attributes"]?.members ?? [:]
            attributes["attempts"] = .array(attempts.map { $0["attributes"] ?? .null })
            members["attributes"] = .object(attributes)
            return connect.show.one(.object(members), [])
        }
        connect.show.one(
            notification,
            NotificationCommands.columns + [
                .attribute("UUID", "notificationUUID"), .attribute("ENVIRONMENT", "environment"),
                .attribute("TRANSACTION", "transactionId"),
            ])
        for (title, name) in [
            ("Payload", "payload"), ("Transaction", "transactionInfo"),
            ("Renewal information", "renewalInfo"),
        ] {
            let text = notification.attribute(name)
            if !text.isEmpty { connect.output.line("\n\(title)\n\(text)") }
        }
        connect.output.line("\nAttempts")
        connect.show.list(
            attempts, NotificationCommands.attemptColumns, empty: "It was not sent yet.")
    }
}

/// `openstore notification resend`
enum NotificationResend: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["notification", "resend"],
        summary: "Send a notification again, and report the result.",
        discussion: """
            It keeps its UUID, and is signed again. The automatic retries stay as they were, unless
            it is delivered.
            """,
        arguments: [.notification], options: [NotificationAttempt.noWait])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        let known = try await NotificationAttempt.count(of: id, connect)
        let replay = try await connect.api.create(
            "notificationReplays", at: "/openstore/v1/notificationReplays", [:],
            relationships: ["notification": (type: "notifications", id: id)])
        try await NotificationAttempt.report(
            on: id, behind: known, asked: replay, "Notification \(id) is sent again.", connect)
    }
}

/// `openstore notification test`
enum NotificationTest: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["notification", "test"],
        summary: "Send an app's server a test notification, and report the result.",
        arguments: [.app],
        options: [NotificationCommands.environment, NotificationAttempt.noWait])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let environment = try NotificationCommands.environment(arguments)
        let app = try await connect.app(arguments.argument(0)).id
        let made = try await connect.api.create(
            "notifications", at: NotificationCommands.path,
            ["environment": .string(environment)], relationships: ["app": (type: "apps", id: app)])
        try await NotificationAttempt.report(
            on: made.id, behind: 0, asked: made, "Test notification \(made.id) is sent.", connect)
    }
}
