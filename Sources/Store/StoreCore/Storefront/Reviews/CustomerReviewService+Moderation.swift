import Foundation
import StoreModel

/// Reviews as moderators and publishers treat them. Refusals are `ConnectRefusal`s.
extension CustomerReviewService {
    /// The longest answer of a publisher, and the longest reason of a moderator, characters.
    package static let responseLength = 6000
    package static let reasonLength = 500

    /// Reviews, the newest first: those of all teams for moderators; for publishers the
    /// published ones of their own items.
    ///
    /// - Parameters:
    ///   - states: empty for all that the actor may see.
    ///   - environment: nil for both.
    package func page(
        states: Set<CustomerReviewState> = [], item: ItemID? = nil, rating: Int? = nil,
        environment: StoreEnvironment? = nil, _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<CustomerReview> {
        let isModerator = actor.allows(.moderateReviews) && actor.team == nil
        if !isModerator { try actor.require(.viewApps) }
        let seen: Set<CustomerReviewState> =
            isModerator ? Set(CustomerReviewState.allCases) : [.published]
        let wanted = states.isEmpty ? seen : seen.intersection(states)
        return try await shop.read(as: actor) { work in
            try work.customerReviews.page(
                of: actor.team, states: wanted, item: item, rating: rating,
                environment: environment, request)
        }
    }

    /// A review that the actor may see.
    package func review(_ id: ReviewID, by actor: ConnectActor) async throws -> CustomerReview {
        let isModerator = actor.allows(.moderateReviews) && actor.team == nil
        if !isModerator { try actor.require(.viewApps) }
        return try await shop.read(as: actor) { work in
            try Self.open(id, isModerator: isModerator, work).review
        }
    }

    /// Publishes a review, or takes it from the others' sight.
    ///
    /// - Parameter reason: why it is rejected; not kept where it is published.
    package func decide(
        _ id: ReviewID, publish: Bool, reason: String, by actor: ConnectActor
    ) async throws -> CustomerReview {
        try actor.require(.moderateReviews)
        let reason = try ConnectText.checked(
            reason, field: "reason", name: "reason", in: (publish ? 0 : 1)...Self.reasonLength,
            allowsLines: true)
        return try await shop.write(as: actor) { work in
            var (review, item) = try Self.open(id, isModerator: true, work)
            let before = review
            review.state = publish ? .published : .rejected
            review.holdReason = publish ? nil : reason
            guard review != before else { return review }
            try work.customerReviews.update(review)
            try work.note(
                publish ? "customerReview.publish" : "customerReview.reject",
                on: Self.subject(review), of: item.team, before: before.state.rawValue,
                after: publish ? review.state.rawValue : reason)
            return review
        }
    }

    /// Answers a published review of one's own item, or changes the answer.
    ///
    /// - Parameter text: nil takes the answer away.
    package func respond(
        to id: ReviewID, text: String?, by actor: ConnectActor
    ) async throws -> CustomerReview {
        try actor.require(.respondToReviews)
        let text = try text.map {
            try ConnectText.checked(
                $0, field: "responseBody", name: "answer", in: 1...Self.responseLength,
                allowsLines: true)
        }
        return try await shop.write(as: actor) { work in
            var (review, item) = try Self.open(id, isModerator: false, work)
            let before = review.response
            guard before != text else { return review }
            review.response = text
            review.responseDate = text == nil ? nil : work.now
            try work.customerReviews.update(review)
            try work.note(
                text == nil
                    ? "customerReview.removeResponse" : "customerReview.respond",
                on: Self.subject(review), of: item.team, before: before, after: text)
            return review
        }
    }

    private static func subject(_ review: CustomerReview) -> String {
        "review \(review.id) of item \(review.item)"
    }

    /// A review with its item; what the actor may not see is not there.
    private static func open(
        _ id: ReviewID, isModerator: Bool, _ work: UnitOfWork
    ) throws -> (review: CustomerReview, item: Item) {
        guard let review = try work.customerReviews.review(id),
            isModerator || review.state == .published,
            let item = try work.items.item(review.item), work.actor.sees(team: item.team)
        else { throw ConnectRefusal.notFound("review", id.description) }
        return (review, item)
    }
}
