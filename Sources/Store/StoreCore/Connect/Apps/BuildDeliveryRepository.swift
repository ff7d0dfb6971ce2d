import Foundation
import StoreDatabase
import StoreModel

/// Files of builds, and the deliveries made of them.
package struct BuildDeliveryRepository {
    let connection: any SQLConnection

    /// A row of `build_delivery`, with the build's identifiers.
    private struct DeliveryRow: RecordPart {
        let number: Int64
        let build: AppBuildID
        let version: AppVersionID
        let delivery: BuildDelivery

        init(_ column: borrowing RecordColumns<Self>) throws {
            number = try column("build", \.number)
            build = try column("build_id", \.build)
            version = try column("version_id", \.version)
            delivery = try column.part(\.delivery)
        }
    }

    private func rows(_ rest: SQL) throws -> [DeliveryRow] {
        try connection.records(
            DeliveryRow.self,
            """
            SELECT \(DeliveryRow.columns) FROM (
                SELECT d.*, b.id AS build_id, v.id AS version_id, v.app
                FROM app_version v JOIN app_build b ON b.version = v.number
                    JOIN build_delivery d ON d.build = b.number) deliveries
            \(rest)
            """)
    }

    /// `nil` if the build has no file.
    package func delivery(of build: AppBuildID) throws -> BuildDelivery? {
        try rows("WHERE build_id = \(build)").map(withBlobs).first
    }

    /// Those of an app that were not given up, the newest last.
    package func deliveries(of app: AppID) throws -> [DeliveredBuild] {
        let repository = AppVersionRepository(connection: connection)
        return try rows("WHERE app = \(app) AND retired IS NULL ORDER BY build").map { row in
            DeliveredBuild(
                build: try repository.build(row.build).orMissing("build"),
                version: try repository.version(row.version).orMissing("version"),
                delivery: try withBlobs(row))
        }
    }

    /// Writes down a delivery, in the place of one that was given up.
    package func insert(_ delivery: BuildDelivery, of build: AppBuildID) throws {
        let number = try connection.value(
            Int64.self, "SELECT number FROM app_build WHERE id = \(build)"
        ).orMissing("build")
        try connection.run(
            "DELETE FROM build_delivery WHERE build = \(number) AND retired IS NOT NULL")
        try connection.insert(delivery, with: OtherColumn("build", number, .key))
        for (position, blob) in delivery.blobs.enumerated() {
            try connection.run(
                """
                INSERT INTO content_blob (digest, length, created)
                VALUES (\(blob.digest), \(blob.length), \(delivery.created))
                ON CONFLICT (digest) DO NOTHING
                """)
            try connection.run(
                """
                INSERT INTO build_blob (build, position, blob)
                VALUES (\(number), \(position), \(blob.digest))
                """)
        }
    }

    /// Notes that somebody may download it.
    ///
    /// - Returns: false if its bytes were given up.
    package func recordPermit(of build: AppBuildID, at date: Date) throws -> Bool {
        try connection.value(
            Int.self,
            """
            UPDATE build_delivery SET permitted = max(ifnull(permitted, \(date)), \(date))
            WHERE build = (SELECT number FROM app_build WHERE id = \(build)) AND retired IS NULL
            RETURNING 1
            """) != nil
    }

    /// Gives its bytes up.
    package func retire(_ build: AppBuildID, at date: Date) throws {
        try connection.run(
            """
            UPDATE build_delivery SET retired = \(date)
            WHERE build = (SELECT number FROM app_build WHERE id = \(build)) AND retired IS NULL
            """)
    }

    private func withBlobs(_ row: DeliveryRow) throws -> BuildDelivery {
        var delivery = row.delivery
        delivery.blobs = try connection.records(
            ContentBlob.self,
            """
            SELECT \(ContentBlob.columns, of: "b")
            FROM build_blob r JOIN content_blob b ON b.digest = r.blob
            WHERE r.build = \(row.number) ORDER BY r.position
            """)
        return delivery
    }
}

extension StoreRepositories {
    package var buildDeliveries: BuildDeliveryRepository {
        BuildDeliveryRepository(connection: connection)
    }
}
