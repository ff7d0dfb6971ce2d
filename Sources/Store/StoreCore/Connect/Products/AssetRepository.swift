import Foundation
import StoreModel

/// Pictures of products.
package struct AssetRepository {
    let connection: any SQLConnection

    package func asset(_ id: AssetID) throws -> ProductAsset? {
        try connection.row(
            """
            SELECT id, product, kind, file_name, size, state, digest, checksum, format, width,
                height, problem, created
            FROM product_asset WHERE id = ?1
            """, [.text(id.text)], read)
    }

    package func assets(of product: ProductNumber) throws -> [ProductAsset] {
        try connection.rows(
            """
            SELECT id, product, kind, file_name, size, state, digest, checksum, format, width,
                height, problem, created
            FROM product_asset WHERE product = ?1 ORDER BY kind
            """, [.integer(product.number)], read)
    }

    package func insert(_ asset: ProductAsset) throws {
        try connection.run(
            """
            INSERT INTO product_asset (id, product, kind, file_name, size, state, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .text(asset.id.text), .integer(asset.product.number), .text(asset.kind.rawValue),
                .text(asset.fileName), .integer(asset.size), .text(asset.state.rawValue),
                .date(asset.created),
            ])
    }

    package func update(_ asset: ProductAsset) throws {
        try connection.run(
            """
            UPDATE product_asset SET state = ?2, digest = ?3, checksum = ?4, format = ?5,
                width = ?6, height = ?7, problem = ?8
            WHERE id = ?1
            """,
            [
                .text(asset.id.text), .text(asset.state.rawValue), .text(asset.digest?.text),
                .text(asset.checksum), .text(asset.header?.format.rawValue),
                asset.header.map { .integer($0.width) } ?? .noInteger,
                asset.header.map { .integer($0.height) } ?? .noInteger, .text(asset.problem),
            ])
    }

    package func delete(_ id: AssetID) throws {
        try connection.run("DELETE FROM product_asset WHERE id = ?1", [.text(id.text)])
    }

    /// Whether some picture has these bytes, or was submitted with them: reviewers look at what
    /// was submitted, whatever becomes of the picture. Media of items, and images of messages to
    /// subscribers, count as pictures: their bytes lie beside those of products.
    package func isNeeded(_ digest: ContentDigest) throws -> Bool {
        try connection.row(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM product_asset WHERE digest = ?1)
                OR EXISTS (SELECT 1 FROM review_item WHERE screenshot = ?1)
                OR EXISTS (SELECT 1 FROM item_media WHERE digest = ?1)
                OR EXISTS (SELECT 1 FROM retention_image WHERE digest = ?1)
            """, [.text(digest.text)]
        ) { _ in true } ?? false
    }

    private func read(_ row: any SQLRow) throws -> ProductAsset {
        let header: ImageHeader? =
            if row.isNull(8) { nil } else {
                ImageHeader(
                    format: try row.value(8, ImageHeader.Format.init(rawValue:)),
                    width: Int(row.integer(9)), height: Int(row.integer(10)))
            }
        return ProductAsset(
            id: try row.value(0) { AssetID($0) }, product: ProductNumber(number: row.integer(1)),
            kind: try row.value(2, ProductAsset.Kind.init(rawValue:)), fileName: row.text(3),
            size: row.integer(4), state: try row.value(5, ProductAsset.State.init(rawValue:)),
            digest: try row.isNull(6) ? nil : row.value(6) { ContentDigest($0) },
            checksum: row.optionalText(7), header: header, problem: row.optionalText(11),
            created: row.date(12))
    }
}
