import StoreCore
import StoreModel

/// The views of an app. A subject that adds one names its page here.
enum AppTabs {
    private static let tabs: [(title: String, pattern: String)] = [
        ("Overview", "/apps/{id}"), ("In-App Purchases", "/apps/{id}/products"),
        ("Submissions", "/apps/{id}/submissions"), ("Shared Secret", "/apps/{id}/secret"),
        ("Notifications", "/apps/{id}/notifications"),
        ("App Information", "/apps/{id}/information"),
    ]

    /// The tabs that somebody may open.
    ///
    /// - Parameter current: the pattern of the one that is shown.
    static func html(of app: App, current: String, _ call: PortalCall) -> HTML {
        let open = tabs.filter { tab in
            PortalRouteTable.routes.contains { route in
                guard route.method == .get, route.pattern == tab.pattern,
                    case .permission(let permission) = route.access
                else { return false }
                return call.actor.allows(permission)
            }
        }
        func path(_ pattern: String) -> String {
            PortalRoutes.prefix + pattern.replacing(scalars: "{id}", with: String(app.id.number))
        }
        return PortalTabs(app.name, open.map { ($0.title, path($0.pattern)) })
            .html(current: path(current))
    }

    /// The app in the path of a page.
    static func app(_ call: PortalCall) async throws -> AppRecord {
        guard let number = TransactionID(call.id)?.number else {
            throw ConnectRefusal.notFound("app", call.id)
        }
        return try await call.services.apps.app(AppID(number: number), by: call.actor)
    }

    /// The pages above one of an app's.
    static func trail(_ app: App) -> [PortalPage.Crumb] {
        [.init("Apps", PortalSection.apps.path), .init(app.name, AppPages.path(app.id))]
    }
}
