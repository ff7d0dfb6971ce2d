import StoreModel

/// Keeps shared secrets: one for each app and each team.
package struct SharedSecretRepository {
    let connection: any SQLConnection

    package func secret(of owner: SharedSecret.Owner) throws -> SharedSecret? {
        let (statement, number): (StaticString, Int64) =
            switch owner {
            case .app(let app):
                ("SELECT secret, date FROM app_shared_secret WHERE app = ?1", app.number)
            case .team(let team):
                ("SELECT secret, date FROM team_shared_secret WHERE team = ?1", team)
            }
        return try connection.row(statement, [.integer(number)]) { row in
            SharedSecret(owner: owner, text: row.text(0), date: row.date(1))
        }
    }

    /// The secrets that open an app's receipts: its own, and its team's.
    package func secrets(opening app: AppID) throws -> [String] {
        try connection.rows(
            """
            SELECT secret FROM app_shared_secret WHERE app = ?1
            UNION ALL
            SELECT t.secret FROM team_shared_secret t JOIN app a ON a.team = t.team
            WHERE a.id = ?1
            """, [.integer(app.number)]
        ) { $0.text(0) }
    }

    /// Adds a secret, or puts it in the place of the one that there is.
    package func save(_ secret: SharedSecret) throws {
        let (statement, number): (StaticString, Int64) =
            switch secret.owner {
            case .app(let app):
                (
                    """
                    INSERT INTO app_shared_secret (app, secret, date) VALUES (?1, ?2, ?3)
                    ON CONFLICT (app) DO UPDATE SET secret = excluded.secret, date = excluded.date
                    """, app.number
                )
            case .team(let team):
                (
                    """
                    INSERT INTO team_shared_secret (team, secret, date) VALUES (?1, ?2, ?3)
                    ON CONFLICT (team) DO UPDATE SET secret = excluded.secret, date = excluded.date
                    """, team
                )
            }
        try connection.run(
            statement, [.integer(number), .text(secret.text), .date(secret.date)])
    }
}
