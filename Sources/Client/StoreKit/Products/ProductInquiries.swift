import FoundationNetworking
import StoreWire
import Synchronization

/// Questions about products on their way, and answers that are still good.
///
/// The same question asked twice at a time goes out once. An answer is good for as long as
/// the store says; after that the store is asked whether it has changed.
final class ProductInquiries: Sendable {
    /// Who asks for what.
    struct Question: Hashable, Sendable {
        /// In order, each once.
        let identifiers: [String]
        let session: SessionAnswer?
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

    private struct Kept {
        var reply: Reply
        var end: Date
    }

    private struct Content {
        var running: [Question: Task<ProductsAnswer, any Error>] = [:]
        var kept: [Question: Kept] = [:]
        /// The bytes that they came in.
        var length = 0
    }

    private static let capacity = 100
    /// However long a store's answers are, not more of them is kept than one has at most.
    private static let lengthLimit = HTTPTransport.answerLimit

    private let content = Mutex(Content())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
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
        let time = now()
        let task = content.withLock { content -> Task<ProductsAnswer, any Error> in
            let kept = content.kept[question]
            if !isFresh, let kept, kept.end > time {
                return Task { kept.reply.answer }
            }
            // An answer that may have been under way before is not fresh.
            if !isFresh, let running = content.running[question] { return running }
            let task = Task { [self] in
                defer { self.content.withLock { $0.running[question] = nil } }
                var reply = try await ask(kept?.reply.tag)
                if reply == nil { reply = kept?.reply }
                guard let reply else { throw URLError(.badServerResponse) }
                keep(reply, for: question)
                return reply.answer
            }
            if !isFresh { content.running[question] = task }
            return task
        }
        return try await task.value
    }

    private func keep(_ reply: Reply, for question: Question) {
        let end = now().addingTimeInterval(reply.lifetime)
        content.withLock { content in
            if let old = content.kept.removeValue(forKey: question) {
                content.length -= old.reply.length
            }
            if content.kept.count >= Self.capacity
                || content.length + reply.length > Self.lengthLimit
            {
                content.kept.removeAll()
                content.length = 0
            }
            content.kept[question] = Kept(reply: reply, end: end)
            content.length += reply.length
        }
    }
}
