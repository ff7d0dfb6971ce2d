import StoreDatabase
import StoreModel

/// An app in one environment: what a publisher's server may ask about and is told of, and whose
/// devices hear together of what is for everybody.
package struct AppScope: Sendable, Hashable {
    package let app: AppID
    package let environment: StoreEnvironment

    package init(app: AppID, environment: StoreEnvironment) {
        self.app = app
        self.environment = environment
    }
}

extension AppScope: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        app = try column("app", \.app)
        environment = try column("environment", \.environment)
    }
}
