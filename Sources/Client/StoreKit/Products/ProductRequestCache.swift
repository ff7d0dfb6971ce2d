import FoundationNetworking
import StoreKernel
import StoreWire

/// Product requests that are under way, and answers that are still good.
///
/// The same request made twice at a time goes out once. An answer is good for as long as
/// the store says; after that the store is asked whether it has changed.
final class ProductRequestCache: Sendable {
    /// Who asks for what.
    struct Question: Hashable, Sendable {
        /// In order, each once.
        let identifiers: [String]
        let session: SessionAnswer?
        /// The locale of titles and descriptions; nil for the storefront's.
        let locale: String?
    }

    /// An answer as it came.
    struct Reply: Sendable {
        var answer: ProductsAnswer
        var tag: String?
        /// How long it is good, seconds.
        var lifetime: TimeInterval
        /// The bytes that it came in.
        var length: Int
    }

    /// However long a store's answers are, not more of them is kept than one has at most.
    private static let limit = HTTPTransport.answerLimit
    /// What an answer takes beside its bytes.
    private static let entrySize = 1024

    private let replies: Cache<Question, Reply>

    init(now: @escaping @Sendable () -> Date) {
        replies = Cache(
            limit: Self.limit, entryLimit: Self.limit / 2,
            cost: { $1.length + Self.entrySize }, now: now,
            end: { reply, now in now.addingTimeInterval(reply.lifetime) })
    }

    /// The answer to a question.
    ///
    /// - Parameters:
    ///   - isFresh: whether the store has to be asked in any case.
    ///   - ask: asks the store; gets the tag of the answer that is at hand, and gives nil
    ///     where that is still the answer.
    func answer(
        to question: Question, isFresh: Bool,
        ask: @escaping @Sendable (_ tag: String?) async throws -> Reply?
    ) async throws -> ProductsAnswer {
        if !isFresh, let known = replies.value(for: question) { return known.answer }
        // Who gives up leaves the request to the others that wait for it.
        let request = Task {
            isFresh
                ? try await freshReply(to: question, ask)
                : try await replies.value(for: question) { try await reply(to: question, ask) }
        }
        return try await request.value.answer
    }

    /// An answer that may have been under way before is not fresh.
    private func freshReply(
        to question: Question, _ ask: @Sendable (_ tag: String?) async throws -> Reply?
    ) async throws -> Reply {
        let reply = try await reply(to: question, ask)
        replies.insert(reply, for: question)
        return reply
    }

    /// The store's answer, or the one at hand where the store says that it still holds.
    private func reply(
        to question: Question, _ ask: @Sendable (_ tag: String?) async throws -> Reply?
    ) async throws -> Reply {
        let last = replies.lastValue(for: question)
        guard let reply = try await ask(last?.tag) ?? last else {
            throw URLError(.badServerResponse)
        }
        return reply
    }
}
