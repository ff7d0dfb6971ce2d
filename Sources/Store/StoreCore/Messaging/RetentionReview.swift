import StoreModel

/// What the store's staff thinks of messages and images that customers are to see.
package struct RetentionReview: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// What waits, the oldest first.
    ///
    /// - Throws: `ConnectRefusal`.
    package func waiting(by actor: ConnectActor) async throws -> [RetentionSubmission] {
        try actor.require(.review)
        return try await database.read { try $0.retention.submissions(limit: 500) }
    }

    /// Decides about a message or an image: what customers see or do not see from now on.
    ///
    /// - Parameter number: of exactly what was looked at, which no publisher can replace.
    /// - Throws: `ConnectRefusal`.
    package func decide(
        _ number: RetentionNumber, _ state: RetentionState, by actor: ConnectActor
    ) async throws -> RetentionSubmission {
        try actor.require(.review)
        let now = clock.now()
        return try await database.write { repositories in
            guard let found = try repositories.retention.submission(number) else {
                throw ConnectRefusal.notFound("message or image", number.description)
            }
            try repositories.retention.set(state, of: number)
            let team = try repositories.catalog.app(found.scope.app)?.teamID
            try repositories.audit.append(
                AuditEntry(
                    team: team, actor: actor, action: "message.decide",
                    subject: "\(found.bundleID) \(found.subject.id.text)",
                    before: found.subject.state.rawValue, after: state.rawValue),
                at: now)
            return try repositories.retention.submission(number) ?? found
        }
    }
}
