import Foundation
import StoreDatabase
import StoreModel

extension RenewalRepository {
    package func insert(_ renewal: RenewalExtension) throws { try connection.insert(renewal) }

    /// What was extended under a request's identifier.
    package func `extension`(of original: TransactionID, request: String) throws
        -> RenewalExtension?
    {
        try connection.first(
            RenewalExtension.self, "WHERE original = \(original) AND request = \(request)")
    }

    /// How often a subscription was extended since a date.
    package func extensions(of original: TransactionID, since date: Date) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM ledger_extension WHERE original = \(original) AND date >= \(date)
            """) ?? 0
    }

    /// How often a period was extended.
    func extensions(ofPeriod period: TransactionID) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM ledger_extension WHERE period = \(period)") ?? 0
    }

    // MARK: Many

    package func massExtension(
        _ request: String, app: AppID, in environment: StoreEnvironment
    ) throws -> MassExtension? {
        try connection.first(
            MassExtension.self,
            "WHERE app = \(app) AND environment = \(environment) AND request = \(request)")
    }

    /// The oldest that is not complete. One that can't be read keeps no other waiting.
    package func waitingMassExtension() throws -> MassExtension? {
        try connection.results(
            MassExtension.self, by: AppScope.self,
            """
            SELECT \(MassExtension.columns) FROM mass_extension WHERE completed IS NULL
            ORDER BY date LIMIT 100
            """
        ).lazy.compactMap { try? $0.value.get() }.first
    }

    package func unfinishedMassExtensions(of app: AppID, in environment: StoreEnvironment) throws
        -> Int
    {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM mass_extension
            WHERE app = \(app) AND environment = \(environment) AND completed IS NULL
            """) ?? 0
    }

    /// When requests of an app came after a date, the newest first.
    package func massExtensions(
        of app: AppID, in environment: StoreEnvironment, since date: Date, limit: Int
    ) throws -> [Date] {
        try connection.values(
            Date.self,
            """
            SELECT date FROM mass_extension
            WHERE app = \(app) AND environment = \(environment) AND date > \(date)
            ORDER BY date DESC LIMIT \(limit)
            """)
    }

    package func insert(_ work: MassExtension) throws { try connection.insert(work) }

    /// Records how far one has come.
    package func update(_ work: MassExtension) throws { try connection.update(work) }
}
