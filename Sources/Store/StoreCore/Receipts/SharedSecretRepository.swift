import StoreDatabase
import StoreModel

/// Keeps shared secrets: one for each app and each team.
package struct SharedSecretRepository {
    let connection: any SQLConnection

    package func secret(of owner: SharedSecret.Owner) throws -> SharedSecret? {
        let statement: SQL =
            switch owner {
            case .app(let app):
                """
                SELECT app, NULL AS team, secret, date FROM app_shared_secret WHERE app = \(app)
                """
            case .team(let team):
                """
                SELECT NULL AS app, team, secret, date FROM team_shared_secret WHERE team = \(team)
                """
            }
        return try connection.records(SharedSecret.self, statement).first
    }

    /// The secrets that open an app's receipts: its own, and its team's.
    package func secrets(opening app: AppID) throws -> [String] {
        try connection.values(
            String.self,
            """
            SELECT secret FROM app_shared_secret WHERE app = \(app)
            UNION ALL
            SELECT t.secret FROM team_shared_secret t JOIN app a ON a.team = t.team
            WHERE a.id = \(app)
            """)
    }

    /// Adds a secret, or puts it in the place of the one that there is.
    package func save(_ secret: SharedSecret) throws {
        let insertion: SQL =
            switch secret.owner {
            case .app(let app):
                """
                INSERT INTO app_shared_secret (app, secret, date)
                VALUES (\(app), \(secret.text), \(secret.date)) ON CONFLICT (app)
                """
            case .team(let team):
                """
                INSERT INTO team_shared_secret (team, secret, date)
                VALUES (\(team), \(secret.text), \(secret.date)) ON CONFLICT (team)
                """
            }
        try connection.run(
            "\(insertion) DO UPDATE SET secret = excluded.secret, date = excluded.date")
    }
}

extension StoreRepositories {
    package var sharedSecrets: SharedSecretRepository {
        SharedSecretRepository(connection: connection)
    }
}
