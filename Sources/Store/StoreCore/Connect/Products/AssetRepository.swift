import Foundation
import StoreDatabase
import StoreModel

extension StoreRepositories {
    /// Pictures of products.
    package var assets: Records<ProductAsset> { Records(connection) }
}

extension Records<ProductAsset> {
    package func assets(of product: ProductNumber) throws -> [ProductAsset] {
        try connection.all(ProductAsset.self, "WHERE product = \(product) ORDER BY kind")
    }

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
