import StoreCore
import StoreModel

extension SubmissionState {
    /// As people read it.
    package var badge: PortalBadge {
        switch self {
        case .waitingForReview: PortalBadge("Waiting for Review", .busy)
        case .inReview: PortalBadge("In Review", .busy)
        case .complete: PortalBadge("Decided", .good)
        case .withdrawn: PortalBadge("Taken Back", .plain)
        }
    }
}

extension SubmissionItemState {
    /// As people read it.
    package var badge: PortalBadge {
        switch self {
        case .waitingForReview: PortalBadge("Waiting for Review", .busy)
        case .inReview: PortalBadge("In Review", .busy)
        case .accepted: PortalBadge("Pending Binary Approval", .busy)
        case .approved: PortalBadge("Approved", .good)
        case .rejected: PortalBadge("Rejected", .bad)
        case .developerActionNeeded: PortalBadge("Developer Action Needed", .warn)
        case .withdrawn: PortalBadge("Taken Back", .plain)
        case .returned: PortalBadge("Returned Undecided", .warn)
        }
    }

    /// What its publisher does now; nil where there is nothing to be done.
    package var advice: String? {
        switch self {
        case .rejected:
            "Change what the message is about, then submit it again. Rejected content takes a "
                + "newer version."
        case .developerActionNeeded:
            "Do what the message asks for, then submit it again. Content may go again as it is."
        case .returned:
            "The app version beside it was not approved. Submit it with the next one, or alone."
        case .accepted: "It is approved as soon as the app version beside it is."
        case .withdrawn: "Submit it again whenever you want."
        case .waitingForReview, .inReview, .approved: nil
        }
    }
}

extension ContentState {
    /// As people read it.
    package var badge: PortalBadge {
        switch self {
        case .readyToSubmit: PortalBadge("Ready to Submit", .plain)
        case .waitingForReview: PortalBadge("Waiting for Review", .busy)
        case .inReview: PortalBadge("In Review", .busy)
        case .approved: PortalBadge("Approved", .good)
        case .rejected: PortalBadge("Rejected", .bad)
        }
    }
}

/// Components that the pages of publishers and of reviewers have in common.
enum SubmissionComponents {
    /// What somebody said about an item, and what follows from it.
    static func message(_ item: SubmissionItem) -> HTML {
        guard let message = item.message else { return .nothing }
        return PortalNotice(
            item.state == .rejected ? .bad : .warn,
            [
                .element(
                    "p", class: "title",
                    "The reviewer says\(item.decider.map { " (\($0.name))" } ?? "")"),
                .element("p", class: "letter", [.foreign(message)]),
                item.state.advice.map { .element("p", $0) } ?? .nothing,
            ]
        ).html
    }

    /// What became of the last submission of a version of an app; nothing where it never was
    /// submitted.
    static func latest(
        of version: AppVersionID, in app: AppID, _ call: PortalCall
    ) async throws -> HTML {
        let history = try await call.services.reviews.history(of: version, by: call.actor)
        guard let item = history.first else { return .nothing }
        let path = "\(SubmissionPages.path(app))/\(item.submission)"
        return .group([
            message(item),
            .element(
                "p", class: "quiet",
                [
                    .link(path, "Submission \(item.submission)"), .text(": "),
                    item.state.badge.html,
                ]),
        ])
    }

    static func kind(of item: SubmissionItem) -> String {
        item.isVersion ? "App version" : "In-app purchase"
    }

    /// `Texts, content 1.1`.
    static func contents(of item: SubmissionItem) -> String {
        guard !item.isVersion else { return "Binary and texts" }
        let parts = [
            item.revision.map { $0 == 1 ? "All of it" : "Texts" },
            item.content.map { "content \($0)" },
        ].compactMap { $0 }
        return parts.joined(separator: ", ")
    }
}

extension PortalServices {
    var reviews: ReviewService { ReviewService(database: database, clock: clock) }
    var saleChanges: SaleService { SaleService(database: database, clock: clock) }
    var hosting: ContentService { ContentService(database: database, clock: clock) }
}
