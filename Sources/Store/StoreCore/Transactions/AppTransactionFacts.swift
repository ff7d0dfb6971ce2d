import Foundation
import StoreModel

/// Everything that a signed app transaction says.
package struct AppTransactionFacts: Sendable, Hashable {
    package let transaction: AppTransaction
    package let app: App
    /// The version that customers get today.
    package let version: String
    /// The number of the version, as customers got one after the other; 0 where there is none.
    package let versionNumber: Int64
    /// When the account had the app first, and in which version.
    package let originalDate: Date
    package let originalVersion: String
}

extension AppTransactionFacts {
    /// The first version and day of every app in Apple's sandbox.
    package static let sandboxVersion = "1.0"
    package static let sandboxDate = Date(timeIntervalSince1970: 1_375_340_400)
}

extension StoreRepositories {
    /// What a signed app transaction says.
    package func appTransactionFacts(of transaction: AppTransaction, in app: App) throws
        -> AppTransactionFacts
    {
        // Oldest first, as customers got them.
        let released = try appVersions.versions(of: app.id)
            .compactMap { version in version.released.map { (date: $0, version: version.version) } }
            .sorted { $0.date < $1.date }
        let isSandbox = transaction.environment == .sandbox
        let first = released.last { $0.date <= transaction.date } ?? released.first
        return AppTransactionFacts(
            transaction: transaction, app: app,
            version: released.last?.version.description ?? AppTransactionFacts.sandboxVersion,
            versionNumber: isSandbox ? 0 : Int64(released.count),
            originalDate: isSandbox ? AppTransactionFacts.sandboxDate : transaction.date,
            originalVersion: isSandbox
                ? AppTransactionFacts.sandboxVersion
                : first?.version.description ?? AppTransactionFacts.sandboxVersion)
    }
}
