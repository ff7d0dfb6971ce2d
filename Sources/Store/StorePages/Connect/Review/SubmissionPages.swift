import StoreCore
import StoreModel

/// What publishers see of their submissions: where they stand, and what reviewers say.
enum SubmissionPages {
    static func path(_ app: AppID) -> String {
        "\(AppPages.path(app))/submissions"
    }

    static func path(_ submission: Submission) -> String {
        "\(path(submission.app))/\(submission.id)"
    }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        let found = try await call.services.reviews.submissions(
            of: app.id, call.pageRequest, by: call.actor)
        let table = PortalTable(
            "Submissions, the newest first",
            columns: [.init("What"), .init("Submitted"), .init("By"), .init("State")],
            rows: found.items.map { submission in
                [
                    .link(path(submission), [.text(QueuePages.summary(submission))]),
                    PortalFormatting.time(submission.created), .foreign(submission.submitter.name),
                    state(submission),
                ]
            },
            none: (
                "Nothing submitted yet",
                "Products and versions go through review before customers can buy them."
            ))
        var page = PortalPage(
            app.name,
            [table.html(), PortalPaging(page: call.page, total: found.total ?? 0).html(call)],
            in: .apps)
        page.kind = "Submissions"
        page.trail = AppTabs.trail(app)
        page.tabs = AppTabs.html(of: app, current: "/apps/{id}/submissions", call)
        if call.actor.allows(.submit) {
            page.actions = [.buttonLink("\(path(app.id))/new", "Submit for Review", isMeant: true)]
        }
        return .page(page)
    }

    /// The state, and whether the reviewers want something.
    private static func state(_ submission: Submission) -> HTML {
        let asks = submission.items.filter {
            $0.state == .rejected || $0.state == .developerActionNeeded || $0.state == .returned
        }
        guard !asks.isEmpty else { return submission.state.badge.html }
        return .group([
            submission.state.badge.html, .text(" "),
            PortalBadge(
                asks.count == 1 ? asks[0].state.badge.text : "\(asks.count) sent back", .warn
            ).html,
        ])
    }

    // MARK: One submission

    /// The submission in the path, of the app in the path.
    private static func submission(
        _ call: PortalCall
    ) async throws -> (submission: Submission, app: App) {
        let app = try await AppTabs.app(call).app
        guard let id = SubmissionID(call.parameter(1)) else {
            throw ConnectRefusal.notFound("submission", call.parameter(1))
        }
        let found = try await call.services.reviews.submission(id, by: call.actor)
        guard found.app == app.id else {
            throw ConnectRefusal.notFound("submission", id.description)
        }
        return (found, app)
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let (submission, app) = try await submission(call)
        return .page(page(submission, of: app, PortalForm(call), call))
    }

    private static func page(
        _ submission: Submission, of app: App, _ form: PortalForm, _ call: PortalCall
    ) -> PortalPage {
        var content: [HTML] = [form.notices]
        content.append(
            PortalFacts([
                ("Submitted by", .foreign(submission.submitter.name)),
                ("Submitted", PortalFormatting.time(submission.created)),
                ("Reviewer", .foreign(submission.claimant == nil ? "Nobody yet" : "A reviewer")),
            ]).html)
        content += submission.items.map { panel($0, of: submission, call) }
        var page = PortalPage(QueuePages.summary(submission), content, in: .apps)
        page.kind = "Submission \(submission.id)"
        page.badge = submission.state.badge.html
        page.trail = AppTabs.trail(app) + [.init("Submissions", path(app.id))]
        if submission.state == .waitingForReview, call.actor.allows(.submit) {
            page.lead = "A reviewer will look at it. Until then it can be taken back."
            page.actions = [
                form.button(
                    "Take Back", to: "\(path(submission))/withdraw",
                    question: "Take everything in this submission back?")
            ]
        }
        return page
    }

    private static func panel(
        _ item: SubmissionItem, of submission: Submission, _ call: PortalCall
    ) -> HTML {
        let link: HTML =
            switch item.subject {
            case .product:
                item.product.map {
                    .link("\(SalePages.path($0))/review", "Open the product")
                } ?? .nothing
            case .version(let id):
                .link(
                    "\(AppPages.path(submission.app))/versions/\(id)", "Open the version")
            }
        return PortalPanel(
            item.name,
            actions: [link],
            [
                .element(
                    "p", [],
                    [
                        item.state.badge.html,
                        .text(
                            " \(SubmissionComponents.kind(of: item)). \(SubmissionComponents.contents(of: item))"
                        ),
                    ]),
                SubmissionComponents.message(item),
                item.message == nil
                    ? item.state.advice.map { .element("p", $0) } ?? .nothing : .nothing,
                item.decided.map { date in
                    .element(
                        "p", class: "quiet", [.text("Decided "), PortalFormatting.time(date)])
                } ?? .nothing,
            ]
        ).html
    }

    static func withdraw(_ call: PortalCall) async throws -> PortalAnswer {
        let (submission, app) = try await submission(call)
        return try await call.submit {
            _ = try await call.services.reviews.withdraw(submission.id, by: call.actor)
            return .redirect(to: path(app.id), notice: "The submission is taken back.")
        } again: {
            page(submission, of: app, $0, call)
        }
    }

    /// Takes a version of the app out of review, or cancels its release.
    static func withdrawVersion(_ call: PortalCall) async throws -> PortalAnswer {
        let subject = try await VersionPages.subject(call)
        return try await call.submit {
            try await call.services.reviews.withdraw(version: subject.version.id, by: call.actor)
            return .redirect(
                to: VersionPages.path(subject.version), notice: "The version is withdrawn.")
        } again: {
            VersionPages.page(subject, call, step: $0)
        }
    }
}
