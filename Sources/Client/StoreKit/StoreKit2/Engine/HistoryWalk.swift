import FoundationNetworking
import StoreModel
import StoreWire

/// A walk through the pages of an account's history. It ends whatever the store answers.
struct HistoryWalk {
    /// A revision that no store knows: a request with it gets the whole history.
    static let beginning = ""
    private static let longestRevision = 1024

    /// What the next page begins after; `nil` for the first.
    private(set) var revision: String?
    /// Whether every statement until now is verified. The revision of a page with one that is not
    /// is not kept, so that the next fetch asks for the page again.
    private(set) var isSound = true
    private var taken: Set<TransactionID> = []

    init(after revision: String?) {
        self.revision = revision
    }

    /// Takes a page.
    ///
    /// - Parameter results: what its statements say.
    /// - Returns: whether there is a next page.
    /// - Throws: `URLError.badServerResponse` if a page that is not the last has brought nothing new
    ///   or does not lead on, if there are too many, or if the revision is none.
    mutating func take(
        _ answer: DeviceHistoryAnswer, _ results: [VerificationResult<Transaction>]
    ) throws -> Bool {
        // It goes into each next request: one that the store can't read would end all of them.
        guard answer.revision.utf8.count <= Self.longestRevision,
            answer.revision.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw Self.damaged("The store's revision of the history is none.") }
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
