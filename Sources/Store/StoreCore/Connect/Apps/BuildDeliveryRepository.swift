import Foundation
import StoreModel

/// Files of builds, and the deliveries made of them.
package struct BuildDeliveryRepository {
    let connection: any SQLConnection

    /// `nil` if the build has no file.
    package func delivery(of build: AppBuildID) throws -> BuildDelivery? {
        let found = try connection.row(
            """
            SELECT d.build, d.format, d.file_name, d.manifest_digest, d.manifest_length,
                d.download_length, d.unpacked_length, d.created, d.permitted, d.retired
            FROM build_delivery d JOIN app_build b ON b.number = d.build WHERE b.id = ?1
            """, [.text(build.text)], read)
        guard let (row, delivery) = found else { return nil }
        return try withBlobs(delivery, of: row)
    }

    /// Those of an app that were not given up, the newest last.
    package func deliveries(of app: AppID) throws -> [DeliveredBuild] {
        let found = try connection.rows(
            """
            SELECT d.build, d.format, d.file_name, d.manifest_digest, d.manifest_length,
                d.download_length, d.unpacked_length, d.created, d.permitted, d.retired, b.id,
                v.id
            FROM app_version v JOIN app_build b ON b.version = v.number
                JOIN build_delivery d ON d.build = b.number
            WHERE v.app = ?1 AND d.retired IS NULL ORDER BY d.build
            """, [.integer(app.number)]
        ) { row in
            (
                try read(row), try row.value(10) { AppBuildID($0) },
                try row.value(11) { AppVersionID($0) }
            )
        }
        let repository = AppVersionRepository(connection: connection)
        return try found.map { delivery, build, version in
            DeliveredBuild(
                build: try repository.build(build).orMissing("build"),
                version: try repository.version(version).orMissing("version"),
                delivery: try withBlobs(delivery.1, of: delivery.0))
        }
    }

    /// Writes down a delivery, in the place of one that was given up.
    package func insert(_ delivery: BuildDelivery, of build: AppBuildID) throws {
        let number = try connection.row(
            "SELECT number FROM app_build WHERE id = ?1", [.text(build.text)]
        ) { $0.integer(0) }
        let row = SQLValue.integer(try number.orMissing("build"))
        try connection.run(
            "DELETE FROM build_delivery WHERE build = ?1 AND retired IS NOT NULL", [row])
        try connection.run(
            """
            INSERT INTO build_delivery (build, format, file_name, manifest_digest,
                manifest_length, download_length, unpacked_length, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                row, .text(delivery.format.rawValue), .text(delivery.fileName),
                .text(delivery.manifestDigest.text), .integer(delivery.manifestLength),
                .integer(delivery.downloadLength), .integer(delivery.unpackedLength),
                .date(delivery.created),
            ])
        for (position, blob) in delivery.blobs.enumerated() {
            try connection.run(
                """
                INSERT INTO content_blob (digest, length, created) VALUES (?1, ?2, ?3)
                ON CONFLICT (digest) DO NOTHING
                """, [.text(blob.digest.text), .integer(blob.length), .date(delivery.created)])
            try connection.run(
                "INSERT INTO build_blob (build, position, blob) VALUES (?1, ?2, ?3)",
                [row, .integer(position), .text(blob.digest.text)])
        }
    }

    /// Notes that somebody may download it.
    ///
    /// - Returns: false if its bytes were given up.
    package func recordPermit(of build: AppBuildID, at date: Date) throws -> Bool {
        try connection.row(
            """
            UPDATE build_delivery SET permitted = max(ifnull(permitted, ?2), ?2)
            WHERE build = (SELECT number FROM app_build WHERE id = ?1) AND retired IS NULL
            RETURNING 1
            """, [.text(build.text), .date(date)]
        ) { _ in true } ?? false
    }

    /// Gives its bytes up.
    package func retire(_ build: AppBuildID, at date: Date) throws {
        try connection.run(
            """
            UPDATE build_delivery SET retired = ?2
            WHERE build = (SELECT number FROM app_build WHERE id = ?1) AND retired IS NULL
            """, [.text(build.text), .date(date)])
    }

    private func withBlobs(_ delivery: BuildDelivery, of row: Int64) throws -> BuildDelivery {
        var delivery = delivery
        delivery.blobs = try connection.rows(
            """
            SELECT b.digest, b.length
            FROM build_blob r JOIN content_blob b ON b.digest = r.blob
            WHERE r.build = ?1 ORDER BY r.position
            """, [.integer(row)]
        ) { ContentBlob(digest: try $0.value(0) { ContentDigest($0) }, length: $0.integer(1)) }
        return delivery
    }

    private func read(_ row: any SQLRow) throws -> (Int64, BuildDelivery) {
        (
            row.integer(0),
            BuildDelivery(
                format: try row.value(1, AppPackageFormat.init(rawValue:)), fileName: row.text(2),
                manifestDigest: try row.value(3) { ContentDigest($0) },
                manifestLength: row.integer(4), blobs: [], downloadLength: row.integer(5),
                unpackedLength: row.integer(6), created: row.date(7),
                lastPermit: row.isNull(8) ? nil : row.date(8), isRetired: !row.isNull(9))
        )
    }
}
