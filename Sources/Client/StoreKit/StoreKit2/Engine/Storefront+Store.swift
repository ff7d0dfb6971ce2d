@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Storefront {
    /// The storefront of the account, or the one that the store last answered for; `nil` if no
    /// store was asked yet.
    public static var current: Storefront? {
        get async {
            (try? PaymentEngine.current.makeDevice())?.storefront.map { Storefront($0) }
        }
    }

    /// Storefronts as the account changes them, without the current one. The sequence never ends; a
    /// loop ends when its task is cancelled.
    public static var updates: Storefronts { Storefronts(engine: .current) }

    /// A sequence of storefronts.
    public struct Storefronts: AsyncSequence, Sendable {
        /// A storefront.
        public typealias Element = Storefront

        let engine: PaymentEngine

        /// An iterator. Each one keeps its own position in the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(loop: BroadcastLoop(over: \.storefronts, of: engine))
        }

        /// A loop over the sequence, storefront by storefront.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var loop: BroadcastLoop<Storefront>

            /// The next storefront; `nil` if the task is cancelled.
            public mutating func next() async -> Storefront? {
                await loop.next()
            }
        }
    }
}
