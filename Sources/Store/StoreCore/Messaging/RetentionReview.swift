import StoreModel

/// What the store's staff thinks of messages and images that customers are to see.
package struct RetentionReview: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// What waits, the oldest first.
    ///
    /// - Throws: `ConnectRefusal`.
    package func waiting(by actor: ConnectActor) async throws -> [RetentionSubmission] {
        try actor.require(.review)
        return try await database.read { try $0.retention.submissions(nil, limit: 500) }
    }

    /// Decides about a message or an image: what customers see or do not see from now on.
    ///
    /// - Parameter id: several apps may have named something so; each of them is decided.
    /// - Throws: `ConnectRefusal`.
    package func decide(
        _ id: RetentionID, _ state: RetentionState, by actor: ConnectActor
    ) async throws -> [RetentionSubmission] {
        try actor.require(.review)
        let now = clock.now()
        return try await database.write { repositories in
            let found = try repositories.retention.submissions(id, limit: 100)
            guard !found.isEmpty else {
                throw ConnectRefusal.notFound("message or image", id.text)
            }
            for submission in found {
                try repositories.retention.set(state, of: submission)
                let team = try repositories.catalog.app(submission.scope.app)?.teamID
                try repositories.audit.append(
                    AuditEntry(
                        team: team, actor: actor, action: "message.decide",
                        subject: "\(submission.bundleID) \(id.text)",
                        before: submission.subject.state.rawValue, after: state.rawValue),
                    at: now)
            }
            return try repositories.retention.submissions(id, limit: 100)
        }
    }
}
