import Foundation
import StoreModel

/// Messages to subscribers, what they show, and where the next one is asked for.
package struct RetentionRepository {
    let connection: any SQLConnection

    // MARK: Images

    package func image(_ id: RetentionID, of scope: AppScope) throws -> RetentionImage? {
        try connection.row(
            """
            SELECT id, size, state, digest, date FROM retention_image
            WHERE app = ?1 AND environment = ?2 AND id = ?3
            """, Self.parameters(scope, [.text(id.text)])
        ) { try Self.readImage($0, 0) }
    }

    /// The oldest first.
    package func images(of scope: AppScope) throws -> [RetentionImage] {
        try connection.rows(
            """
            SELECT id, size, state, digest, date FROM retention_image
            WHERE app = ?1 AND environment = ?2 ORDER BY number
            """, Self.parameters(scope)
        ) { try Self.readImage($0, 0) }
    }

    package func imageCount(of scope: AppScope) throws -> Int {
        try connection.row(
            "SELECT count(*) FROM retention_image WHERE app = ?1 AND environment = ?2",
            Self.parameters(scope)
        ) { Int($0.integer(0)) } ?? 0
    }

    package func insert(_ image: RetentionImage, of scope: AppScope) throws {
        try connection.run(
            """
            INSERT INTO retention_image (app, environment, id, size, state, digest, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            Self.parameters(
                scope,
                [
                    .text(image.id.text), .text(image.size.rawValue),
                    .text(image.state.rawValue), .text(image.digest.text), .date(image.date),
                ]))
    }

    package func deleteImage(_ id: RetentionID, of scope: AppScope) throws {
        try connection.run(
            "DELETE FROM retention_image WHERE app = ?1 AND environment = ?2 AND id = ?3",
            Self.parameters(scope, [.text(id.text)]))
    }

    /// Whether a message shows an image.
    package func isImageInUse(_ id: RetentionID, of scope: AppScope) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM retention_image i JOIN retention_message_image m ON m.image = i.number
            WHERE i.app = ?1 AND i.environment = ?2 AND i.id = ?3 LIMIT 1
            """, Self.parameters(scope, [.text(id.text)])
        ) { _ in true } ?? false
    }

    // MARK: Messages

    package func message(_ id: RetentionID, of scope: AppScope) throws -> RetentionMessage? {
        try connection.row(
            """
            SELECT id, content, state, date FROM retention_message
            WHERE app = ?1 AND environment = ?2 AND id = ?3
            """, Self.parameters(scope, [.text(id.text)])
        ) { try Self.readMessage($0, 0) }
    }

    /// The oldest first.
    package func messages(of scope: AppScope) throws -> [RetentionMessage] {
        try connection.rows(
            """
            SELECT id, content, state, date FROM retention_message
            WHERE app = ?1 AND environment = ?2 ORDER BY number
            """, Self.parameters(scope)
        ) { try Self.readMessage($0, 0) }
    }

    package func messageCount(of scope: AppScope) throws -> Int {
        try connection.row(
            "SELECT count(*) FROM retention_message WHERE app = ?1 AND environment = ?2",
            Self.parameters(scope)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Adds a message; the schema refuses one whose images there are not.
    package func insert(_ message: RetentionMessage, of scope: AppScope) throws {
        let content = String(decoding: try JSONEncoder().encode(message.content), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO retention_message (app, environment, id, content, state, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            Self.parameters(
                scope,
                [
                    .text(message.id.text), .text(content), .text(message.state.rawValue),
                    .date(message.date),
                ]))
        for picture in Set(message.content.pictures.map(\.id)) {
            try connection.run(
                """
                INSERT INTO retention_message_image (message, image)
                SELECT m.number, (
                    SELECT i.number FROM retention_image i
                    WHERE i.app = ?1 AND i.environment = ?2 AND i.id = ?4)
                FROM retention_message m WHERE m.app = ?1 AND m.environment = ?2 AND m.id = ?3
                """, Self.parameters(scope, [.text(message.id.text), .text(picture)]))
        }
    }

    /// Deletes a message; where it was the default, there is none any more.
    package func deleteMessage(_ id: RetentionID, of scope: AppScope) throws {
        try connection.run(
            "DELETE FROM retention_message WHERE app = ?1 AND environment = ?2 AND id = ?3",
            Self.parameters(scope, [.text(id.text)]))
    }

    // MARK: Defaults

    package func defaultMessage(
        for product: ProductID, _ locale: ConnectLocale, of scope: AppScope
    ) throws -> RetentionID? {
        try connection.row(
            """
            SELECT m.id FROM retention_default d JOIN retention_message m ON m.number = d.message
            WHERE d.app = ?1 AND d.environment = ?2 AND d.product_id = ?3 AND d.locale = ?4
            """, Self.parameters(scope, [.text(product.text), .text(locale.text)])
        ) { row in try row.value(0) { RetentionID($0) } }
    }

    package func setDefaultMessage(
        _ id: RetentionID, for product: ProductID, _ locale: ConnectLocale, of scope: AppScope
    ) throws {
        try connection.run(
            """
            INSERT INTO retention_default (app, environment, product_id, locale, message)
            SELECT ?1, ?2, ?3, ?4, number FROM retention_message
            WHERE app = ?1 AND environment = ?2 AND id = ?5
            ON CONFLICT (app, environment, product_id, locale)
                DO UPDATE SET message = excluded.message
            """,
            Self.parameters(scope, [.text(product.text), .text(locale.text), .text(id.text)]))
    }

    /// - Returns: false where there was none.
    package func deleteDefaultMessage(
        for product: ProductID, _ locale: ConnectLocale, of scope: AppScope
    ) throws -> Bool {
        try connection.row(
            """
            DELETE FROM retention_default
            WHERE app = ?1 AND environment = ?2 AND product_id = ?3 AND locale = ?4 RETURNING 1
            """, Self.parameters(scope, [.text(product.text), .text(locale.text)])
        ) { _ in true } ?? false
    }

    // MARK: Reading

    static func parameters(_ scope: AppScope, _ more: [SQLValue] = []) -> [SQLValue] {
        [.integer(scope.app.number), .text(scope.environment.rawValue)] + more
    }

    /// Identifier, size, state, digest and date, from a column on.
    static func readImage(_ row: any SQLRow, _ column: Int) throws -> RetentionImage {
        RetentionImage(
            id: try row.value(column) { RetentionID($0) },
            size: try row.value(column + 1, RetentionImage.Size.init(rawValue:)),
            state: try row.value(column + 2, RetentionState.init(rawValue:)),
            digest: try row.value(column + 3) { ContentDigest($0) }, date: row.date(column + 4))
    }

    /// Identifier, content, state and date, from a column on.
    static func readMessage(_ row: any SQLRow, _ column: Int) throws -> RetentionMessage {
        RetentionMessage(
            id: try row.value(column) { RetentionID($0) },
            content: try JSONDecoder().decode(
                RetentionMessage.Content.self, from: row.data(column + 1)),
            state: try row.value(column + 2, RetentionState.init(rawValue:)),
            date: row.date(column + 3))
    }
}
