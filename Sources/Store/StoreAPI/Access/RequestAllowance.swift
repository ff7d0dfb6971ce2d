import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization

/// Who sends requests, as far as they are counted.
enum RequestSubject: Sendable, Hashable {
    case address(IPAddress)
    case customer(AccountID)
    case key(APIKeyID)
    case person(PersonID)
    /// Whose receipt publishers' servers ask about.
    case receipt(ReceiptHolder)

    /// The customer, or where nobody has signed in the address; nil where that is not known.
    init?(of account: Account?, _ request: HTTPRequest) {
        if let account {
            self = .customer(account.id)
        } else if let client = request.client {
            self = .address(client.network)
        } else {
            return nil
        }
    }
}

/// Rate limiting: how many requests of one address, or of one account, are answered in a minute, in this
/// process (the rate limit).
package final class RequestAllowance: Sendable {
    private static let shardCount = 16
    /// The most that one shard remembers: more than that at a time are not counted well, and cost
    /// no more memory.
    private static let shardLimit = 4096

    package let perMinute: Int
    private let clock: any StoreClock
    private let shards: [Shard]

    private final class Shard: Sendable {
        let buckets = Mutex<[RequestSubject: TokenBucket]>([:])
    }

    /// - Parameter perMinute: as many may also come at once.
    package init(perMinute: Int, clock: any StoreClock) {
        self.perMinute = perMinute
        self.clock = clock
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// How many are remembered.
    package var remembered: Int {
        shards.reduce(0) { $0 + $1.buckets.withLock { $0.count } }
    }

    /// Counts a request.
    ///
    /// - Throws: `RequestLimitExceeded` where it is one too many.
    func count(_ subject: RequestSubject) throws {
        let now = clock.now()
        let wait = shard(of: subject).buckets.withLock { buckets -> TimeInterval? in
            if buckets[subject] == nil {
                Self.makeRoom(in: &buckets, perMinute: perMinute, at: now)
            }
            return buckets[subject, default: TokenBucket(perMinute: perMinute, at: now)]
                .take(perMinute: perMinute, at: now)
        }
        if let wait { throw RequestLimitExceeded(wait: wait) }
    }

    private func shard(of subject: RequestSubject) -> Shard {
        shards[Int(UInt(bitPattern: subject.hashValue) % UInt(shards.count))]
    }

    private static func makeRoom(
        in buckets: inout [RequestSubject: TokenBucket], perMinute: Int, at now: Date
    ) {
        guard buckets.count >= shardLimit else { return }
        buckets = buckets.filter { !$0.value.isFull(perMinute: perMinute, at: now) }
        // Looking through them for each new one would take longer than to count anew.
        if buckets.count > shardLimit / 2 { buckets.removeAll() }
    }

    /// Counts a request of somebody, unless it comes from this machine.
    ///
    /// - Throws: `RequestLimitExceeded`.
    func count(_ subject: RequestSubject, of request: HTTPRequest) throws {
        guard request.isCounted else { return }
        try count(subject)
    }

    /// Refuses a request whose address has nothing left, without counting it: before work whose
    /// outcome says whether it counts.
    ///
    /// - Throws: `RequestLimitExceeded`.
    func check(addressOf request: HTTPRequest) throws {
        guard request.isCounted, let client = request.client else { return }
        let subject = RequestSubject.address(client.network)
        let now = clock.now()
        let wait = shard(of: subject).buckets.withLock { buckets -> TimeInterval? in
            var bucket = buckets[subject]
            return bucket?.take(perMinute: perMinute, at: now)
        }
        if let wait { throw RequestLimitExceeded(wait: wait) }
    }

    /// Counts a request against its address, whether or not something was left.
    func note(addressOf request: HTTPRequest) {
        guard let client = request.client else { return }
        try? count(.address(client.network), of: request)
    }

    /// Counts a request by its address.
    ///
    /// - Returns: the answer that refuses one too many; nil where it goes on.
    package func refusal(
        of request: HTTPRequest, page: (HTTPRequest, Int) -> HTTPResponse
    ) -> HTTPResponse? {
        // Publishers' servers are counted by their keys, and ask more than anybody else.
        guard !ServerRoutes.answers(request.path), request.isCounted, let client = request.client
        else { return nil }
        do {
            try count(.address(client.network))
            return nil
        } catch let error as RequestLimitExceeded {
            return StoreRoutes.tooMany(error, request) ?? page(request, error.seconds)
        } catch {
            return nil
        }
    }
}

/// Somebody sends more requests than are answered.
struct RequestLimitExceeded: Error, Sendable, Hashable, CustomStringConvertible {
    /// Until the next one is answered.
    let seconds: Int

    init(wait: TimeInterval) {
        seconds = max(1, Int(clamping: wait.rounded(.up)))
    }

    var description: String {
        "There are too many requests; try again in "
            + (seconds == 1 ? "a second." : "\(seconds) seconds.")
    }
}

extension HTTPRequest {
    /// Whether limits count it: what comes from this machine, or from a proxy itself, is not
    /// counted.
    fileprivate var isCounted: Bool {
        client.map { !AddressSet.loopback.contains($0) && !proxies.contains($0) } ?? false
    }

    /// Whether it is a browser that asks, for somebody who reads.
    fileprivate var asksForPage: Bool { headers["Accept"]?.contains("text/html") ?? false }
}

extension StoreRoutes {
    /// The answer to one request too many, in the form of what is at the path; nil where it is a
    /// page.
    static func tooMany(_ error: RequestLimitExceeded, _ request: HTTPRequest) -> HTTPResponse? {
        var response: HTTPResponse
        if VerifyReceiptRoutes.answers(request.path) {
            response = .verification(.unavailable)
        } else if ConnectEngine.answers(request.path) {
            response = ConnectEngine.tooMany(error)
        } else if request.asksForPage {
            return nil
        } else {
            response = .failure(WireError(error))
        }
        response.status = 429
        response.headers["Retry-After"] = String(error.seconds)
        return response
    }
}

extension WireError {
    /// Not the end of a payment: who asks again later gets an answer to what it asked.
    init(_ error: RequestLimitExceeded) {
        self.init(code: .storeUnavailable, message: error.description)
    }
}
