import Foundation
import StoreModel

/// What was submitted for review, and what was decided.
package struct SubmissionRepository {
    let connection: any SQLConnection

    // MARK: Submissions

    package func submission(_ id: SubmissionID) throws -> Submission? {
        try connection.row(
            """
            SELECT s.id, s.app, a.team, a.bundle_id, a.name, s.state, s.submitter,
                s.submitter_name, s.claimant, s.claimant_name, s.created, s.changed
            FROM review_submission s JOIN app a ON a.id = s.app WHERE s.id = ?1
            """, [.integer(id.number)], read)
    }

    /// The submission that something is in.
    package func submission(with item: SubmissionItemID) throws -> Submission? {
        try connection.row(
            "SELECT submission FROM review_item WHERE id = ?1", [.integer(item.number)]
        ) { SubmissionID(number: $0.integer(0)) }.flatMap { try submission($0) }
    }

    /// What nobody has decided yet, of all teams, the oldest first.
    package func queue(_ page: PageRequest) throws -> ListPage<Submission> {
        let total = try connection.row(
            """
            SELECT count(*) FROM review_submission
            WHERE state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW')
            """, []
        ) { Int($0.integer(0)) }
        let found = try connection.rows(
            """
            SELECT s.id, s.app, a.team, a.bundle_id, a.name, s.state, s.submitter,
                s.submitter_name, s.claimant, s.claimant_name, s.created, s.changed
            FROM review_submission s JOIN app a ON a.id = s.app
            WHERE s.state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW')
            ORDER BY s.id LIMIT ?1 OFFSET ?2
            """, [.integer(page.limit), .integer(try page.offset())], read)
        return try ListPage(found, total: total ?? 0, from: page)
    }

    /// Submissions of a team, the newest first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all.
    ///   - app: of which app; nil for all.
    package func submissions(
        team: Int64?, app: AppID?, states: [SubmissionState], _ page: PageRequest
    ) throws -> ListPage<Submission> {
        // Names between spaces, as the statement compares them.
        let wanted = " \(states.map(\.rawValue).joined(separator: " ")) "
        let range: [SQLValue] = [
            team.map { .integer($0) } ?? .noInteger, app.map { .integer($0.number) } ?? .noInteger,
            .text(wanted),
        ]
        let total = try connection.row(
            """
            SELECT count(*) FROM review_submission s JOIN app a ON a.id = s.app
            WHERE (?1 IS NULL OR a.team = ?1) AND (?2 IS NULL OR s.app = ?2)
                AND instr(?3, ' ' || s.state || ' ') > 0
            """, range
        ) { Int($0.integer(0)) }
        let found = try connection.rows(
            """
            SELECT s.id, s.app, a.team, a.bundle_id, a.name, s.state, s.submitter,
                s.submitter_name, s.claimant, s.claimant_name, s.created, s.changed
            FROM review_submission s JOIN app a ON a.id = s.app
            WHERE (?1 IS NULL OR a.team = ?1) AND (?2 IS NULL OR s.app = ?2)
                AND instr(?3, ' ' || s.state || ' ') > 0
            ORDER BY s.id DESC LIMIT ?4 OFFSET ?5
            """, range + [.integer(page.limit), .integer(try page.offset())], read)
        return try ListPage(found, total: total ?? 0, from: page)
    }

    /// Adds a submission that waits for review.
    package func insert(
        _ items: [SubmissionItemDraft], of app: AppID, by submitter: ReviewParty, at date: Date
    ) throws -> SubmissionID {
        let row = try connection.row(
            """
            INSERT INTO review_submission (app, state, submitter, submitter_name, created, changed)
            VALUES (?1, 'WAITING_FOR_REVIEW', ?2, ?3, ?4, ?4) RETURNING id
            """,
            [
                .integer(app.number), .text(submitter.key), .text(submitter.name), .date(date),
            ]
        ) { $0.integer(0) }
        let id = try row.orMissing("submission")
        for item in items {
            var product: ProductID?
            var version: AppVersionID?
            switch item.subject {
            case .product(let id): product = id
            case .version(let id): version = id
            }
            let snapshot = try item.snapshot.map {
                String(decoding: try Self.encoder.encode($0), as: UTF8.self)
            }
            try connection.run(
                """
                INSERT INTO review_item (submission, product, app_version, name, content_version,
                    revision, snapshot, screenshot, state)
                VALUES (?1, (SELECT id FROM product WHERE app = ?2 AND product_id = ?3), ?4, ?5,
                    ?6, ?7, ?8, ?9, 'WAITING_FOR_REVIEW')
                """,
                [
                    .integer(id), .integer(app.number), .text(product?.text),
                    .text(version?.text), .text(item.name), .text(item.content?.text),
                    item.revision.map { .integer($0) } ?? .noInteger, .text(snapshot),
                    .text(item.snapshot?.screenshot),
                ])
        }
        return SubmissionID(number: id)
    }

    package func set(
        _ state: SubmissionState, claimant: ReviewParty?, of id: SubmissionID, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE review_submission SET state = ?2, claimant = ?3, claimant_name = ?4, changed = ?5
            WHERE id = ?1
            """,
            [
                .integer(id.number), .text(state.rawValue), .text(claimant?.key),
                .text(claimant?.name), .date(date),
            ])
    }

    // MARK: Items

    package func set(
        _ state: SubmissionItemState, message: String?, decider: ReviewParty?,
        of id: SubmissionItemID, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE review_item SET state = ?2, message = ?3, decider = ?4, decider_name = ?5,
                decided = ?6
            WHERE id = ?1
            """,
            [
                .integer(id.number), .text(state.rawValue), .text(message), .text(decider?.key),
                .text(decider?.name), .date(decider.map { _ in date }),
            ])
    }

    /// What of a product is with the reviewers; nil where nothing is.
    package func openItem(of product: ProductID, in app: AppID) throws -> SubmissionItem? {
        try connection.row(
            """
            SELECT i.id, i.submission, p.product_id, i.app_version, i.name, i.content_version,
                i.revision, i.state, i.message, i.decider, i.decider_name, i.decided, i.product
            FROM product p JOIN review_item i ON i.product = p.id
            WHERE p.app = ?1 AND p.product_id = ?2
                AND i.state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED')
            """, [.integer(app.number), .text(product.text)], readItem)
    }

    /// The item with which a version of an app is with the reviewers.
    package func openItem(of version: AppVersionID) throws -> SubmissionItem? {
        try connection.row(
            """
            SELECT id, submission, NULL, app_version, name, content_version, revision, state,
                message, decider, decider_name, decided, product
            FROM review_item
            WHERE app_version = ?1 AND state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED')
            """, [.text(version.text)], readItem)
    }

    /// What became of a product's submissions, the newest first.
    package func items(of product: ProductID, in app: AppID, limit: Int) throws -> [SubmissionItem]
    {
        try connection.rows(
            """
            SELECT i.id, i.submission, p.product_id, i.app_version, i.name, i.content_version,
                i.revision, i.state, i.message, i.decider, i.decider_name, i.decided, i.product
            FROM product p JOIN review_item i ON i.product = p.id
            WHERE p.app = ?1 AND p.product_id = ?2 ORDER BY i.id DESC LIMIT ?3
            """, [.integer(app.number), .text(product.text), .integer(limit)], readItem)
    }

    /// The same of a version of an app.
    package func items(of version: AppVersionID, limit: Int) throws -> [SubmissionItem] {
        try connection.rows(
            """
            SELECT id, submission, NULL, app_version, name, content_version, revision, state,
                message, decider, decider_name, decided, product
            FROM review_item WHERE app_version = ?1 ORDER BY id DESC LIMIT ?2
            """, [.text(version.text), .integer(limit)], readItem)
    }

    private func items(of submission: Int64) throws -> [SubmissionItem] {
        try connection.rows(
            """
            SELECT i.id, i.submission, p.product_id, i.app_version, i.name, i.content_version,
                i.revision, i.state, i.message, i.decider, i.decider_name, i.decided, i.product
            FROM review_item i LEFT JOIN product p ON p.id = i.product
            WHERE i.submission = ?1 ORDER BY i.id
            """, [.integer(submission)], readItem)
    }

    /// The product as it was submitted; nil for a version.
    package func snapshot(of item: SubmissionItemID) throws -> ProductSnapshot? {
        let text = try connection.row(
            "SELECT snapshot FROM review_item WHERE id = ?1", [.integer(item.number)]
        ) { $0.optionalText(0) }
        return try Self.snapshot(text ?? nil)
    }

    /// The product as it was approved last before an item was submitted; nil where it never
    /// was.
    package func approvedSnapshot(
        of product: ProductID, in app: AppID, before item: SubmissionItemID?
    ) throws -> ProductSnapshot? {
        let text = try connection.row(
            """
            SELECT i.snapshot FROM product p JOIN review_item i ON i.product = p.id
            WHERE p.app = ?1 AND p.product_id = ?2 AND i.state = 'APPROVED' AND i.id < ?3
            ORDER BY i.id DESC LIMIT 1
            """,
            [
                .integer(app.number), .text(product.text),
                .integer(item?.number ?? Int64.max),
            ]
        ) { $0.text(0) }
        return try Self.snapshot(text)
    }

    /// Products of an app that have something to be submitted, by identifier.
    package func submittable(of app: AppID, limit: Int) throws -> [SubmittableProduct] {
        try connection.rows(
            """
            SELECT product_id, reference_name, state, has_texts, has_content FROM (
                SELECT p.product_id, p.reference_name, p.state,
                    EXISTS (SELECT 1 FROM product_revision r WHERE r.product = p.id AND r.state IN (
                        'PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'DEVELOPER_REJECTED'))
                        AS has_texts,
                    EXISTS (SELECT 1 FROM content_release c WHERE c.product = p.id
                        AND c.state = 'READY_TO_SUBMIT' AND c.retired IS NULL) AS has_content
                FROM product p
                WHERE p.app = ?1 AND p.deleted IS NULL AND p.state IN ('READY_TO_SUBMIT',
                        'APPROVED', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE')
                    AND NOT EXISTS (SELECT 1 FROM review_item i WHERE i.product = p.id
                        AND i.state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED'))) found
            WHERE state = 'READY_TO_SUBMIT' OR has_texts OR has_content
            ORDER BY product_id LIMIT ?2
            """, [.integer(app.number), .integer(limit)]
        ) { row in
            SubmittableProduct(
                id: try row.value(0) { ProductID($0) }, referenceName: row.text(1),
                state: try row.value(2, ProductState.init(rawValue:)),
                hasNewTexts: row.integer(3) == 1, hasNewContent: row.integer(4) == 1)
        }
    }

    // MARK: Staff

    /// How many of the store's staff could review, other than somebody.
    package func reviewers(otherThan party: ReviewParty) throws -> Int {
        let count = try connection.row(
            """
            SELECT count(*) FROM person
            WHERE staff_role IS NOT NULL AND disabled IS NULL AND 'person ' || id <> ?1
            """, [.text(party.key)]
        ) { Int($0.integer(0)) }
        return count ?? 0
    }

    // MARK: Sale

    /// Notes that a product was taken from sale, or put back.
    package func insert(_ change: SaleChange, of product: ProductID, in app: AppID, at date: Date)
        throws
    {
        try connection.run(
            """
            INSERT INTO product_sale_change (product, step, before, after, reason, actor,
                actor_name, date)
            VALUES ((SELECT id FROM product WHERE app = ?1 AND product_id = ?2), ?3, ?4, ?5, ?6,
                ?7, ?8, ?9)
            """,
            [
                .integer(app.number), .text(product.text), .text(change.step.rawValue),
                .text(change.before.rawValue), .text(change.after.rawValue),
                .text(change.reason), .text(change.actor.key), .text(change.actor.name),
                .date(date),
            ])
    }

    /// How a product came to be where it is sold, the newest change first.
    package func saleChanges(of product: ProductID, in app: AppID, limit: Int) throws
        -> [SaleChange]
    {
        try connection.rows(
            """
            SELECT c.step, c.before, c.after, c.reason, c.actor, c.actor_name, c.date
            FROM product p JOIN product_sale_change c ON c.product = p.id
            WHERE p.app = ?1 AND p.product_id = ?2 ORDER BY c.id DESC LIMIT ?3
            """, [.integer(app.number), .text(product.text), .integer(limit)]
        ) { row in
            SaleChange(
                step: try row.value(0, ProductStep.init(rawValue:)),
                before: try row.value(1, ProductState.init(rawValue:)),
                after: try row.value(2, ProductState.init(rawValue:)), reason: row.text(3),
                actor: ReviewParty(key: row.text(4), name: row.text(5)), date: row.date(6))
        }
    }

    // MARK: Reading

    private func read(_ row: any SQLRow) throws -> Submission {
        Submission(
            id: SubmissionID(number: row.integer(0)), app: AppID(number: row.integer(1)),
            team: row.integer(2), bundleID: try row.value(3) { BundleID($0) },
            appName: row.text(4), state: try row.value(5, SubmissionState.init(rawValue:)),
            submitter: ReviewParty(key: row.text(6), name: row.text(7)),
            claimant: row.isNull(8) ? nil : ReviewParty(key: row.text(8), name: row.text(9)),
            created: row.date(10), changed: row.date(11), items: try items(of: row.integer(0)))
    }

    private func readItem(_ row: any SQLRow) throws -> SubmissionItem {
        let subject: SubmissionItem.Subject =
            row.isNull(3)
            ? .product(try row.value(2) { ProductID($0) })
            : .version(try row.value(3) { AppVersionID($0) })
        return SubmissionItem(
            id: SubmissionItemID(number: row.integer(0)),
            submission: SubmissionID(number: row.integer(1)), subject: subject,
            product: row.optionalInteger(12).map { ProductNumber(number: $0) },
            name: row.text(4),
            content: row.isNull(5) ? nil : try row.value(5) { ContentVersion($0) },
            revision: row.optionalInteger(6).map { Int($0) },
            state: try row.value(7, SubmissionItemState.init(rawValue:)),
            message: row.optionalText(8),
            decider: row.isNull(9) ? nil : ReviewParty(key: row.text(9), name: row.text(10)),
            decided: row.isNull(11) ? nil : row.date(11))
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    private static func snapshot(_ text: String?) throws -> ProductSnapshot? {
        guard let text else { return nil }
        guard let snapshot = try? JSONDecoder().decode(ProductSnapshot.self, from: Data(text.utf8))
        else {
            throw SQLError(code: .corrupt, "the database holds a snapshot that can't be read")
        }
        return snapshot
    }
}
