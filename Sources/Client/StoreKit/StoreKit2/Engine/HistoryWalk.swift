import FoundationNetworking
import StoreModel
import StoreWire

/// A walk through the pages of an account's history. It ends whatever the store answers.
struct HistoryWalk {
    /// A revision that no store knows: a request with it gets the whole history.
    static let beginning = ""
    private static let longestRevision = 1024
    /// Bytes of a statement: five times what the store signs.
    static let longestStatement = 32 << 10
    /// Bytes of all statements of an account; some 27,000 purchases.
    static let largest = 128 << 20

    /// What the next page begins after; `nil` for the first.
    private(set) var revision: String?
    /// Whether every statement until now is verified. The revision of a page with one that is not
    /// is not kept, so that the next fetch asks for the whole history.
    private(set) var isSound = true
    private var taken: Set<TransactionID> = []
    /// Bytes of the statements that the device has.
    private var size: Int

    /// A walk through the whole history.
    init() {
        size = 0
    }

    /// A walk through what has changed since the history that a device has.
    init(after known: AccountHistory) {
        revision = known.revision == Self.beginning ? nil : known.revision
        size = known.transactions.values.reduce(0) { $0 + $1.utf8.count }
    }

    /// Takes a page.
    ///
    /// - Parameter results: what its statements say.
    /// - Returns: whether there is a next page.
    /// - Throws: `URLError.badServerResponse` if a page that is not the last has brought nothing new
    ///   or does not lead on, if there are too many or too long ones, or if the revision is none.
    mutating func take(
        _ answer: DeviceHistoryAnswer, _ results: [VerificationResult<Transaction>]
    ) throws -> Bool {
        // It goes into each next request: one that the store can't read would end all of them.
        guard answer.revision.utf8.count <= Self.longestRevision,
            answer.revision.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw Self.damaged("The store's revision of the history is none.") }
        let lengths = answer.transactions.map(\.utf8.count)
        size += lengths.reduce(0, +)
        guard lengths.allSatisfy({ $0 <= Self.longestStatement }), size <= Self.largest else {
            throw Self.damaged("The store's history has more bytes than any customer's.")
        }
        let before = taken.count
        taken.formUnion(results.compactMap(\.unsafePayloadValue.storeID))
        guard !answer.hasMore || answer.revision != revision && taken.count > before else {
            throw Self.damaged(
                "The store goes on with pages of transactions that bring nothing new.")
        }
        guard taken.count <= PageWalk.limit else {
            throw Self.damaged("The store has more than \(PageWalk.limit) transactions to give.")
        }
        let areVerified = results.allSatisfy { if case .verified = $0 { true } else { false } }
        isSound = isSound && areVerified && results.count == answer.transactions.count
        revision = answer.revision
        return answer.hasMore
    }

    private static func damaged(_ sentence: String) -> URLError {
        URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
