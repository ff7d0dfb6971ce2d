import StoreModel
import StoreWire

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// How the customer's subscriptions of the product's group stand.
    ///
    /// - Throws: ``StoreKitError``.
    public var status: [Product.SubscriptionInfo.Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// How the customer's subscriptions of a group stand: none if they never subscribed, more than
    /// one if their family shares with them.
    ///
    /// Without a network it is what was known last.
    ///
    /// - Throws: ``StoreKitError``, if the app can't use the store at all.
    public static func status(
        for groupID: String
    ) async throws -> [Product.SubscriptionInfo.Status] {
        try await PaymentEngine.current.statusGroups().first { $0.groupID == groupID }?.statuses
            ?? []
    }

    /// How the subscription stands that a transaction belongs to; `nil` for none.
    ///
    /// - Parameter transactionID: any transaction of the subscription.
    /// - Throws: ``StoreKitError``, if the app can't use the store at all.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func status(
        transactionID: UInt64
    ) async throws -> Product.SubscriptionInfo.Status? {
        let original = await PaymentEngine.current.originalTransaction(of: transactionID)
        return try await PaymentEngine.current.statusGroups().flatMap(\.statuses).first {
            $0.transaction.unsafePayloadValue.originalID == original
        }
    }

    /// Whether the customer is eligible for the introductory offer of the product's group.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }

    /// Whether the customer is eligible for an introductory offer of a group: once in each group, and
    /// not while they subscribe to one of its products. What their family shares does not count.
    ///
    /// - Returns: as far as is known; true if nobody is signed in.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        for await result in Transaction.all {
            let transaction = result.unsafePayloadValue
            if transaction.subscriptionGroupID == groupID,
                transaction.offer?.type == .introductory
            {
                return false
            }
        }
        let statuses = (try? await status(for: groupID)) ?? []
        return !statuses.contains {
            [.subscribed, .inGracePeriod, .inBillingRetryPeriod].contains($0.state)
                && $0.transaction.unsafePayloadValue.ownershipType == .purchased
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.Status {
    /// A sequence of statuses that have changed. It never ends; a loop ends when its task is
    /// cancelled.
    public struct Statuses: AsyncSequence, Sendable {
        /// A status that has changed.
        public typealias Element = Product.SubscriptionInfo.Status

        let engine: PaymentEngine

        /// An iterator. Each one keeps its own position in the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(loop: BroadcastLoop(over: \.statuses, of: engine))
        }

        /// A loop over the sequence, status by status.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var loop: BroadcastLoop<Element>

            /// The next status that has changed; `nil` if the task is cancelled.
            public mutating func next() async -> Element? {
                await loop.next()
            }
        }
    }

    /// Statuses as they change: after a renewal, an expiry, a billing problem, a change of plan, a
    /// revocation, or when renewal is switched on or off. It does not begin with those there are.
    public static var updates: Statuses { Statuses(engine: .current) }

    /// How the customer's subscriptions stand in each group that they ever subscribed to; then it
    /// ends.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public static var all:
        AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])>
    {
        let engine = PaymentEngine.current
        return AsyncStream { continuation in
            let task = Task {
                for group in (try? await engine.statusGroups()) ?? [] { continuation.yield(group) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension PaymentEngine {
    /// The statuses of each group that the account ever subscribed to.
    ///
    /// - Throws: `StoreKitError` if the app can't use the store at all.
    func statusGroups() async throws -> [(
        groupID: String, statuses: [Product.SubscriptionInfo.Status]
    )] {
        if let opened = await useFeed() {
            try opened.device.simulatedErrors.check(.subscriptionStatus)
            return await accountHistory(opened)?.history.subscriptions.map { group in
                (groupID: group.groupId, statuses: statuses([group], opened))
            } ?? []
        }
        guard let copy = try? openCopy() else { throw storeKitError(openingError()) }
        let history = copy.device.sessions.session.flatMap { copy.journal.history(of: $0.email) }
        return (history ?? AccountHistory()).subscriptions.map { group in
            let statuses = statuses([group], copy) { copy.verifier.transaction($0) }
            return (groupID: group.groupId, statuses: statuses)
        }
    }

    /// The first transaction of the subscription that a transaction belongs to; nil if it is not
    /// known.
    func originalTransaction(of id: UInt64) async -> UInt64? {
        guard let selection = await currentSelection() else { return nil }
        return selection.transactions.first { $0.unsafePayloadValue.id == id }?
            .unsafePayloadValue.originalID
    }

    /// Starts the listener, and fetches the history that changes are compared with.
    func beginWatching() async {
        guard let opened = await useFeed() else { return }
        _ = await accountHistory(opened)
    }
}
