import Foundation
import StoreModel

/// Packages on their way into the store.
package struct UploadRepository {
    let connection: any SQLConnection

    package func upload(_ id: UploadID) throws -> PackageUpload? {
        try connection.row(
            """
            SELECT u.id, a.id, a.bundle_id, p.product_id, a.team, u.file_name, u.size,
                u.part_size, u.digest, u.state, u.created, u.changed, u.earlier_state,
                u.attempts, u.processed, u.version, b.id
            FROM content_upload u LEFT JOIN product p ON p.id = u.product
                LEFT JOIN app_build b ON b.number = u.build
                LEFT JOIN app_version v ON v.number = b.version
                JOIN app a ON a.id = coalesce(p.app, v.app)
            WHERE u.id = ?1
            """, [.text(id.text)], read)
    }

    /// Those of a product or a build, the newest first.
    package func uploads(of subject: UploadSubject, in app: AppID, limit: Int) throws
        -> [PackageUpload]
    {
        let (column, id) = try row(of: subject, in: app)
        guard let id else { return [] }
        return try connection.rows(
            """
            SELECT u.id, a.id, a.bundle_id, p.product_id, a.team, u.file_name, u.size,
                u.part_size, u.digest, u.state, u.created, u.changed, u.earlier_state,
                u.attempts, u.processed, u.version, b.id
            FROM content_upload u LEFT JOIN product p ON p.id = u.product
                LEFT JOIN app_build b ON b.number = u.build
                LEFT JOIN app_version v ON v.number = b.version
                JOIN app a ON a.id = coalesce(p.app, v.app)
            WHERE (u.product = ?1 AND ?2 = 'product') OR (u.build = ?1 AND ?2 = 'build')
            ORDER BY u.created DESC, u.id LIMIT ?3
            """, [.integer(id), .text(column), .integer(limit)], read)
    }

    /// How many uploads of a team wait for parts.
    package func openCount(of team: Int64) throws -> Int {
        let count = try connection.row(
            """
            SELECT count(*)
            FROM content_upload u LEFT JOIN product p ON p.id = u.product
                LEFT JOIN app_build b ON b.number = u.build
                LEFT JOIN app_version v ON v.number = b.version
                JOIN app a ON a.id = coalesce(p.app, v.app)
            WHERE a.team = ?1 AND u.state = 'AWAITING_UPLOAD'
            """, [.integer(team)]
        ) { $0.integer(0) }
        return Int(count ?? 0)
    }

    /// Bytes that these were announced with.
    package func openBytes(of team: Int64) throws -> Int64 {
        try connection.row(
            """
            SELECT ifnull(sum(u.size), 0)
            FROM content_upload u LEFT JOIN product p ON p.id = u.product
                LEFT JOIN app_build b ON b.number = u.build
                LEFT JOIN app_version v ON v.number = b.version
                JOIN app a ON a.id = coalesce(p.app, v.app)
            WHERE a.team = ?1 AND u.state = 'AWAITING_UPLOAD'
            """, [.integer(team)]
        ) { $0.integer(0) } ?? 0
    }

    /// Bytes that uploads which wait for parts have not got yet.
    package func promisedBytes() throws -> Int64 {
        try connection.row(
            """
            SELECT ifnull(sum(max(0, size - part_size
                * (SELECT count(*) FROM content_upload_part p WHERE p.upload = u.id))), 0)
            FROM content_upload u WHERE state = 'AWAITING_UPLOAD'
            """, []
        ) { $0.integer(0) } ?? 0
    }

    package func insert(_ draft: UploadDraft, partSize: Int64, app: AppID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO content_upload (id, product, build, file_name, size, digest, part_size,
                state, created, changed)
            VALUES (?1, (SELECT id FROM product WHERE app = ?2 AND product_id = ?3),
                (SELECT number FROM app_build WHERE id = ?4), ?5, ?6, ?7, ?8, 'AWAITING_UPLOAD',
                ?9, ?9)
            """,
            [
                .text(draft.id.text), .integer(app.number), .text(draft.subject.product?.text),
                .text(draft.subject.build?.text), .text(draft.fileName), .integer(draft.size),
                .text(draft.digest.text), .integer(partSize), .date(date),
            ])
    }

    /// The column that a subject stands in, and its number there; `nil` if there is none.
    private func row(
        of subject: UploadSubject, in app: AppID
    ) throws -> (column: String, number: Int64?) {
        switch subject {
        case .product(let id):
            let number = try connection.row(
                "SELECT id FROM product WHERE app = ?1 AND product_id = ?2",
                [.integer(app.number), .text(id.text)]
            ) { $0.integer(0) }
            return ("product", number)
        case .build(let id):
            let number = try connection.row(
                """
                SELECT b.number FROM app_build b JOIN app_version v ON v.number = b.version
                WHERE v.app = ?1 AND b.id = ?2
                """, [.integer(app.number), .text(id.text)]
            ) { $0.integer(0) }
            return ("build", number)
        }
    }

    /// Deletes an upload with its parts and problems.
    package func delete(_ id: UploadID) throws {
        try connection.run("DELETE FROM content_upload WHERE id = ?1", [.text(id.text)])
    }

    /// Those that nothing has happened to since a date.
    package func ids(in states: [UploadState], unchangedSince date: Date) throws -> [UploadID] {
        try states.flatMap { state in
            try connection.rows(
                "SELECT id FROM content_upload WHERE state = ?1 AND changed <= ?2",
                [.text(state.rawValue), .date(date)]
            ) { try $0.value(0) { UploadID($0) } }
        }
    }

    /// Every upload, whatever its state.
    package func ids() throws -> [UploadID] {
        try connection.rows("SELECT id FROM content_upload", []) {
            try $0.value(0) { UploadID($0) }
        }
    }

    // MARK: Parts

    /// The parts that have arrived.
    package func parts(of id: UploadID) throws -> [Int: ContentDigest] {
        let rows = try connection.rows(
            "SELECT number, digest FROM content_upload_part WHERE upload = ?1", [.text(id.text)]
        ) { row in (Int(row.integer(0)), try row.value(1) { ContentDigest($0) }) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package func record(
        part number: Int, digest: ContentDigest, of id: UploadID, at date: Date
    ) throws {
        try connection.run(
            """
            INSERT INTO content_upload_part (upload, number, digest) VALUES (?1, ?2, ?3)
            ON CONFLICT (upload, number) DO UPDATE SET digest = excluded.digest
            """, [.text(id.text), .integer(number), .text(digest.text)])
        try touch(id, at: date)
    }

    package func deleteParts(_ numbers: [Int], of id: UploadID, at date: Date) throws {
        for number in numbers {
            try connection.run(
                "DELETE FROM content_upload_part WHERE upload = ?1 AND number = ?2",
                [.text(id.text), .integer(number)])
        }
        try touch(id, at: date)
    }

    private func touch(_ id: UploadID, at date: Date) throws {
        try connection.run(
            "UPDATE content_upload SET changed = ?2 WHERE id = ?1", [.text(id.text), .date(date)])
    }

    // MARK: Processing

    /// Lets an upload that waits for parts be processed.
    ///
    /// - Parameter earlierState: of its product; `nil` for builds.
    package func close(_ id: UploadID, earlierState: ProductState?, at date: Date) throws {
        try connection.run(
            """
            UPDATE content_upload SET state = 'UPLOAD_COMPLETE', earlier_state = ?2, changed = ?3
            WHERE id = ?1 AND state = 'AWAITING_UPLOAD'
            """, [.text(id.text), .text(earlierState?.rawValue), .date(date)])
    }

    /// Whether a file of the product or build is being processed.
    package func isProcessing(_ subject: UploadSubject, in app: AppID) throws -> Bool {
        let (column, id) = try row(of: subject, in: app)
        guard let id else { return false }
        return try connection.row(
            """
            SELECT 1 FROM content_upload WHERE state = 'UPLOAD_COMPLETE'
                AND ((product = ?1 AND ?2 = 'product') OR (build = ?1 AND ?2 = 'build'))
            """, [.integer(id), .text(column)]
        ) { _ in true } ?? false
    }

    /// The upload that has waited longest for being processed; nil where all that wait are
    /// being worked on.
    package func waiting(at date: Date) throws -> PackageUpload? {
        try connection.row(
            """
            SELECT u.id, a.id, a.bundle_id, p.product_id, a.team, u.file_name, u.size,
                u.part_size, u.digest, u.state, u.created, u.changed, u.earlier_state,
                u.attempts, u.processed, u.version, b.id
            FROM content_upload u LEFT JOIN product p ON p.id = u.product
                LEFT JOIN app_build b ON b.number = u.build
                LEFT JOIN app_version v ON v.number = b.version
                JOIN app a ON a.id = coalesce(p.app, v.app)
            WHERE u.state = 'UPLOAD_COMPLETE' AND (u.lease_ends IS NULL OR u.lease_ends <= ?1)
            ORDER BY u.changed, u.id LIMIT 1
            """, [.date(date)], read)
    }

    /// How many wait for being processed, or are.
    package func waitingCount() throws -> Int {
        try connection.row(
            "SELECT count(*) FROM content_upload WHERE state = 'UPLOAD_COMPLETE'", []
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Gives an upload to a process for some time, and counts the attempt.
    package func lease(_ id: UploadID, to holder: String, until end: Date) throws {
        try connection.run(
            """
            UPDATE content_upload
            SET lease_holder = ?2, lease_ends = ?3, attempts = attempts + 1, processed = 0
            WHERE id = ?1
            """, [.text(id.text), .text(holder), .date(end)])
    }

    /// Prolongs the time of the process that has it.
    ///
    /// - Returns: false where another one has it, or it is processed already.
    package func renew(
        _ id: UploadID, by holder: String, until end: Date, processed: Int64
    ) throws -> Bool {
        try connection.row(
            """
            UPDATE content_upload SET lease_ends = ?3, processed = ?4
            WHERE id = ?1 AND lease_holder = ?2 RETURNING 1
            """, [.text(id.text), .text(holder), .date(end), .integer(processed)]
        ) { _ in true } ?? false
    }

    /// Lets the upload be taken again from a date on.
    ///
    /// - Parameter countsAttempt: whether the attempt that ends here counts.
    package func giveBack(
        _ id: UploadID, by holder: String, until date: Date, countsAttempt: Bool
    ) throws {
        try connection.run(
            """
            UPDATE content_upload
            SET lease_ends = ?3, attempts = max(0, attempts - ?4), processed = 0
            WHERE id = ?1 AND lease_holder = ?2
            """,
            [.text(id.text), .text(holder), .date(date), .integer(countsAttempt ? 0 : 1)])
    }

    package func isLeased(_ id: UploadID, to holder: String) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM content_upload WHERE id = ?1 AND lease_holder = ?2",
            [.text(id.text), .text(holder)]
        ) { _ in true } ?? false
    }

    /// Records what became of it.
    package func complete(_ id: UploadID, as version: ContentVersion, at date: Date) throws {
        try connection.run(
            """
            UPDATE content_upload SET state = 'COMPLETE', version = ?2, changed = ?3,
                lease_holder = NULL, lease_ends = NULL
            WHERE id = ?1
            """, [.text(id.text), .text(version.text), .date(date)])
        try deleteParts(of: id)
    }

    package func fail(_ id: UploadID, problems: [ContentProblem], at date: Date) throws {
        try connection.run(
            """
            UPDATE content_upload SET state = 'FAILED', changed = ?2, lease_holder = NULL,
                lease_ends = NULL
            WHERE id = ?1
            """, [.text(id.text), .date(date)])
        try deleteParts(of: id)
        for (position, problem) in problems.enumerated() {
            try connection.run(
                "INSERT INTO content_upload_problem VALUES (?1, ?2, ?3, ?4, ?5)",
                [
                    .text(id.text), .integer(position), .text(problem.path), .text(problem.rule),
                    .text(problem.advice),
                ])
        }
    }

    private func deleteParts(of id: UploadID) throws {
        try connection.run(
            "DELETE FROM content_upload_part WHERE upload = ?1", [.text(id.text)])
    }

    package func problems(of id: UploadID) throws -> [ContentProblem] {
        try connection.rows(
            """
            SELECT path, rule, advice FROM content_upload_problem
            WHERE upload = ?1 ORDER BY position
            """, [.text(id.text)]
        ) { ContentProblem(path: $0.text(0), rule: $0.text(1), advice: $0.text(2)) }
    }

    private func read(_ row: any SQLRow) throws -> PackageUpload {
        PackageUpload(
            id: try row.value(0) { UploadID($0) }, app: AppID(number: row.integer(1)),
            bundleID: try row.value(2) { BundleID($0) },
            subject: try row.isNull(16)
                ? .product(row.value(3) { ProductID($0) })
                : .build(row.value(16) { AppBuildID($0) }),
            team: row.integer(4),
            fileName: row.text(5),
            parts: UploadParts(size: row.integer(6), partSize: row.integer(7)),
            digest: try row.value(8) { ContentDigest($0) },
            state: try row.value(9, UploadState.init(rawValue:)), created: row.date(10),
            changed: row.date(11),
            earlierState: row.isNull(12)
                ? nil : try row.value(12, ProductState.init(rawValue:)),
            attempts: Int(row.integer(13)), processed: row.integer(14),
            version: row.isNull(15) ? nil : try row.value(15) { ContentVersion($0) })
    }
}
