@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// A sequence of transactions, each with the result of its verification.
    ///
    /// Each loop over it has its own place. A loop whose task is cancelled ends.
    public struct Transactions: AsyncSequence, Sendable {
        /// A transaction with the result of its verification.
        public typealias Element = VerificationResult<Transaction>

        /// Where the transactions come from.
        enum Source: Sendable {
            /// What there is when the loop begins.
            case selection(@Sendable (TransactionSelection) -> [Element])
            /// What is not finished, and then what happens.
            case updates
        }

        let source: Source
        let engine: PaymentEngine

        init(_ source: Source) {
            self.source = source
            engine = .current
        }

        /// An iterator. Each one keeps its own position in the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            switch source {
            case .selection(let choose): AsyncIterator(.list(engine.newest, choose))
            case .updates: AsyncIterator(.updates(TransactionUpdates(engine)))
            }
        }

        /// A loop over the sequence, transaction by transaction.
        public struct AsyncIterator: AsyncIteratorProtocol {
            enum State {
                case list(PaymentEngine, @Sendable (TransactionSelection) -> [Element])
                case rest(ArraySlice<Element>)
                case updates(TransactionUpdates)
            }

            private var state: State

            init(_ state: State) {
                self.state = state
            }

            /// The next transaction; `nil` at the end, and when the task is cancelled.
            public mutating func next() async -> Element? {
                if Task.isCancelled { return nil }
                switch state {
                case .list(let engine, let choose):
                    let found = engine.shown(await engine.currentSelection().map(choose) ?? [])
                    state = .rest(found.dropFirst())
                    return found.first
                case .rest(var rest):
                    let next = rest.popFirst()
                    state = .rest(rest)
                    return next
                case .updates(var updates):
                    let next = await updates.next()
                    state = .updates(updates)
                    return next.map(updates.engine.shown)
                }
            }
        }
    }

    /// Every transaction of the account in this app, the newest first, as there are when the loop
    /// begins; then it ends.
    ///
    /// Consumables are in it until they are finished, and again once they are revoked; all of them
    /// if the app's `Info.plist` has `SKIncludeConsumableInAppPurchaseHistory`. Without a network
    /// it has what was known last. Empty if nobody is signed in.
    public static var all: Transactions { Transactions(.selection { $0.all }) }

    /// What the customer may use: one transaction for each product, as there are when the loop
    /// begins; then it ends.
    ///
    /// Non-consumables and the newest of each non-renewing subscription, unless they were revoked;
    /// periods of auto-renewable subscriptions that run or are in grace. Never consumables.
    public static var currentEntitlements: Transactions {
        Transactions(.selection { $0.entitlements })
    }

    /// Transactions that the app has not finished on this device, the newest first; then it ends.
    public static var unfinished: Transactions {
        Transactions(.selection { $0.toFinish })
    }

    /// First what is not finished, and then what happens: renewals, approved purchases, redeemed
    /// codes, purchases on other devices and through the original API, revocations. It never ends.
    ///
    /// A transaction that ``Product/purchase(options:)`` returns does not arrive here as well,
    /// unless the app ends before it has finished it.
    public static var updates: Transactions { Transactions(.updates) }

    /// The transactions of one product, as in ``all``.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func all(for productID: String) -> Transactions {
        Transactions(.selection { $0.all(for: productID) })
    }

    /// What the customer may use of one product: one transaction at most.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func currentEntitlements(for productID: String) -> Transactions {
        Transactions(
            .selection { selection in
                selection.entitlements.filter { $0.unsafePayloadValue.productID == productID }
            })
    }

    /// What the customer may use of one product; `nil` for nothing.
    @available(*, deprecated, renamed: "currentEntitlements(for:)")
    public static func currentEntitlement(
        for productID: String
    ) async -> VerificationResult<Transaction>? {
        await first(of: currentEntitlements(for: productID))
    }

    /// The newest transaction of a product, also if it was revoked; `nil` for none. As in ``all``,
    /// finished consumables don't count.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await first(of: all(for: productID))
    }

    private static func first(
        of transactions: Transactions
    ) async -> VerificationResult<Transaction>? {
        for await transaction in transactions { return transaction }
        return nil
    }

    /// How the subscription stands that the transaction belongs to; `nil` for other products, and
    /// if nobody can say.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let group = subscriptionGroupID else { return nil }
            let statuses = try? await Product.SubscriptionInfo.status(for: group)
            return statuses?.first {
                $0.transaction.unsafePayloadValue.originalID == originalID
            }
        }
    }

    /// Tells the store that the app has given the customer what they bought. The transaction is not
    /// delivered again, neither now nor after the next launch.
    ///
    /// Finishing a transaction a second time does nothing.
    public func finish() async {
        await PaymentEngine.current.finish(self)
    }
}

/// One loop over `Transaction.updates`.
struct TransactionUpdates {
    private(set) var engine: PaymentEngine
    private var events: Broadcast<VerificationResult<Transaction>>.Loop
    /// The transactions that there were when the loop began; `nil` before it begins.
    private var beginning: [VerificationResult<Transaction>]?
    /// The transactions that the loop has received, in the state that they had then.
    private var taken: [UInt64: TransactionContent] = [:]
    /// The transaction that the app received last.
    private var last: Transaction?

    init(_ engine: PaymentEngine) {
        self.engine = engine.newest
        // The stream is open now: no update is missed from here on.
        events = self.engine.feed.updates.loop()
    }

    mutating func next() async -> VerificationResult<Transaction>? {
        follow()
        // Asking for the next one means that the app has received the one before.
        if let last { engine.noteTaken(last) }
        last = nil
        if beginning == nil { beginning = await engine.updatesAtBeginning() }
        while let result = await nextResult() {
            follow()
            let transaction = result.unsafePayloadValue
            let news = TransactionContent(transaction)
            guard taken.updateValue(news, forKey: transaction.id) != news else { continue }
            last = transaction
            return result
        }
        return nil
    }

    /// Goes on with the engine that has taken the place of the one before, whose store numbers its
    /// transactions anew.
    private mutating func follow() {
        let newest = engine.newest
        guard newest !== engine else { return }
        engine = newest
        taken = [:]
        last = nil
        if beginning != nil { beginning = [] }
    }

    private mutating func nextResult() async -> VerificationResult<Transaction>? {
        if beginning?.isEmpty == false { return beginning?.removeFirst() }
        return await events.next()
    }
}
