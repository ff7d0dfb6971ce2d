/// Something that the store has to tell the customer.
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct Message: Sendable, Equatable, Hashable {
    /// What it is about.
    public let reason: Message.Reason

    /// What a message is about.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The number of the reason.
        public let rawValue: Int

        /// A reason by its number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Something else.
        public static let generic: Reason = Reason(rawValue: 0)
        /// The price of a subscription is to rise, and the customer has not agreed.
        public static let priceIncreaseConsent: Reason = Reason(rawValue: 1)
        /// A subscription could not be charged.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
        public static let billingIssue: Reason = Reason(rawValue: 2)
        /// An offer to come back to a subscription.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static let winBackOffer: Reason = Reason(rawValue: 3)

        /// The reason in words.
        public var localizedDescription: String {
            switch self {
            case .priceIncreaseConsent: "Price increase"
            case .billingIssue: "Billing problem"
            case .winBackOffer: "Offer"
            default: "Message"
            }
        }
    }

    /// Messages as they arrive. The sequence never ends; a loop ends when its task is cancelled.
    ///
    /// While an app loops over it, the framework does not show messages by itself: the app calls
    /// ``openStoreDisplay()`` at a time that suits it.
    public static var messages: Messages { Messages(engine: .current) }

    /// An addition of OpenStoreKit: shows the message to the customer, and returns when they are
    /// done with it.
    ///
    /// It replaces `display(in:)`, which needs UIKit. A price increase is asked about in the
    /// sheet; for a billing problem the store's page of subscriptions is shown.
    ///
    /// - Throws: ``StoreKitError``, if there is nowhere to show it.
    @MainActor public func openStoreDisplay() async throws {
        try await PaymentEngine.current.show(self)
    }

    /// A sequence of messages.
    public struct Messages: AsyncSequence, Sendable {
        /// A message.
        public typealias Element = Message

        let engine: PaymentEngine

        /// An iterator. Each one keeps its own position in the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(loop: BroadcastLoop(over: \.messages, of: engine))
        }

        /// A loop over the sequence, message by message.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var loop: BroadcastLoop<Message>

            /// The next message; `nil` if the task is cancelled.
            public mutating func next() async -> Message? {
                await loop.next()
            }
        }
    }
}

extension PaymentEngine {
    /// Gives a message to the app.
    ///
    /// - Returns: false if it does not loop over messages.
    func deliver(_ message: Message) -> Bool {
        guard feed.messages.hasListeners else { return false }
        feed.messages.send(message)
        return true
    }

    /// Tells the app that a subscription could not be charged.
    func noteBillingIssue(_ status: Product.SubscriptionInfo.Status) {
        guard [.inBillingRetryPeriod, .inGracePeriod].contains(status.state) else { return }
        _ = deliver(Message(reason: .billingIssue))
    }

    func show(_ message: Message) async throws {
        switch message.reason {
        case .priceIncreaseConsent: await askConsents()
        default: try await showAccountPage(.subscriptions)
        }
    }
}
