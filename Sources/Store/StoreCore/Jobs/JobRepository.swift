import Foundation
import StoreDatabase

/// Jobs of the store, and who has them.
package struct JobRepository {
    let connection: any SQLConnection

    /// Nil for one that was never taken.
    package func status(of job: StoreJob) throws -> JobLease? {
        try connection.first(JobLease.self, "WHERE name = \(job)")
    }

    /// When the last thing happened that the database knows of; nil where nothing has.
    package func lastEvent() throws -> Date? {
        // The last rows, without reading all of them.
        let dates = try connection.values(
            Date?.self,
            """
            SELECT (SELECT date FROM ledger ORDER BY id DESC LIMIT 1)
            UNION ALL SELECT (SELECT date FROM device_event ORDER BY id DESC LIMIT 1)
            UNION ALL SELECT (SELECT date FROM audit ORDER BY id DESC LIMIT 1)
            """)
        return dates.compactMap { $0 }.max()
    }

    package func save(_ status: JobLease, of job: StoreJob) throws {
        try connection.save(status, with: OtherColumn("name", job, .key))
    }
}

extension StoreRepositories {
    /// What the store does by itself.
    package var jobs: JobRepository { JobRepository(connection: connection) }
}
