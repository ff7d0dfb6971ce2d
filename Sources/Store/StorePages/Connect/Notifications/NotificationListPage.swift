import StoreCore
import StoreModel

/// What an app's server was told, and where that goes.
enum NotificationListPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    // MARK: What its forms do

    static func test(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return try await call.submit {
            let environment = try environment(call.form["environment"])
            let made = try await call.services.notifications.service.sendTest(
                to: AppScope(app: app.id, environment: environment), by: call.actor)
            return .redirect(
                to: NotificationStrings.path(made),
                notice: "The test is being sent; reload this page to see what came of it.")
        } again: {
            try await page(call, test: $0)
        }
    }

    static func setAddresses(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return try await call.submit {
            var change = AppChange()
            func address(_ name: String) -> String? {
                let text = call.form[name]
                return text.isEmpty ? nil : text
            }
            change.statusURL = .some(address("subscriptionStatusUrl"))
            change.sandboxStatusURL = .some(address("subscriptionStatusUrlForSandbox"))
            _ = try await call.services.apps.update(app.id, change, by: call.actor)
            return .redirect(to: NotificationStrings.path(app.id), notice: "Saved.")
        } again: {
            try await page(call, addresses: $0)
        }
    }

    private static func environment(_ text: String) throws -> StoreEnvironment {
        guard let environment = StoreEnvironment(word: text) else {
            throw ConnectRefusal(
                .invalid, rule: "environmentUnknown", field: "environment",
                "There is no such environment.", help: "Choose one from the list.")
        }
        return environment
    }

    // MARK: The page

    /// - Parameters:
    ///   - test: the form for a test, where that was refused.
    ///   - addresses: the form with the addresses, where that was refused.
    private static func page(
        _ call: PortalCall, test: PortalForm? = nil, addresses: PortalForm? = nil
    ) async throws -> PortalPage {
        let record = try await AppTabs.app(call)
        let environment =
            call.query("environment").flatMap(StoreEnvironment.init(word:))
            ?? .production
        var query = NotificationQuery()
        query.onlyFailures = call.query("show") == "failures"
        query.type = call.query("type").flatMap(NotificationType.init(rawValue:))
        let found = try await call.services.notifications.service.notifications(
            of: AppScope(app: record.app.id, environment: environment), query,
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        var page = PortalPage(
            record.app.name,
            [
                filter(environment, query).html(call), table(found.items),
                PortalCursorPaging(
                    total: found.total, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
                call.actor.allows(.sendNotifications)
                    ? testing(record, environment, test ?? PortalForm(call)) : .nothing,
                call.actor.allows(.manageApps)
                    ? self.addresses(record, addresses ?? PortalForm(call)) : .nothing,
            ], in: .apps)
        page.kind = "App"
        page.badge = record.app.binaryState.badge.html
        page.trail = [.init("Apps", PortalSection.apps.path)]
        page.tabs = AppTabs.html(of: record.app, current: "/apps/{id}/notifications", call)
        page.lead = "What the store tells your server about purchases, and whether it arrived."
        return page
    }

    private static func filter(
        _ environment: StoreEnvironment, _ query: NotificationQuery
    ) -> PortalFilter {
        PortalFilter([
            .init(
                "environment", "Environment",
                StoreEnvironment.allCases.map {
                    PortalOption($0.word, NotificationStrings.title($0))
                }, chosen: environment.word),
            .init(
                "show", "Show",
                [.init("", "All"), .init("failures", "What has not arrived")],
                chosen: query.onlyFailures ? "failures" : ""),
            .init(
                "type", "Type",
                [.init("", "All")]
                    + NotificationType.allCases.map { PortalOption($0.rawValue, $0.rawValue) },
                chosen: query.type?.rawValue ?? ""),
        ])
    }

    private static func table(_ notifications: [StoreNotification]) -> HTML {
        PortalTable(
            "Notifications",
            columns: [
                .init("Notification"), .init("Date"), .init("State"),
                .init("Attempts", isNumber: true), .init("Next attempt"),
            ],
            rows: notifications.map { notification in
                [
                    .group([
                        .link(
                            NotificationStrings.path(notification),
                            notification.details.type.rawValue),
                        notification.details.subtype.map {
                            .element("span", class: "quiet under", $0.rawValue)
                        } ?? .nothing,
                    ]),
                    PortalFormatting.time(notification.date),
                    NotificationStrings.badge(notification.status).html,
                    .text("\(notification.status.attempts)"),
                    notification.status.due.map(PortalFormatting.time) ?? .text("—"),
                ]
            },
            none: (
                "No notifications",
                "What happens to purchases stands here once your server has an address below."
            )
        ).html()
    }

    private static func testing(
        _ record: AppRecord, _ environment: StoreEnvironment, _ form: PortalForm
    ) -> HTML {
        PortalPanel(
            "Test",
            [
                form.html(
                    "\(NotificationStrings.path(record.app.id))/test",
                    [
                        form.select(
                            "environment", "Environment",
                            StoreEnvironment.allCases.map {
                                PortalOption($0.word, NotificationStrings.title($0))
                            }, chosen: environment.word,
                            hint: "A notification of the type TEST goes to its address.",
                            isRequired: true),
                        form.actions("Send Test Notification"),
                    ], warnsUnsaved: false)
            ]
        ).html
    }

    private static func addresses(_ record: AppRecord, _ form: PortalForm) -> HTML {
        PortalPanel(
            "Addresses",
            [
                form.html(
                    "\(NotificationStrings.path(record.app.id))/addresses",
                    [
                        form.text(
                            "subscriptionStatusUrl", "Production",
                            record.attributes.statusURL?.url ?? "", as: .url,
                            hint: "Over HTTPS, port 443 or one from 1024 on. A failed attempt is "
                                + "followed by five more, the last after a week.", limit: 2000),
                        form.text(
                            "subscriptionStatusUrlForSandbox", "Sandbox",
                            record.attributes.sandboxStatusURL?.url ?? "", as: .url,
                            hint: "One attempt is all.", limit: 2000),
                        form.actions("Save"),
                    ])
            ]
        ).html
    }
}
