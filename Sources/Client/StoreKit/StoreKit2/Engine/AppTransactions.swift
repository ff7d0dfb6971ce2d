@available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension AppTransaction {
    /// A sequence of app transactions, each with the result of its verification.
    public struct AppTransactions: AsyncSequence, Sendable {
        /// An app transaction with the result of its verification.
        public typealias Element = VerificationResult<AppTransaction>

        let engine: PaymentEngine

        /// An iterator. Each one keeps its own position in the sequence.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(engine: engine) }

        /// A loop over the sequence, app transaction by app transaction.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// Nil once it was asked.
            var engine: PaymentEngine?

            /// The next app transaction; `nil` at the end, and when the task is cancelled.
            public mutating func next() async -> Element? {
                guard let engine = engine.take(), !Task.isCancelled else { return nil }
                return try? await engine.appTransaction(isFresh: false)
            }
        }
    }

    /// Every app transaction of the account in this app; then it ends.
    ///
    /// In this store an account has one, the same as ``shared``. Empty if nobody is signed in, or
    /// the store can't be reached the first time.
    public static var all: AppTransactions { AppTransactions(engine: .current) }
}
