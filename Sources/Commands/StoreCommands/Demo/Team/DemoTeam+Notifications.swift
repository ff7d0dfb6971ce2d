import Foundation
import StoreCore
import StoreModel

/// What the publisher's server is told. Nobody has its name (RFC 2606), so that a demo sends nothing
/// to anybody.
extension DemoTeam {
    private static let server = "https://backend.lighthouse-books.example/notifications"

    /// Gives the apps their server.
    func connectServer() async throws {
        var change = AppChange()
        change.statusURL = .some(Self.server)
        change.sandboxStatusURL = .some(Self.server + "?environment=sandbox")
        for name in ["bookshop", "stargazer"] {
            guard let app = apps[name] else { continue }
            _ = try await store.services.apps.update(
                app.id, change, by: try actor(.appManager))
        }
    }

    /// The server takes what it is sent but for one thing, which is due again in an hour.
    func deliverNotifications() async throws {
        let dispatch = NotificationDispatch(database: store.database, clock: clock)
        let assignments = try await dispatch.take(limit: 1000) { _ in 1000 }
        for (number, assignment) in assignments.enumerated() {
            let outcome =
                number == assignments.count / 2
                ? SendOutcome(.unsuccessfulStatus, status: 503) : SendOutcome(.success, status: 200)
            try await dispatch.record(
                outcome, of: assignment, start: clock.now(),
                duration: .milliseconds(80 + (number * 37) % 190))
        }
    }
}
