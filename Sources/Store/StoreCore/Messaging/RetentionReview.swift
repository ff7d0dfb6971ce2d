/// What the store's staff thinks of messages and images that customers are to see.
package struct RetentionReview: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// What waits, the oldest first.
    ///
    /// - Throws: `ConnectRefusal`.
    package func waiting(by actor: ConnectActor) async throws -> [RetentionSubmission] {
        try await shop.read(as: actor, requiring: .review) {
            try $0.retention.submissions(limit: 500)
        }
    }

    /// Decides about a message or an image: what customers see or do not see from now on.
    ///
    /// - Parameter number: of exactly what was looked at, which no publisher can replace.
    /// - Throws: `ConnectRefusal`.
    package func decide(
        _ number: RetentionNumber, _ state: RetentionState, by actor: ConnectActor
    ) async throws -> RetentionSubmission {
        try await shop.write(as: actor, requiring: .review) { work in
            let found = try work.retention.submission(number).orNotFound(
                "message or image", number.description)
            try work.retention.set(state, of: number)
            let team = try work.catalog.app(found.scope.app)?.teamID
            try work.note(
                "message.decide", on: "\(found.bundleID) \(found.subject.id.text)", of: team,
                before: found.subject.state.rawValue, after: state.rawValue)
            return try work.retention.submission(number) ?? found
        }
    }
}
