import Foundation
import StoreDatabase
import StoreModel

/// Pictures of products.
package struct AssetRepository {
    let connection: any SQLConnection

    package func asset(_ id: AssetID) throws -> ProductAsset? {
        try connection.find(ProductAsset.self, id)
    }

    package func assets(of product: ProductNumber) throws -> [ProductAsset] {
        try connection.all(ProductAsset.self, "WHERE product = \(product) ORDER BY kind")
    }

    package func insert(_ asset: ProductAsset) throws { try connection.insert(asset) }

    package func update(_ asset: ProductAsset) throws { try connection.update(asset) }

    package func delete(_ id: AssetID) throws { try connection.delete(ProductAsset.self, id) }

    /// Whether some picture has these bytes, or was submitted with them: reviewers look at what
    /// was submitted, whatever becomes of the picture. Media of items, and images of messages to
    /// subscribers, count as pictures: their bytes lie beside those of products.
    package func isNeeded(_ digest: ContentDigest) throws -> Bool {
        try connection.exists(
            """
            WHERE EXISTS (SELECT 1 FROM product_asset WHERE digest = \(digest))
                OR EXISTS (SELECT 1 FROM review_item WHERE screenshot = \(digest))
                OR EXISTS (SELECT 1 FROM item_media WHERE digest = \(digest))
                OR EXISTS (SELECT 1 FROM retention_image WHERE digest = \(digest))
            """)
    }
}

extension StoreRepositories {
    package var assets: AssetRepository { AssetRepository(connection: connection) }
}
