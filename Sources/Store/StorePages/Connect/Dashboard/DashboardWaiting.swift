import StoreCore

/// What waits: for the store's reviewers, or of what a team has submitted.
enum DashboardWaiting {
    /// As many submissions as are shown.
    private static let limit = 5

    static func html(_ call: PortalCall) async throws -> HTML {
        let reviews = call.services.reviews
        if call.actor.team == nil {
            guard call.actor.allows(.review) else { return .nothing }
            let found = try await reviews.queue(PageRequest(limit: limit), by: call.actor)
            return panel(
                "Waiting for Review", found, all: PortalSection.review.path,
                path: { QueuePages.path($0.id) })
        }
        guard call.actor.allows(.viewApps) else { return .nothing }
        let open = SubmissionState.allCases.filter(\.isOpen)
        let found = try await reviews.submissions(
            states: open, PageRequest(limit: limit), by: call.actor)
        return panel("In Review", found, all: nil, path: { SubmissionPages.path($0) })
    }

    private static func panel(
        _ title: String, _ found: ListPage<Submission>, all: String?,
        path: (Submission) -> String
    ) -> HTML {
        guard !found.items.isEmpty else { return .nothing }
        let total = found.total ?? found.items.count
        return PortalPanel(
            title,
            actions: total > found.items.count
                ? [all.map { .link($0, "All \(total)") } ?? .nothing] : [],
            [
                PortalTable(
                    title,
                    columns: [.init("What"), .init("App"), .init("Submitted"), .init("State")],
                    rows: found.items.map { submission in
                        [
                            .link(path(submission), [.text(QueuePages.summary(submission))]),
                            .foreign(submission.appName), PortalFormatting.time(submission.created),
                            submission.state.badge.html,
                        ]
                    }, none: ("", "")
                ).html()
            ]
        ).html
    }
}
