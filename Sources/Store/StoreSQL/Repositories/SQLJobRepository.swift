import Foundation
import StoreCore

struct SQLJobRepository: JobRepository {
    let connection: any SQLConnection

    func standing(of job: StoreJob) throws -> JobStanding? {
        try connection.row(
            "SELECT holder, lease_end, last FROM job WHERE name = ?1", [.text(job.rawValue)]
        ) { row in
            JobStanding(
                holder: row.optionalText(0), leaseEnd: row.date(1),
                last: row.isNull(2) ? nil : row.date(2))
        }
    }

    func save(_ standing: JobStanding, of job: StoreJob) throws {
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
