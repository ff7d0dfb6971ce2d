import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Items of the storefront for apps that show them: the page, its reviews, and what a signed-in
/// customer does there. The rules are those of the storefront's own pages.
struct DeviceItems: Sendable {
    /// As many as a page of the storefront shows.
    private static let reviewsPerPage = 10
    private static let lastReviewPage = 500

    let services: APIServices

    // MARK: Reading

    func page(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let storefront = try Self.storefront(of: request, caller)
        let shown = try await item(request, caller, in: storefront)
        let answer = ItemPageWriter(
            services: services, environment: caller.environment,
            links: StorefrontLinks(base: caller.profile.baseURL))
        return try .json(try await answer.page(of: shown, for: caller.account))
    }

    func reviews(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try Self.requireOwnEnvironment(caller)
        let id = try Self.itemID(request)
        let sort = Self.query("sort", of: request) ?? ReviewOrder.mostHelpful.rawValue
        guard let order = ReviewOrder(rawValue: sort) else {
            throw WireError(
                code: .malformedRequest,
                message: "sort is one of \(ItemReviewsAnswer.orders.joined(separator: ", ")).")
        }
        let text = Self.query("page", of: request) ?? "1"
        guard let number = Int(text), (1...Self.lastReviewPage).contains(number) else {
            throw WireError(
                code: .malformedRequest,
                message: "page is a number from 1 to \(Self.lastReviewPage).")
        }
        func reviews(_ page: Int) async throws -> ReviewPage {
            try await services.customerReviews.reviews(
                of: id, in: nil, by: order, page: page, size: Self.reviewsPerPage,
                environment: caller.environment)
        }
        var found = try await reviews(number)
        let pages = max(1, (found.total + Self.reviewsPerPage - 1) / Self.reviewsPerPage)
        if number > pages { found = try await reviews(pages) }
        return try .json(
            ItemReviewsAnswer(
                reviews: found.reviews.map { WireReview($0, isOwn: false) },
                page: min(number, pages), pages: pages))
    }

    // MARK: The customer

    func buy(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let order = try WireCoding.decode(ItemOrderRequest.self, from: request.body)
        do {
            _ = try await services.itemSales.buy(
                try Self.itemID(request), expecting: order.price, by: try caller.signedIn(),
                referral: Referral(
                    affiliateToken: order.at, campaign: order.ct, provider: order.pt))
        } catch let refusal as ItemSaleRefusal {
            throw WireError(refusal)
        }
        return HTTPResponse(status: 204)
    }

    func file(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id = try Self.itemID(request)
        switch try await services.itemSales.right(to: id, of: try caller.signedIn()) {
        case .given: break
        case .notOwned:
            throw WireError(
                code: .itemNotOwned,
                message: "The account has not got the item \(id); buy it first.")
        case .withheld:
            throw WireError(
                code: .itemNotOwned,
                message: "The item \(id) is another publisher's. Testers pay nothing, so they "
                    + "download what their own publisher sells.")
        }
        guard let file = try await ItemDownload.of(id, services),
            let answer = try await file.answer(to: request, services)
        else { throw Self.noFile(id) }
        return answer
    }

    func writeReview(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(ReviewRequest.self, from: request.body)
        do {
            let review = try await services.customerReviews.write(
                ReviewDraft(
                    rating: wanted.rating, title: wanted.title, body: wanted.body,
                    nickname: wanted.nickname),
                on: try Self.itemID(request), by: try caller.signedIn())
            return try .json(WireReview(review, isOwn: true))
        } catch let refusal as ReviewRefusal {
            throw WireError(refusal)
        }
    }

    func removeReview(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await services.customerReviews.remove(
            on: try Self.itemID(request), by: try caller.signedIn())
        return HTTPResponse(status: 204)
    }

    func vote(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let vote = try WireCoding.decode(ReviewVoteRequest.self, from: request.body)
        guard let id = ReviewID(request.parameters.first ?? "") else {
            throw WireError(ReviewRefusal.reviewUnknown)
        }
        do {
            try await services.customerReviews.vote(
                vote.isHelpful, on: id, by: try caller.signedIn())
        } catch let refusal as ReviewRefusal {
            throw WireError(refusal)
        }
        return HTTPResponse(status: 204)
    }

    // MARK: Parts

    /// The item, where the storefront has it.
    private func item(
        _ request: HTTPRequest, _ caller: Caller, in storefront: Storefront
    ) async throws -> StorefrontItem {
        try Self.requireOwnEnvironment(caller)
        let id = try Self.itemID(request)
        let seen = services.storefront.seen(in: caller.environment)
        guard let item = try await seen.item(id, in: storefront) else {
            try await ItemAvailability(services: services).require(id, in: storefront)
            throw ItemAvailability.unknown(id.description)
        }
        return item
    }

    private static func requireOwnEnvironment(_ caller: Caller) throws {
        guard caller.profile.environment == caller.environment else {
            throw WireError.wrongEnvironment(of: caller.profile, in: caller.environment)
        }
    }

    private static func itemID(_ request: HTTPRequest) throws -> ItemID {
        let text = request.parameters.first ?? ""
        guard let id = ItemID(text) else { throw ItemAvailability.unknown(text) }
        return id
    }

    /// The account's storefront; the one that is named if nobody is signed in.
    private static func storefront(
        of request: HTTPRequest, _ caller: Caller
    ) throws -> Storefront {
        if let account = caller.account { return account.storefront }
        guard let name = query("storefront", of: request) else { return .unitedStates }
        guard let storefront = Storefront.named(name) else {
            throw WireError(
                code: .malformedRequest,
                message: "storefront is the code of a country such as JPN, not \"\(name)\".")
        }
        return storefront
    }

    private static func query(_ name: String, of request: HTTPRequest) -> String? {
        request.query.first { $0.name == name }?.value
    }

    private static func noFile(_ id: ItemID) -> WireError {
        WireError(code: .contentNotFound, message: "There is no file of the item \(id).")
    }
}
