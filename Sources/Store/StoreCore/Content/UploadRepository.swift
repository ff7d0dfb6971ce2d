import Foundation
import StoreDatabase
import StoreModel

/// Packages on their way into the store.
package struct UploadRepository {
    let connection: any SQLConnection

    package func upload(_ id: UploadID) throws -> PackageUpload? {
        try connection.find(PackageUpload.self, id)
    }

    /// Those of a product or a build, the newest first.
    package func uploads(of subject: UploadSubject, in app: AppID, limit: Int) throws
        -> [PackageUpload]
    {
        guard let condition = try condition(for: subject, in: app) else { return [] }
        return try connection.all(
            PackageUpload.self, "WHERE \(condition) ORDER BY created DESC, id LIMIT \(limit)")
    }

    /// How many uploads of a team wait for parts.
    package func openCount(of team: Int64) throws -> Int {
        try connection.value(Int.self, "SELECT count(*) FROM \(open(of: team))") ?? 0
    }

    /// Bytes that these were announced with.
    package func openBytes(of team: Int64) throws -> Int64 {
        try connection.value(Int64.self, "SELECT ifnull(sum(size), 0) FROM \(open(of: team))") ?? 0
    }

    private func open(of team: Int64) -> SQL {
        "\(raw: PackageUpload.source) WHERE team = \(team) AND state = \(UploadState.awaitingUpload)"
    }

    /// Bytes that uploads will still take up: the parts that have not arrived, and what is made of
    /// the whole, which is at most about as large.
    package func promisedBytes() throws -> Int64 {
        try connection.value(
            Int64.self,
            """
            SELECT ifnull(sum(size + max(0, size - part_size
                * (SELECT count(*) FROM content_upload_part p WHERE p.upload = u.id))), 0)
            FROM content_upload u WHERE state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE')
            """) ?? 0
    }

    package func insert(_ upload: PackageUpload) throws {
        let (product, build) = try numbers(of: upload.subject, in: upload.app)
        try connection.insert(
            upload, with: OtherColumn("product", product), OtherColumn("build", build))
    }

    /// What the uploads of a subject have in common; `nil` if the app has no such subject.
    private func condition(for subject: UploadSubject, in app: AppID) throws -> SQL? {
        let (product, build) = try numbers(of: subject, in: app)
        return product.map { "product = \($0)" } ?? build.map { "build = \($0)" }
    }

    /// The number of a subject inside of the database; both are nil if the app has none.
    private func numbers(
        of subject: UploadSubject, in app: AppID
    ) throws -> (product: Int64?, build: Int64?) {
        switch subject {
        case .product(let id):
            let product = try connection.value(
                Int64.self, "SELECT id FROM product WHERE app = \(app) AND product_id = \(id)")
            return (product, nil)
        case .build(let id):
            let build = try connection.value(
                Int64.self,
                """
                SELECT b.number FROM app_build b JOIN app_version v ON v.number = b.version
                WHERE v.app = \(app) AND b.id = \(id)
                """)
            return (nil, build)
        }
    }

    /// Deletes an upload with its parts and problems.
    package func delete(_ id: UploadID) throws {
        try connection.run("DELETE FROM content_upload WHERE id = \(id)")
    }

    /// Those that nothing has happened to since a date.
    package func ids(in states: [UploadState], unchangedSince date: Date) throws -> [UploadID] {
        try states.flatMap { state in
            try connection.values(
                UploadID.self,
                "SELECT id FROM content_upload WHERE state = \(state) AND changed <= \(date)")
        }
    }

    /// Every upload, whatever its state.
    package func ids() throws -> [UploadID] {
        try connection.values(UploadID.self, "SELECT id FROM content_upload")
    }

    // MARK: Parts

    /// The parts that have arrived.
    package func parts(of id: UploadID) throws -> [Int: ContentDigest] {
        let parts = try connection.all(UploadedPart.self, "WHERE upload = \(id)")
        return Dictionary(parts.map { ($0.number, $0.digest) }) { _, last in last }
    }

    package func record(
        part number: Int, digest: ContentDigest, of id: UploadID, at date: Date
    ) throws {
        try connection.run(
            """
            INSERT INTO content_upload_part (upload, number, digest)
            VALUES (\(id), \(number), \(digest))
            ON CONFLICT (upload, number) DO UPDATE SET digest = excluded.digest
            """)
        try touch(id, at: date)
    }

    package func deleteParts(_ numbers: [Int], of id: UploadID, at date: Date) throws {
        for number in numbers {
            try connection.run(
                "DELETE FROM content_upload_part WHERE upload = \(id) AND number = \(number)")
        }
        try touch(id, at: date)
    }

    private func touch(_ id: UploadID, at date: Date) throws {
        try connection.run(
            "UPDATE content_upload SET changed = \(date) WHERE id = \(id)")
    }

    // MARK: Processing

    /// Lets an upload that waits for parts be processed.
    ///
    /// - Parameter earlierState: of its product; `nil` for builds.
    package func close(_ id: UploadID, earlierState: ProductState?, at date: Date) throws {
        try connection.run(
            """
            UPDATE content_upload SET state = 'UPLOAD_COMPLETE', earlier_state = \(earlierState),
                changed = \(date)
            WHERE id = \(id) AND state = 'AWAITING_UPLOAD'
            """)
    }

    /// Whether a file of the product or build is being processed.
    package func isProcessing(_ subject: UploadSubject, in app: AppID) throws -> Bool {
        guard let condition = try condition(for: subject, in: app) else { return false }
        return try connection.exists(
            "FROM content_upload WHERE state = 'UPLOAD_COMPLETE' AND \(condition)")
    }

    /// The upload that has waited longest for being processed; nil where all that wait are
    /// being worked on.
    package func waiting(at date: Date) throws -> PackageUpload? {
        // No lease is as long: the clock was ahead when it was given.
        let longest = date.addingTimeInterval(3600)
        return try connection.first(
            PackageUpload.self,
            """
            WHERE state = 'UPLOAD_COMPLETE'
                AND (lease_ends IS NULL OR lease_ends <= \(date) OR lease_ends > \(longest))
            ORDER BY changed, id
            """)
    }

    /// How many wait for being processed, or are.
    package func waitingCount() throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM content_upload WHERE state = 'UPLOAD_COMPLETE'") ?? 0
    }

    /// Gives an upload to a process for some time, and counts the attempt.
    package func lease(_ id: UploadID, to holder: String, until end: Date) throws {
        try connection.run(
            """
            UPDATE content_upload
            SET lease_holder = \(holder), lease_ends = \(end), attempts = attempts + 1,
                processed = 0
            WHERE id = \(id)
            """)
    }

    /// Prolongs the time of the process that has it.
    ///
    /// - Returns: false where another one has it, or it is processed already.
    package func renew(
        _ id: UploadID, by holder: String, until end: Date, processed: Int64
    ) throws -> Bool {
        try connection.value(
            Int.self,
            """
            UPDATE content_upload SET lease_ends = \(end), processed = \(processed)
            WHERE id = \(id) AND lease_holder = \(holder) RETURNING 1
            """) != nil
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
            SET lease_ends = \(date), attempts = max(0, attempts - \(countsAttempt ? 0 : 1)),
                processed = 0
            WHERE id = \(id) AND lease_holder = \(holder)
            """)
    }

    package func isLeased(_ id: UploadID, to holder: String) throws -> Bool {
        try connection.exists(
            "FROM content_upload WHERE id = \(id) AND lease_holder = \(holder)")
    }

    /// Records what became of it.
    package func complete(_ id: UploadID, as version: ContentVersion, at date: Date) throws {
        try connection.run(
            """
            UPDATE content_upload SET state = 'COMPLETE', version = \(version),
                changed = \(date), lease_holder = NULL, lease_ends = NULL
            WHERE id = \(id)
            """)
        try deleteParts(of: id)
    }

    package func fail(_ id: UploadID, problems: [ContentProblem], at date: Date) throws {
        try connection.run(
            """
            UPDATE content_upload SET state = 'FAILED', changed = \(date), lease_holder = NULL,
                lease_ends = NULL
            WHERE id = \(id)
            """)
        try deleteParts(of: id)
        for (position, problem) in problems.enumerated() {
            try connection.insert(
                problem, with: OtherColumn("upload", id), OtherColumn("position", position))
        }
    }

    private func deleteParts(of id: UploadID) throws {
        try connection.run("DELETE FROM content_upload_part WHERE upload = \(id)")
    }

    package func problems(of id: UploadID) throws -> [ContentProblem] {
        try connection.all(ContentProblem.self, "WHERE upload = \(id) ORDER BY position")
    }
}

extension StoreRepositories {
    package var uploads: UploadRepository { UploadRepository(connection: connection) }
}

/// A part that has arrived.
private struct UploadedPart: Sendable {
    let number: Int
    let digest: ContentDigest
}

extension UploadedPart: Record {
    static let table: StaticString = "content_upload_part"

    init(_ column: borrowing RecordColumns<Self>) throws {
        number = try column("number", \.number)
        digest = try column("digest", \.digest)
    }
}
