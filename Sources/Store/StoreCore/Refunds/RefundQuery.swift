import Foundation
import StoreModel

/// Which requests for refunds are wanted.
package struct RefundQuery: Sendable, Hashable {
    /// The app's team; nil for all.
    package var team: Int64?
    package var app: AppID?
    package var environment: StoreEnvironment?
    /// Nil for what waits and what is decided.
    package var isWaiting: Bool?

    package init(
        team: Int64? = nil, app: AppID? = nil, environment: StoreEnvironment? = nil,
        isWaiting: Bool? = nil
    ) {
        self.team = team
        self.app = app
        self.environment = environment
        self.isWaiting = isWaiting
    }
}
