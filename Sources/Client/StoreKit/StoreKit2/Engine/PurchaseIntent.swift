import StoreWire

/// A customer's wish to buy a product that they found in the store.
@available(iOS 16.4, macOS 14.4, *)
public struct PurchaseIntent: Equatable, Sendable {
    /// The product.
    public let product: Product
    /// The offer that they chose; `nil` for none. This store begins purchases without offers.
    @available(iOS 18.0, macOS 15.0, *)
    public let offer: Product.SubscriptionOffer?
    /// The identifier of the product.
    public var id: Product.ID { product.id }

    /// Intents as they arrive, beginning with those that arrived while nobody looped. The sequence
    /// never ends; a loop ends when its task is cancelled.
    ///
    /// To buy, call ``Product/purchase(options:)``. An app that loops over intents is not asked
    /// `paymentQueue(_:shouldAddStorePayment:for:)`.
    public static var intents: PurchaseIntents { PurchaseIntents(engine: .current) }

    /// A sequence of intents.
    public struct PurchaseIntents: AsyncSequence {
        /// An intent.
        public typealias Element = PurchaseIntent

        let engine: PaymentEngine

        /// An iterator. Each one keeps its own position in the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                engine: engine, loop: BroadcastLoop(over: \.intents, of: engine))
        }

        /// A loop over the sequence, intent by intent.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let engine: PaymentEngine
            var loop: BroadcastLoop<PurchaseIntent>

            /// The next intent; `nil` if the task is cancelled.
            public mutating func next() async -> PurchaseIntent? {
                await loop.begin()
                if let waiting = engine.newest.feed.takeIntent() { return waiting }
                return await loop.next()
            }
        }
    }
}

@available(iOS 18.0, macOS 15.0, *)
extension PurchaseIntent: Identifiable {}

extension TransactionFeed {
    /// The first intent that arrived while no loop was running.
    func takeIntent() -> PurchaseIntent? {
        state.withLock { $0.intents.isEmpty ? nil : $0.intents.removeFirst() }
    }

    /// As many intents wait at most.
    private static let mostIntents = 100

    func keep(_ intent: PurchaseIntent) {
        state.withLock { state in
            guard state.intents.count < Self.mostIntents else { return }
            state.intents.append(intent)
        }
    }
}

extension PaymentEngine {
    /// Gives the app a purchase that the customer began in the store, if it uses StoreKit 2 for it:
    /// it loops over intents, or it has no observer that could be asked.
    func deliver(_ product: WireProduct, in answer: ProductsAnswer) -> Bool {
        let isHeard = feed.intents.hasListeners
        guard isHeard || feed.isUsed && list.observers.isEmpty,
            let product = try? Product(product, storefront: answer.storefront)
        else { return false }
        let intent = PurchaseIntent(product: product, offer: nil)
        if isHeard { feed.intents.send(intent) } else { feed.keep(intent) }
        return true
    }
}
