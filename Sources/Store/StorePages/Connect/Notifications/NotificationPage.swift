import StoreCore
import StoreModel

/// A notification: what it says, and what was tried to deliver it.
enum NotificationPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try page(try await notification(call), call))
    }

    static func resend(_ call: PortalCall) async throws -> PortalAnswer {
        let sent = try await notification(call)
        return try await call.submit {
            let asked = try await call.services.notifications.service.resend(
                sent.content.notification.id, by: call.actor)
            return .redirect(
                to: NotificationStrings.path(asked),
                notice: "It is being sent again; reload this page to see what came of it.")
        } again: {
            try page(sent, call, $0)
        }
    }

    /// The notification that the path names, of the app that it names.
    private static func notification(_ call: PortalCall) async throws -> SentNotification {
        let app = try await AppTabs.app(call).app
        let text = call.parameter(1)
        guard let number = ProductNumber(text)?.number else {
            throw ConnectRefusal.notFound("notification", String(text.prefix(40)))
        }
        let found = try await call.services.notifications.service.notification(
            NotificationID(number: number), by: call.actor)
        guard found.content.app.id == app.id else {
            throw ConnectRefusal.notFound("notification", String(text.prefix(40)))
        }
        return found
    }

    // MARK: The page

    /// - Parameter form: of the button, where that was refused.
    private static func page(
        _ sent: SentNotification, _ call: PortalCall, _ form: PortalForm? = nil
    ) throws -> PortalPage {
        let content = sent.content
        let text = try call.services.notifications.text(content)
        var page = PortalPage(
            NotificationStrings.kind(content.notification.details),
            [
                form?.notices ?? .nothing, facts(content.notification),
                attempts(sent.attempts), panel("Payload", text.payload),
                text.transaction.map { panel("Transaction", $0) } ?? .nothing,
                text.renewal.map { panel("Renewal information", $0) } ?? .nothing,
            ], in: .apps)
        page.kind = "Notification"
        page.badge = NotificationStrings.badge(content.notification.status).html
        page.trail =
            AppTabs.trail(content.app)
            + [.init("Notifications", NotificationStrings.path(content.app.id))]
        if call.actor.allows(.sendNotifications) {
            page.actions = [
                PortalForm(call).button(
                    "Send Again", to: "\(NotificationStrings.path(content.notification))/resend",
                    look: .primary)
            ]
        }
        return page
    }

    private static func facts(_ notification: StoreNotification) -> HTML {
        let details = notification.details
        var facts: [(name: String, value: HTML)] = [
            ("UUID", .element("code", notification.uuid)),
            ("Date", PortalFormatting.time(notification.date)),
            ("Environment", .text(NotificationStrings.title(details.environment))),
        ]
        if let transaction = details.transaction {
            facts.append(("Transaction", .element("code", transaction.description)))
        }
        if let due = notification.status.due {
            facts.append(("Next attempt", PortalFormatting.time(due)))
        }
        return PortalFacts(facts).html
    }

    private static func attempts(_ attempts: [SendAttempt]) -> HTML {
        PortalPanel(
            "Attempts",
            [
                PortalTable(
                    "Attempts",
                    columns: [
                        .init("Date"), .init("Address"), .init("Result"), .init("Status"),
                        .init("Took", isNumber: true),
                    ],
                    rows: attempts.map { attempt in
                        [
                            .group([
                                PortalFormatting.time(attempt.date),
                                attempt.isReplay
                                    ? .element("span", class: "quiet under", "Asked for")
                                    : .nothing,
                            ]),
                            attempt.url.isEmpty
                                ? .text("—") : .element("code", [], [.foreign(attempt.url)]),
                            .group([
                                result(attempt.outcome.result),
                                attempt.outcome.detail.isEmpty
                                    ? .nothing
                                    : .element(
                                        "span", class: "quiet under",
                                        [.foreign(attempt.outcome.detail)]),
                            ]),
                            .text(attempt.outcome.status.map { "\($0)" } ?? "—"),
                            .text(milliseconds(attempt.duration)),
                        ]
                    },
                    none: ("Not sent yet", "It is sent within seconds; reload this page.")
                ).html()
            ]
        ).html
    }

    private static func result(_ result: SendResult) -> HTML {
        PortalBadge(result.rawValue, result == .success ? .good : .bad).html
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }

    private static func panel(_ title: String, _ json: String) -> HTML {
        PortalPanel(
            title,
            [
                .element(
                    "pre",
                    [
                        .init("class", "json"), .init("tabindex", "0"),
                        .init("role", "region"), .init("aria-label", title),
                    ], [.foreign(json)])
            ]
        ).html
    }
}
