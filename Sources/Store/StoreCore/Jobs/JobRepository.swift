import Foundation

/// Jobs of the store, and who has them.
package struct JobRepository {
    let connection: any SQLConnection

    /// Nil for one that was never taken.
    package func standing(of job: StoreJob) throws -> JobStanding? {
        try connection.row(
            "SELECT holder, lease_end, last FROM job WHERE name = ?1", [.text(job.rawValue)]
        ) { row in
            JobStanding(
                holder: row.optionalText(0), leaseEnd: row.date(1),
                last: row.isNull(2) ? nil : row.date(2))
        }
    }

    /// When the last thing happened that the database knows of; nil where nothing has.
    package func lastEvent() throws -> Date? {
        // The last rows, without reading all of them.
        let dates = try connection.rows(
            """
            SELECT (SELECT date FROM ledger ORDER BY id DESC LIMIT 1)
            UNION ALL SELECT (SELECT date FROM device_event ORDER BY id DESC LIMIT 1)
            UNION ALL SELECT (SELECT date FROM audit ORDER BY id DESC LIMIT 1)
            """, []
        ) { $0.isNull(0) ? nil : $0.date(0) }
        return dates.compactMap { $0 }.max()
    }

    package func save(_ standing: JobStanding, of job: StoreJob) throws {
        try connection.run(
            """
            INSERT INTO job (name, holder, lease_end, last) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder,
                lease_end = excluded.lease_end, last = excluded.last
            """,
            [
                .text(job.rawValue), .text(standing.holder), .date(standing.leaseEnd),
                .date(standing.last),
            ])
    }
}
