import Foundation
import StoreModel

/// Leads products and versions of apps through review: publishers submit, the store's staff
/// decide.
///
/// Each change is one transaction, which writes the audit log too.
package struct ReviewService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Submitting

    /// Submits products of an app together: alone, or with a version of the app.
    ///
    /// A product goes with whatever is new of it: texts, content, or both.
    ///
    /// - Throws: `ConnectRefusal`, with nothing submitted.
    package func submit(
        _ products: [ProductID], version: AppVersionID? = nil, of app: AppID,
        by actor: ConnectActor
    ) async throws -> Submission {
        try await shop.write(as: actor, requiring: .submit) { work in
            try work.submit(products, version: version, of: try work.app(app))
        }
    }

    /// Submits products by their numbers, all of one app.
    package func submit(
        numbers: [ProductNumber], version: AppVersionID? = nil, by actor: ConnectActor
    ) async throws -> Submission {
        try await shop.write(as: actor, requiring: .submit) { work in
            let found = try numbers.map { try work.product($0) }
            let version = try version.map { try work.version($0) }
            let apps = Set(found.map(\.app.id) + [version?.app.id].compactMap { $0 })
            guard apps.count < 2 else {
                throw ConnectRefusal(
                    .invalid, rule: "submissionApps", field: "items",
                    "What was chosen belongs to \(apps.count) apps.",
                    help: "Submit what belongs to one app at a time.")
            }
            guard let app = found.first?.app ?? version?.app else {
                throw SubmissionRules.nothingChosen
            }
            return try work.submit(found.map(\.record.id), version: version?.version.id, of: app)
        }
    }

    /// Takes back a submission that nobody looks at yet.
    package func withdraw(_ id: SubmissionID, by actor: ConnectActor) async throws -> Submission {
        try await shop.write(as: actor, requiring: .submit) { try $0.withdraw(id) }
    }

    /// Takes back what was submitted of a product.
    package func withdraw(
        _ product: ProductID, of app: AppID, by actor: ConnectActor
    ) async throws -> Submission {
        try await shop.write(as: actor, requiring: .submit) { work in
            try work.withdraw(try Self.openItem(of: product, app, work))
        }
    }

    /// Takes back one of the things that were submitted together.
    package func withdraw(_ id: SubmissionItemID, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .submit) { work in
            let items = try work.submission(with: id).items
            guard let item = items.first(where: { $0.id == id }) else {
                throw ConnectRefusal.notFound("review item", id.description)
            }
            _ = try work.withdraw(item)
        }
    }

    /// Takes back a version of an app, also while it is reviewed; cancels the release of one
    /// that is approved.
    @discardableResult
    package func withdraw(
        version: AppVersionID, by actor: ConnectActor
    ) async throws -> AppVersion {
        try await shop.write(as: actor, requiring: .submit) { try $0.withdraw(version: version) }
    }

    /// Products of an app that have something to be submitted, as many as one submission
    /// takes.
    package func submittable(
        of app: AppID, by actor: ConnectActor
    ) async throws -> [SubmittableProduct] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try work.submissions.submittable(
                of: try work.app(app).id, limit: SubmissionRules.largestSubmission)
        }
    }

    // MARK: Reviewing

    /// What nobody has decided yet, of all teams, the oldest first.
    package func queue(
        _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<Submission> {
        try await shop.read(as: actor, requiring: .review) { try $0.submissions.queue(page) }
    }

    /// Takes a submission on: its review begins, or goes on by somebody else.
    package func claim(_ id: SubmissionID, by actor: ConnectActor) async throws -> Submission {
        try await shop.write(as: actor, requiring: .review) { try $0.claim(id) }
    }

    /// Decides about one of the things in a submission.
    package func decide(
        _ decision: ReviewDecision, on item: SubmissionItemID, by actor: ConnectActor
    ) async throws -> Submission {
        try await shop.write(as: actor, requiring: .review) { try $0.decide(decision, on: item) }
    }

    // MARK: Reading

    package func submission(_ id: SubmissionID, by actor: ConnectActor) async throws -> Submission {
        try await shop.read(as: actor, requiring: .viewApps) { try $0.submission(id) }
    }

    /// The submission that something is in.
    package func submission(
        with item: SubmissionItemID, by actor: ConnectActor
    ) async throws -> Submission {
        try await shop.read(as: actor, requiring: .viewApps) { try $0.submission(with: item) }
    }

    /// Submissions that the actor sees, the newest first.
    ///
    /// - Parameters:
    ///   - app: of which app; nil for all.
    ///   - states: empty for all.
    package func submissions(
        of app: AppID? = nil, states: [SubmissionState] = [], _ page: PageRequest,
        by actor: ConnectActor
    ) async throws -> ListPage<Submission> {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try work.submissions.submissions(
                team: actor.team, app: app,
                states: states.isEmpty ? SubmissionState.allCases : states, page)
        }
    }

    /// What became of a product's submissions, the newest first.
    package func history(
        of product: ProductID, in app: AppID, by actor: ConnectActor
    ) async throws -> [SubmissionItem] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try work.submissions.items(of: product, in: work.app(app).id, limit: 20)
        }
    }

    /// The same, by the product's number.
    package func history(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> [SubmissionItem] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let product = try work.product(number)
            return try work.submissions.items(of: product.record.id, in: product.app.id, limit: 20)
        }
    }

    /// What became of a version's submissions, the newest first.
    package func history(
        of version: AppVersionID, by actor: ConnectActor
    ) async throws -> [SubmissionItem] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            _ = try work.version(version)
            return try work.submissions.items(of: version, limit: 20)
        }
    }

    /// A submitted product beside what was approved of it last.
    ///
    /// - Returns: nil for a version of an app.
    package func comparison(
        of item: SubmissionItemID, by actor: ConnectActor
    ) async throws -> ReviewComparison? {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let submissions = work.submissions
            let submission = try work.submission(with: item)
            guard
                case .product(let id)? = submission.items.first(where: { $0.id == item })?.subject,
                let submitted = try submissions.snapshot(of: item)
            else { return nil }
            return ReviewComparison(
                submitted: submitted,
                approved: try submissions.approvedSnapshot(
                    of: id, in: submission.app, before: item))
        }
    }

    /// A product with the app that it belongs to.
    package func product(
        _ number: ProductNumber, by actor: ConnectActor
    ) async throws -> (app: App, record: ProductRecord) {
        try await shop.read(as: actor, requiring: .viewApps) {
            let product = try $0.product(number)
            return (product.app, product.record)
        }
    }

    private static func openItem(
        of product: ProductID, _ app: AppID, _ work: UnitOfWork
    ) throws -> SubmissionItem {
        let app = try work.app(app)
        guard let item = try work.submissions.openItem(of: product, in: app.id)
        else {
            throw ConnectRefusal(
                .state, rule: "notSubmitted", "Nothing of \(product) is with the reviewers.",
                help: "Only what waits for review can be taken back.")
        }
        return item
    }
}

/// A submitted product, and what was approved of it before.
package struct ReviewComparison: Sendable, Hashable {
    package let submitted: ProductSnapshot
    /// Nil where nothing was approved, or not since the store remembers.
    package let approved: ProductSnapshot?

    package var diff: ProductDiff { ProductDiff(from: approved, to: submitted) }
}
