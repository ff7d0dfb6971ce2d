import StoreCore
import StoreModel

/// What the store's reviewers see: the queue, and what was submitted beside what was
/// approved before.
enum QueuePages {
    static func path(_ id: SubmissionID) -> String { "\(PortalSection.review.path)/\(id)" }

    /// The submission in the path.
    private static func submission(_ call: PortalCall) async throws -> Submission {
        guard let id = SubmissionID(call.id) else {
            throw ConnectRefusal.notFound("submission", call.id)
        }
        return try await call.services.reviews.submission(id, by: call.actor)
    }

    // MARK: The queue

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let found = try await call.services.reviews.queue(call.pageRequest, by: call.actor)
        let table = PortalTable(
            "What waits for a decision, the oldest first",
            columns: [
                .init("Submission"), .init("What"), .init("Submitted"), .init("State"),
                .init("Reviewer"),
            ],
            rows: found.items.map { submission in
                [
                    .link(path(submission.id), [.foreign(submission.appName)]),
                    .text(summary(submission)), PortalFormatting.time(submission.created),
                    submission.state.badge.html,
                    .foreign(submission.claimant?.name ?? "—"),
                ]
            },
            none: ("Nothing waits", "What publishers submit appears here, the oldest first."))
        var page = PortalPage(
            "Review",
            [table.html(), PortalPaging(page: call.page, total: found.total ?? 0).html(call)],
            in: .review)
        page.lead = "Claim a submission to begin its review, then decide about each part of it."
        return .page(page)
    }

    /// `Version 1.2 and 3 products`.
    static func summary(_ submission: Submission) -> String {
        let version = submission.items.first(where: \.isVersion)?.name
        let products = submission.items.filter { !$0.isVersion }
        let words =
            products.count == 1
            ? products[0].name : PortalFormatting.count(products.count, "product", "products")
        guard let version else { return words }
        return products.isEmpty ? version : "\(version) and \(words)"
    }

    // MARK: One submission

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(try await submission(call), PortalForm(call), call))
    }

    static func claim(_ call: PortalCall) async throws -> PortalAnswer {
        let submission = try await submission(call)
        return try await call.submit {
            _ = try await call.services.reviews.claim(submission.id, by: call.actor)
            return .redirect(to: path(submission.id), notice: "You review this now.")
        } again: {
            try await page(submission, $0, call)
        }
    }

    static func decide(_ call: PortalCall) async throws -> PortalAnswer {
        let submission = try await submission(call)
        guard let id = SubmissionItemID(call.parameter(1)),
            let item = submission.items.first(where: { $0.id == id })
        else { throw ConnectRefusal.notFound("review item", call.parameter(1)) }
        return try await call.submit {
            let message = call.form["message"]
            let decision: ReviewDecision =
                switch call.form["decision"] {
                case "approve": .approve
                case "reject": .reject(message)
                case "ask": .askDeveloper(message)
                default:
                    throw ConnectRefusal(
                        .invalid, rule: "decisionMissing", field: "decision",
                        "No decision was chosen.", help: "Choose one.")
                }
            let decided = try await call.services.reviews.decide(
                decision, on: id, by: call.actor)
            let state = decided.items.first { $0.id == id }?.state.badge.text ?? ""
            return .redirect(
                to: decided.state.isOpen ? path(submission.id) : PortalSection.review.path,
                notice: "\(item.name): \(state).")
        } again: {
            try await page(submission, $0, call, deciding: id)
        }
    }

    /// - Parameter deciding: the item whose form comes back with what was wrong.
    private static func page(
        _ submission: Submission, _ form: PortalForm, _ call: PortalCall,
        deciding: SubmissionItemID? = nil
    ) async throws -> PortalPage {
        var panels: [HTML] = []
        for item in submission.items {
            panels.append(
                try await panel(
                    item, of: submission,
                    // Only one form of the page can have been sent.
                    deciding == item.id ? form : PortalForm(call), call))
        }
        var page = PortalPage(submission.appName, [facts(submission)] + panels, in: .review)
        page.kind = "Submission \(submission.id)"
        page.badge = submission.state.badge.html
        page.trail = [.init("Review", PortalSection.review.path)]
        if deciding == nil, !form.refusals.isEmpty {
            page.content.insert(refusals(form), at: 0)
        }
        let isMine = submission.claimant == ReviewParty(call.actor)
        if submission.state.isOpen, !isMine {
            page.actions = [
                PortalForm(call).button(
                    submission.claimant == nil ? "Begin Review" : "Take Over",
                    to: "\(path(submission.id))/claim", look: .primary)
            ]
        }
        return page
    }

    private static func refusals(_ form: PortalForm) -> HTML {
        PortalNotice(.bad, form.refusals.map { .element("p", $0.description) }, isNews: true).html
    }

    private static func facts(_ submission: Submission) -> HTML {
        PortalFacts([
            ("App", .element("code", submission.bundleID.text)),
            ("Submitted by", .foreign(submission.submitter.name)),
            ("Submitted", PortalFormatting.time(submission.created)),
            ("Reviewer", .foreign(submission.claimant?.name ?? "Nobody yet")),
        ]).html
    }

    private static func panel(
        _ item: SubmissionItem, of submission: Submission, _ form: PortalForm, _ call: PortalCall
    ) async throws -> HTML {
        var content: [HTML] = [
            .element(
                "p", [],
                [
                    item.state.badge.html,
                    .text(
                        " \(SubmissionComponents.kind(of: item)). \(SubmissionComponents.contents(of: item))"
                    ),
                ]),
            SubmissionComponents.message(item),
        ]
        if let comparison = try await call.services.reviews.comparison(
            of: item.id, by: call.actor)
        {
            content += await ComparisonComponents.html(comparison, of: item, in: submission, call)
        } else if case .version(let id) = item.subject {
            content.append(try await version(id, call))
        }
        let isMine = submission.claimant == ReviewParty(call.actor)
        if submission.state == .inReview, isMine, item.state == .inReview {
            content.append(DecisionForm.html(item, of: submission, form))
        }
        return PortalPanel(item.name, content).html
    }

    private static func version(_ id: AppVersionID, _ call: PortalCall) async throws -> HTML {
        let service = AppVersionService(
            database: call.services.database, clock: call.services.clock)
        let found = try await service.version(id, by: call.actor)
        let build = found.builds.first { $0.id == found.version.build }
        return PortalFacts([
            ("Version", .text("\(found.version.version) for \(found.version.platform.title)")),
            (
                "Build",
                .text(
                    build.map { "\($0.number), \(PortalFormatting.bytes($0.size))" } ?? "—")
            ),
            ("SHA-256", .element("code", build?.digest.text ?? "—")),
            ("What’s new", .foreign(found.version.whatsNew.isEmpty ? "—" : found.version.whatsNew)),
            (
                "Note for the review",
                .foreign(found.version.reviewNote.isEmpty ? "—" : found.version.reviewNote)
            ),
        ]).html
    }
}
