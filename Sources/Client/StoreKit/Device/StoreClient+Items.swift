import FoundationNetworking
import StoreModel
import StoreWire

/// Items of the storefront: their pages, and what a customer does with them.
extension StoreClient {
    func itemPage(
        _ id: Int64, storefront: String, session: SessionAnswer?
    ) async throws -> ItemPageAnswer {
        let path = DeviceRoute.itemPage(id, storefront: storefront)
        let (data, _) = try await answer(to: request("GET", path, session: session))
        return try WireCoding.decode(ItemPageAnswer.self, from: data)
    }

    /// - Parameter sort: one of `ItemReviewsAnswer.orders`.
    func itemReviews(
        _ id: Int64, sort: String, page: Int, session: SessionAnswer?
    ) async throws -> ItemReviewsAnswer {
        let path = DeviceRoute.itemReviews(id, sort: sort, page: page)
        let (data, _) = try await answer(to: request("GET", path, session: session))
        return try WireCoding.decode(ItemReviewsAnswer.self, from: data)
    }

    func buyItem(_ id: Int64, _ order: ItemOrderRequest, session: SessionAnswer) async throws {
        _ = try await answer(
            to: request("POST", DeviceRoute.itemSales(id), order, session: session))
    }

    func writeReview(
        _ review: ReviewRequest, on id: Int64, session: SessionAnswer
    ) async throws -> WireReview {
        try await post(DeviceRoute.itemReview(id), review, session: session)
    }

    func removeReview(on id: Int64, session: SessionAnswer) async throws {
        _ = try await answer(
            to: request("DELETE", DeviceRoute.itemReview(id), session: session))
    }

    func vote(_ isHelpful: Bool, on review: Int64, session: SessionAnswer) async throws {
        let vote = ReviewVoteRequest(isHelpful: isHelpful)
        _ = try await answer(
            to: request("POST", DeviceRoute.reviewVotes(review), vote, session: session))
    }

    /// The file for buyers of an item, from one of its bytes on.
    ///
    /// - Parameter restart: whether the answer has all of it instead; called first.
    func itemFile(
        _ id: Int64, from offset: Int64, session: SessionAnswer,
        restart: @escaping @Sendable () throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        var request = request("GET", DeviceRoute.itemFile(id), session: session)
        // All of it: who streams can't say it again.
        request.setValue(profile.text, forHTTPHeaderField: DeviceRoute.profileHeader)
        if offset > 0 { request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range") }
        try await transport.stream(
            request,
            accept: { response in
                switch response.statusCode {
                case 206 where offset > 0: return
                case 200: if offset > 0 { try restart() }
                case 401:
                    throw WireError(code: .notSignedIn, message: "The session has ended.")
                case 403:
                    throw WireError(
                        code: .itemNotOwned, message: "The account may not have the file.")
                case let status: throw Self.transferFailure(status: status)
                }
            }, sink: sink)
    }
}
