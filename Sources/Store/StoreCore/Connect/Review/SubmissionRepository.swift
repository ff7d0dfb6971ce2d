import Foundation
import StoreDatabase
import StoreModel

/// What was submitted for review, and what was decided.
package struct SubmissionRepository {
    let connection: any SQLConnection

    // MARK: Submissions

    package func submission(_ id: SubmissionID) throws -> Submission? {
        try connection.find(Submission.self, id).map(complete)
    }

    /// The submission that something is in.
    package func submission(with item: SubmissionItemID) throws -> Submission? {
        try connection.value(
            SubmissionID.self, "SELECT submission FROM review_item WHERE id = \(item)"
        ).flatMap { try submission($0) }
    }

    /// What nobody has decided yet, of all teams, the oldest first.
    package func queue(_ page: PageRequest) throws -> ListPage<Submission> {
        try connection.page(
            Submission.self, "WHERE state IN \(cases: SubmissionState.open)", by: "id", page
        ).map(complete)
    }

    /// Submissions of a team, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all.
    ///   - app: of which app; nil for all.
    package func submissions(
        team: Int64?, app: AppID?, states: [SubmissionState], _ page: PageRequest
    ) throws -> ListPage<Submission> {
        let ofTeam: SQL? = team.map { "AND team = \($0)" }
        let ofApp: SQL? = app.map { "AND app = \($0)" }
        return try connection.page(
            Submission.self, "WHERE state IN \(list: states) \(ofTeam) \(ofApp)", by: "id DESC",
            page
        ).map(complete)
    }

    private func complete(_ submission: Submission) throws -> Submission {
        var submission = submission
        submission.items = try items("WHERE submission = \(submission.id) ORDER BY id")
        return submission
    }

    /// Adds a submission that waits for review.
    package func insert(
        _ items: [SubmissionItemDraft], of app: App, by submitter: ReviewParty, at date: Date
    ) throws -> SubmissionID {
        let submission = Submission(
            id: SubmissionID(number: 0), app: app.id, team: app.teamID, bundleID: app.bundleID,
            appName: app.name, state: .waitingForReview, submitter: submitter, claimant: nil,
            created: date, changed: date)
        let id = try connection.inserted(submission).id
        for draft in items {
            let item = SubmissionItem(
                id: SubmissionItemID(number: 0), submission: id, subject: draft.subject,
                product: draft.product, name: draft.name, content: draft.content,
                revision: draft.revision, state: .waitingForReview)
            let snapshot = try draft.snapshot.map {
                String(decoding: try Self.encoder.encode($0), as: UTF8.self)
            }
            try connection.insert(
                item, with: OtherColumn("snapshot", snapshot),
                OtherColumn("screenshot", draft.snapshot?.screenshot))
        }
        return id
    }

    package func update(_ submission: Submission) throws { try connection.update(submission) }

    // MARK: Items

    package func update(_ item: SubmissionItem) throws { try connection.update(item) }

    private func items(_ rest: SQL) throws -> [SubmissionItem] {
        try connection.all(SubmissionItem.self, rest)
    }

    /// What of a product is with the reviewers; nil where nothing is.
    package func openItem(of product: ProductID, in app: AppID) throws -> SubmissionItem? {
        try items("WHERE app = \(app) AND product_id = \(product) AND \(Self.isOpen)").first
    }

    /// The item with which a version of an app is with the reviewers.
    package func openItem(of version: AppVersionID) throws -> SubmissionItem? {
        try items("WHERE app_version = \(version) AND \(Self.isOpen)").first
    }

    /// What became of a product's submissions, the newest first.
    package func items(of product: ProductID, in app: AppID, limit: Int) throws -> [SubmissionItem]
    {
        try items(
            "WHERE app = \(app) AND product_id = \(product) ORDER BY id DESC LIMIT \(limit)")
    }

    /// The same of a version of an app.
    package func items(of version: AppVersionID, limit: Int) throws -> [SubmissionItem] {
        try items("WHERE app_version = \(version) ORDER BY id DESC LIMIT \(limit)")
    }

    /// The product as it was submitted; nil for a version.
    package func snapshot(of item: SubmissionItemID) throws -> ProductSnapshot? {
        try snapshot("SELECT snapshot FROM review_item WHERE id = \(item)")
    }

    /// The product as it was approved last before an item was submitted; nil where it never
    /// was.
    package func approvedSnapshot(
        of product: ProductID, in app: AppID, before item: SubmissionItemID?
    ) throws -> ProductSnapshot? {
        let before: SQL? = item.map { "AND i.id < \($0)" }
        return try snapshot(
            """
            SELECT i.snapshot FROM product p JOIN review_item i ON i.product = p.id
            WHERE p.app = \(app) AND p.product_id = \(product) AND i.state = 'APPROVED' \(before)
            ORDER BY i.id DESC LIMIT 1
            """)
    }

    private func snapshot(_ sql: SQL) throws -> ProductSnapshot? {
        guard let text = try connection.value(String?.self, sql) ?? nil else { return nil }
        guard let snapshot = try? JSONDecoder().decode(ProductSnapshot.self, from: Data(text.utf8))
        else {
            throw SQLError(code: .corrupt, "the database holds a snapshot that can't be read")
        }
        return snapshot
    }

    /// Products of an app that have something to be submitted, by identifier.
    package func submittable(of app: AppID, limit: Int) throws -> [SubmittableProduct] {
        try connection.records(
            SubmittableProduct.self,
            """
            SELECT \(SubmittableProduct.columns) FROM (
                SELECT p.product_id, p.reference_name, p.state,
                    EXISTS (SELECT 1 FROM product_revision r WHERE r.product = p.id AND r.state IN (
                        'PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'DEVELOPER_REJECTED'))
                        AS has_texts,
                    EXISTS (SELECT 1 FROM content_release c WHERE c.product = p.id
                        AND c.state = 'READY_TO_SUBMIT' AND c.retired IS NULL) AS has_content
                FROM product p
                WHERE p.app = \(app) AND p.deleted IS NULL AND p.state IN ('READY_TO_SUBMIT',
                        'APPROVED', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE')
                    AND NOT EXISTS (SELECT 1 FROM review_item i WHERE i.product = p.id
                        AND i.state IN \(cases: SubmissionItemState.open))) found
            WHERE state = 'READY_TO_SUBMIT' OR has_texts OR has_content
            ORDER BY product_id LIMIT \(limit)
            """)
    }

    // MARK: Staff

    /// How many of the store's staff could review, other than somebody.
    package func reviewers(otherThan party: ReviewParty) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM person
            WHERE staff_role IS NOT NULL AND disabled IS NULL AND 'person ' || id <> \(party.key)
            """) ?? 0
    }

    // MARK: Sale

    /// Notes that a product was taken from sale, or put back.
    package func insert(_ change: SaleChange, of product: ProductNumber) throws {
        try connection.insert(change, with: OtherColumn("product", product))
    }

    /// How a product came to be where it is sold, the newest change first.
    package func saleChanges(of product: ProductID, in app: AppID, limit: Int) throws
        -> [SaleChange]
    {
        try connection.records(
            SaleChange.self,
            """
            SELECT \(SaleChange.columns, of: "c")
            FROM product p JOIN product_sale_change c ON c.product = p.id
            WHERE p.app = \(app) AND p.product_id = \(product) ORDER BY c.id DESC LIMIT \(limit)
            """)
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    // MARK: Statements

    private static let isOpen: SQL = "state IN \(cases: SubmissionItemState.open)"
}

extension StoreRepositories {
    package var submissions: SubmissionRepository { SubmissionRepository(connection: connection) }
}
