import Foundation

/// Who may fetch the partner feed.
package struct FeedPartnerRepository {
    let connection: any SQLConnection

    package func partner(_ id: Int64) throws -> FeedPartner? {
        try connection.row(
            """
            SELECT id, name, user_name, password_hash, is_active, created, last_use
            FROM feed_partner WHERE id = ?1
            """, [.integer(id)], read)
    }

    package func partner(userName: String) throws -> FeedPartner? {
        try connection.row(
            """
            SELECT id, name, user_name, password_hash, is_active, created, last_use
            FROM feed_partner WHERE user_name = ?1
            """, [.text(userName)], read)
    }

    /// The oldest first.
    package func page(_ request: PageRequest) throws -> ListPage<FeedPartner> {
        let partners = try connection.rows(
            """
            SELECT id, name, user_name, password_hash, is_active, created, last_use
            FROM feed_partner ORDER BY id LIMIT ?1 OFFSET ?2
            """, [.integer(request.limit), .integer(try request.offset())], read)
        let total = try connection.row("SELECT count(*) FROM feed_partner", []) {
            Int($0.integer(0))
        }
        return try ListPage(partners, total: total ?? 0, from: request)
    }

    /// Adds an active one, and gives it its number; the schema refuses a user name that there is.
    package func insert(
        name: String, userName: String, passwordHash: String, at date: Date
    ) throws -> FeedPartner {
        let inserted = try connection.row(
            """
            INSERT INTO feed_partner (name, user_name, password_hash, is_active, created)
            VALUES (?1, ?2, ?3, 1, ?4)
            RETURNING id, name, user_name, password_hash, is_active, created, last_use
            """,
            [.text(name), .text(userName), .text(passwordHash), .date(date)], read)
        return try inserted.orMissing("partner")
    }

    /// Changes name, password, whether it is active, and its last use.
    package func update(_ partner: FeedPartner) throws {
        try connection.run(
            """
            UPDATE feed_partner SET name = ?2, password_hash = ?3, is_active = ?4, last_use = ?5
            WHERE id = ?1
            """,
            [
                .integer(partner.id), .text(partner.name), .text(partner.passwordHash),
                .integer(partner.isActive), .date(partner.lastUse),
            ])
    }

    private func read(_ row: any SQLRow) -> FeedPartner {
        FeedPartner(
            id: row.integer(0), name: row.text(1), userName: row.text(2),
            passwordHash: row.text(3), isActive: row.integer(4) == 1, created: row.date(5),
            lastUse: row.isNull(6) ? nil : row.date(6))
    }
}
