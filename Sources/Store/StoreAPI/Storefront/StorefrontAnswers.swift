import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreSecurity

/// Makes the answers of search, lookups and feeds, and keeps them while the storefront stays as
/// it is.
final class StorefrontAnswers: Sendable {
    private struct Key: Hashable, Sendable {
        let question: StorefrontQuestion
        let context: StorefrontContext
    }

    /// Bytes of answers, and of the results that they are joined from.
    private static let answerRoom = 32 << 20
    private static let resultRoom = 64 << 20

    let services: APIServices
    let results: ResultRows
    private let answers = Cache<Key, StorefrontAnswer>(
        limit: answerRoom,
        cost: { $1.body.count + $0.question.size + $0.context.links.base.utf8.count })

    init(services: APIServices) {
        self.services = services
        results = ResultRows(services: services, room: Self.resultRoom)
    }

    /// The answer to a question that was asked since the storefront last changed.
    func known(
        _ question: StorefrontQuestion, from context: StorefrontContext
    ) -> StorefrontAnswer? {
        guard let generation = services.database.knownStorefrontGeneration() else { return nil }
        return answers.value(
            for: Key(question: question, context: context), version: generation)
    }

    /// Works an answer out and keeps it, once for all that ask at the same time.
    func make(
        _ question: StorefrontQuestion, from context: StorefrontContext
    ) async throws -> StorefrontAnswer {
        // Asked before anything is read: what changes meanwhile is read anew the next time.
        let generation = try await services.database.storefrontGeneration()
        return try await answers.value(
            for: Key(question: question, context: context), version: generation
        ) {
            try await answer(question, context, at: generation)
        }
    }

    private func answer(
        _ question: StorefrontQuestion, _ context: StorefrontContext, at generation: Int64
    ) async throws -> StorefrontAnswer {
        switch question {
        case .search(let search):
            return StorefrontAnswer(
                Self.envelope(try await rows(of: search, context, at: generation)))
        case .lookup(let lookup):
            return StorefrontAnswer(
                Self.envelope(try await rows(of: lookup, context, at: generation)))
        case .bubbles(let search): return try await bubbles(search, context)
        case .genres(let id, let storefront):
            let genres = GenreAnswer(storefront: storefront, links: context.links)
            return StorefrontAnswer(Data(genres.bytes(of: id)))
        case .chart(let chart, let format): return try await feed(chart, format, context)
        case .reviews(let reviews, let format): return try await feed(reviews, format, context)
        case .ratings(let id, let storefront):
            return try await ratings(of: id, in: storefront, context)
        }
    }

    /// The storefront with the stars that are seen in its environment.
    func storefront(_ context: StorefrontContext) -> StorefrontService {
        services.storefront.seen(in: context.environment)
    }

    /// Results between the lines that the App Store puts around them.
    private static func envelope(_ rows: [[UInt8]]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.reduce(64) { $0 + $1.count + 2 })
        bytes.append(contentsOf: "\n\n\n{\n \"resultCount\":\(rows.count),\n \"results\": [\n".utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(contentsOf: ",\n".utf8) }
            bytes.append(contentsOf: row)
        }
        bytes.append(contentsOf: "]\n}\n\n\n".utf8)
        return Data(bytes)
    }

    private func bubbles(
        _ search: SearchParameters, _ context: StorefrontContext
    ) async throws -> StorefrontAnswer {
        var ids: [ItemID] = []
        if search.hasMeaning {
            ids = try await found(search.query(in: context.environment))
        }
        let found: ScriptJSON = .list(
            ids.map { .object([("id", .text($0.description))]) })
        let body: ScriptJSON = .object([
            ("bubbles", .list([.object([("name", .text("software")), ("results", found)])]))
        ])
        return StorefrontAnswer(Data(body.bytes))
    }

    private func feed(
        _ asked: ChartFeed, _ format: FeedFormat, _ context: StorefrontContext
    ) async throws -> StorefrontAnswer {
        let writer = ChartFeedWriter(
            asked: asked, links: context.links, prices: results.prices, format: format)
        let items = try await storefront(context).chart(asked.chart, limit: asked.limit)
        return try Self.document(writer.feed(items, now: services.clock.now()), format)
    }

    private func feed(
        _ asked: ReviewFeed, _ format: FeedFormat, _ context: StorefrontContext
    ) async throws -> StorefrontAnswer {
        let writer = ReviewFeedWriter(
            asked: asked, links: context.links, prices: results.prices, format: format)
        let item = try await storefront(context).item(asked.item, in: asked.storefront)
        var reviews: [CustomerReview] = []
        var total = 0
        if item != nil {
            let page = try await services.customerReviews.reviews(
                of: asked.item, in: asked.storefront, by: asked.order, page: asked.page,
                size: ReviewFeed.pageSize, environment: context.environment)
            reviews = page.reviews
            total = page.total
        }
        let feed = writer.feed(reviews, total: total, of: item, now: services.clock.now())
        return try Self.document(feed, format)
    }

    private static func document(
        _ feed: FeedNode, _ format: FeedFormat
    ) throws -> StorefrontAnswer {
        switch format {
        case .json: StorefrontAnswer(Data(feed.jsonDocument))
        case .xml: StorefrontAnswer(try feed.markup(), form: .xml)
        }
    }

    /// Nothing where there is no such item: that is how programs know.
    private func ratings(
        of id: ItemID, in storefront: Storefront, _ context: StorefrontContext
    ) async throws -> StorefrontAnswer {
        guard let item = try await self.storefront(context).item(id, in: storefront) else {
            return StorefrontAnswer(Data(), form: .page, status: 404)
        }
        return StorefrontAnswer(try RatingTable(item: item).markup(), form: .page)
    }
}

/// What an answer depends on beside the question.
struct StorefrontContext: Hashable, Sendable {
    /// Whose customers' stars and reviews it sees.
    let environment: StoreEnvironment
    /// All of them begin with the address by which the client reaches the store.
    let links: StorefrontLinks
}

extension HTTPResponse {
    /// What tells one body from another.
    static func tag(of body: Data) -> String { String(SHA256Digest.hex(body).prefix(32)) }
}
