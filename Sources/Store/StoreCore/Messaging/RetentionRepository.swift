import Foundation
import StoreDatabase
import StoreModel

/// Messages to subscribers, what they show, and where the next one is asked for.
package struct RetentionRepository {
    let connection: any SQLConnection

    static func isOf(_ scope: AppScope) -> SQL {
        "app = \(scope.app) AND environment = \(scope.environment)"
    }

    // MARK: Images

    package func image(_ id: RetentionID, of scope: AppScope) throws -> RetentionImage? {
        try connection.first(RetentionImage.self, "WHERE \(Self.isOf(scope)) AND id = \(id)")
    }

    /// The oldest first.
    package func images(of scope: AppScope) throws -> [RetentionImage] {
        try connection.all(RetentionImage.self, "WHERE \(Self.isOf(scope)) ORDER BY number")
    }

    package func imageCount(of scope: AppScope) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM retention_image WHERE \(Self.isOf(scope))") ?? 0
    }

    package func insert(_ image: RetentionImage, of scope: AppScope) throws {
        try connection.insert(
            image, with: OtherColumn("app", scope.app),
            OtherColumn("environment", scope.environment))
    }

    package func deleteImage(_ id: RetentionID, of scope: AppScope) throws {
        try connection.run(
            "DELETE FROM retention_image WHERE \(Self.isOf(scope)) AND id = \(id)")
    }

    /// Whether a message shows an image.
    package func isImageInUse(_ id: RetentionID, of scope: AppScope) throws -> Bool {
        try connection.exists(
            """
            FROM retention_image i JOIN retention_message_image m ON m.image = i.number
            WHERE \(Self.isOf(scope)) AND i.id = \(id)
            """)
    }

    // MARK: Messages

    package func message(_ id: RetentionID, of scope: AppScope) throws -> RetentionMessage? {
        try connection.first(RetentionMessage.self, "WHERE \(Self.isOf(scope)) AND id = \(id)")
    }

    /// The oldest first.
    package func messages(of scope: AppScope) throws -> [RetentionMessage] {
        try connection.all(RetentionMessage.self, "WHERE \(Self.isOf(scope)) ORDER BY number")
    }

    package func messageCount(of scope: AppScope) throws -> Int {
        try connection.value(
            Int.self, "SELECT count(*) FROM retention_message WHERE \(Self.isOf(scope))") ?? 0
    }

    /// Adds a message; the schema refuses one whose images there are not.
    package func insert(_ message: RetentionMessage, of scope: AppScope) throws {
        try connection.insert(
            message, with: OtherColumn("app", scope.app),
            OtherColumn("environment", scope.environment))
        for picture in Set(message.content.pictures.map(\.id)) {
            try connection.run(
                """
                INSERT INTO retention_message_image (message, image)
                SELECT number, (SELECT i.number FROM retention_image i
                    WHERE i.app = \(scope.app) AND i.environment = \(scope.environment)
                        AND i.id = \(picture))
                FROM retention_message WHERE \(Self.isOf(scope)) AND id = \(message.id)
                """)
        }
    }

    /// Deletes a message; where it was the default, there is none any more.
    package func deleteMessage(_ id: RetentionID, of scope: AppScope) throws {
        try connection.run(
            "DELETE FROM retention_message WHERE \(Self.isOf(scope)) AND id = \(id)")
    }

    // MARK: Defaults

    package func defaultMessage(
        for product: ProductID, _ locale: ConnectLocale, of scope: AppScope
    ) throws -> RetentionID? {
        try connection.value(
            RetentionID.self,
            """
            SELECT m.id FROM retention_default d JOIN retention_message m ON m.number = d.message
            WHERE d.app = \(scope.app) AND d.environment = \(scope.environment)
                AND d.product_id = \(product) AND d.locale = \(locale)
            """)
    }

    package func setDefaultMessage(
        _ id: RetentionID, for product: ProductID, _ locale: ConnectLocale, of scope: AppScope
    ) throws {
        try connection.run(
            """
            INSERT INTO retention_default (app, environment, product_id, locale, message)
            SELECT app, environment, CAST(\(product) AS TEXT), CAST(\(locale) AS TEXT), number
            FROM retention_message WHERE \(Self.isOf(scope)) AND id = \(id)
            ON CONFLICT (app, environment, product_id, locale)
                DO UPDATE SET message = excluded.message
            """)
    }

    /// - Returns: false where there was none.
    package func deleteDefaultMessage(
        for product: ProductID, _ locale: ConnectLocale, of scope: AppScope
    ) throws -> Bool {
        try connection.value(
            Int.self,
            """
            DELETE FROM retention_default
            WHERE \(Self.isOf(scope)) AND product_id = \(product) AND locale = \(locale)
            RETURNING 1
            """) != nil
    }
}

extension StoreRepositories {
    /// Messages to customers who are about to cancel.
    package var retention: RetentionRepository { RetentionRepository(connection: connection) }
}
