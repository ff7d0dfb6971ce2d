import FoundationNetworking
import StoreModel
import StoreWire

/// A walk through the pages of an account's history. It ends whatever the store answers.
struct HistoryWalk {
    /// A revision that no store knows: a request with it gets the whole history.
    static let beginning = ""
    private static let longestRevision = 1024
    /// Bytes of a statement; the store's have about 5,000.
    static let longestStatement = 32 << 10
    /// Bytes of all statements of an account: about 27,000 purchases.
    static let largest = 128 << 20

    /// What the next page begins after; `nil` for the first.
    private(set) var revision: String?
    /// Whether every statement until now is verified. The revision of a page with one that is not
    /// is not kept, so that the next fetch asks for the whole history.
    private(set) var isSound = true
    /// Whether it brings the whole history, and not what has changed.
    private(set) var isWhole = true
    /// What the pages have brought since the history began anew, and all pages of the walk.
    private var (taken, seen): (Set<TransactionID>, Set<TransactionID>) = ([], [])
    /// Bytes of each statement that the device has after the pages until now, and of all.
    private var lengths: [TransactionID: Int] = [:]
    private var size = 0

    /// A walk through the whole history.
    init() {}

    /// A walk through what has changed since the history that a device has.
    init(after known: AccountHistory) {
        revision = known.revision == Self.beginning ? nil : known.revision
        isWhole = revision == nil
        for (id, text) in known.transactions { note(id, text.utf8.count) }
    }

    private mutating func note(_ id: TransactionID, _ length: Int) {
        size += length - (lengths.updateValue(length, forKey: id) ?? 0)
    }

    /// Takes a page.
    ///
    /// - Parameter page: its statements, and what they say.
    /// - Returns: whether there is a next page.
    /// - Throws: `URLError.badServerResponse` if a page that is not the last has brought nothing new
    ///   or does not lead on, if there are too many or too long ones, or if the revision is none.
    mutating func take(
        _ answer: DeviceHistoryAnswer,
        _ page: [(signed: String, result: VerificationResult<Transaction>)]
    ) throws -> Bool {
        // It goes into each next request: one that the store can't read would end all of them.
        guard answer.revision.utf8.count <= Self.longestRevision,
            answer.revision.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw Self.damaged("The store's answer about the history has an invalid revision.") }
        guard answer.transactions.allSatisfy({ $0.utf8.count <= Self.longestStatement }) else {
            throw Self.damaged("A statement in the store's history is too long.")
        }
        if answer.startsOver || revision == nil {
            (lengths, size) = ([:], 0)
            (isWhole, taken) = (true, [])
        }
        let results = page.map(\.result)
        for item in page {
            if let id = item.result.unsafePayloadValue.storeID { note(id, item.signed.utf8.count) }
        }
        guard size <= Self.largest else {
            throw Self.damaged("The store's history of the account is too large.")
        }
        let before = seen.count
        taken.formUnion(results.compactMap(\.unsafePayloadValue.storeID))
        seen.formUnion(taken)
        guard !answer.hasMore || answer.revision != revision && seen.count > before else {
            throw Self.damaged(
                "The store goes on with pages of transactions that bring nothing new.")
        }
        guard seen.count <= PageWalk.limit else {
            throw Self.damaged("The store has more than \(PageWalk.limit) transactions to give.")
        }
        let areVerified = results.allSatisfy { if case .verified = $0 { true } else { false } }
        isSound = isSound && areVerified && results.count == answer.transactions.count
        revision = answer.revision
        return answer.hasMore
    }

    /// After the last page: the transactions that the device has and the store has lost. Nil if there are none.
    func lost(of known: AccountHistory) -> [TransactionID]? {
        guard isWhole else { return nil }
        let lost = seen.union(known.transactions.keys).subtracting(taken)
        return lost.isEmpty ? nil : lost.sorted()
    }

    private static func damaged(_ sentence: String) -> URLError {
        URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
