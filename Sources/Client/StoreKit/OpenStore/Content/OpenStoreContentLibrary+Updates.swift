import StoreModel
import Synchronization

/// A version of hosted content that the store has and the library has not.
public struct OpenStoreNewerContent: Sendable, Hashable {
    /// The product that the content belongs to.
    public let productIdentifier: String
    /// The newest version: integers separated by periods.
    public let version: String
    /// The current version of the library.
    public let installedVersion: String
    /// Bytes of a download that nothing can be taken over for.
    public let downloadLength: Int64
}

extension OpenStoreContentLibrary {
    /// Asks the store which installed products have a newer version than the current one.
    ///
    /// To get one, restore, start the download of the product's transaction, and install it.
    ///
    /// - Throws: ``SKError`` or `URLError` where the store can't be reached or refuses.
    public func newerVersions() async throws -> [OpenStoreNewerContent] {
        let installed = productIdentifiers.compactMap { current(for: $0) }
        guard !installed.isEmpty else { return [] }
        do {
            let answer = try await device().products(
                installed.map(\.productIdentifier), isFresh: true)
            let offers = Dictionary(
                answer.products.map { ($0.productId, $0.content) },
                uniquingKeysWith: { first, _ in first })
            return installed.compactMap { content in
                guard let offer = offers[content.productIdentifier] ?? nil,
                    let version = ContentVersion(content.version), offer.version > version
                else { return nil }
                return OpenStoreNewerContent(
                    productIdentifier: content.productIdentifier, version: offer.version.text,
                    installedVersion: content.version,
                    downloadLength: offer.lengths.reduce(0, +))
            }
        } catch {
            throw visibleError(error)
        }
    }

    /// Newer versions, as soon as the store has them, each one once.
    ///
    /// The store is asked when the sequence begins, and again when it says that there is
    /// something, as long as a transaction observer is on the queue; nothing is polled.
    public func updates() -> AsyncStream<OpenStoreNewerContent> {
        AsyncStream { continuation in
            let task = Task {
                guard let news = try? device().contentUpdates.listen() else {
                    return continuation.finish()
                }
                var told: Set<OpenStoreNewerContent> = []
                for await _ in news {
                    // Where the store can't be reached now, the next connection is news too.
                    for newer in (try? await newerVersions()) ?? []
                    where told.insert(newer).inserted {
                        continuation.yield(newer)
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Says that the store may have newer content.
package final class ContentUpdates: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// One element at once, and one for each `tell`; several that nobody has taken are one.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        state.withLock { $0.listeners[id] = continuation }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        continuation.yield()
        return stream
    }

    func tell() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }
}
