import FoundationNetworking
import StoreSecurity
import StoreTexts
import Synchronization

@testable import StoreKit
@testable import StoreModel
@testable import StoreWire

let authority: SampleAuthority = must { try SampleAuthority() }

/// The profile of an app for a store whose keys everybody knows.
let profile: DeviceProfile = must {
    try DeviceProfile(text: profileText(SampleAnswers.profile), source: "fuzz")
}

func profileText(_ payload: ProfilePayload) throws -> String {
    try authority.signer.sign(WireCoding.encode(payload), type: SignedKind.profile)
}

// MARK: Answers

/// A store whose answers are the parts of an input, one after the other; behind them nobody
/// answers any more.
final class FuzzStore: RequestTransport {
    private let input: Mutex<Input>
    private let statuses: [Int]

    /// - Parameter statuses: from which the first byte of an answer chooses.
    init(_ input: Input, statuses: [Int] = [200, 200, 200, 202, 304, 401, 404, 422, 500, 206]) {
        self.input = Mutex(input)
        self.statuses = statuses
    }

    /// The first byte of an answer is its status, the second one says what its header has, the
    /// others are its body.
    private func answer(to request: URLRequest) throws -> (Data, HTTPURLResponse) {
        let (status, kind, bytes) = try input.withLock { input in
            guard !input.isEmpty else { throw URLError(.notConnectedToInternet) }
            return (input.one(of: statuses), input.byte(), input.part())
        }
        let body = signed(bytes)
        var fields: [String: String] = [:]
        switch kind % 4 {
        case 0: break
        case 1: fields["Cache-Control"] = "max-age=60"
        case 2: fields["ETag"] = "\"\(SHA256Digest.hex(body).prefix(32))\""
        default: fields["Location"] = String(decoding: body.prefix(200), as: UTF8.self)
        }
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        else { throw URLError(.badServerResponse) }
        return (body, response)
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try answer(to: request)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let (data, response) = try answer(to: request)
        try accept(response)
        try sink(data)
    }
}

/// An answer in which payloads that stand where statements should are signed: so that changes get
/// behind the signatures.
func signed(_ body: Data) -> Data {
    guard body.range(of: Data("\"{".utf8)) != nil,
        let json = try? WireCoding.decode(JSONValue.self, from: body)
    else { return body }
    return signed(json).encoded()
}

/// The members that are statements, in answers and in lines of the journal, with their types.
private let statements: [(key: String, type: String?)] = [
    ("signedTransaction", nil), ("signedRenewalInfo", nil), ("signedAppTransaction", nil),
    ("text", nil), ("appTransaction", nil), ("signedDelivery", SignedKind.delivery),
]

/// A text that is a payload, signed; nil for any other value.
private func statement(_ value: JSONValue, _ type: String?) -> JSONValue? {
    guard case .string(let text) = value, text.utf8.first == UInt8(ascii: "{") else { return nil }
    return (try? authority.signer.sign(Data(text.utf8), type: type)).map { .string($0) }
}

private func signed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
        var changed = members.mapValues(signed)
        for (key, type) in statements {
            if let member = members[key].flatMap({ statement($0, type) }) { changed[key] = member }
        }
        // A page of the history has statements only.
        if case .array(let elements)? = members["transactions"] {
            changed["transactions"] = .array(elements.map { statement($0, nil) ?? signed($0) })
        }
        return .object(changed)
    case .array(let elements): return .array(elements.map(signed))
    default: return value
    }
}

// MARK: The app

/// A device in a folder that is emptied first.
func makeDevice(
    in folder: URL, _ transport: any RequestTransport,
    journal: (@Sendable () throws -> any JournalStorage)? = nil
) throws -> StoreDevice {
    if OpenStore.log == nil { OpenStore.log = { _ in } }
    return try StoreDevice(
        profile: profile, environment: ["HOME": folder.path], transport: transport,
        sheet: FuzzCustomer(),
        restrictions: DeviceRestrictions(file: "/nonexistent", owner: 0, user: "fuzz"),
        journal: journal, now: { SampleAuthority.date }, log: { _ in })
}

/// A customer who says yes to everything.
struct FuzzCustomer: OpenStoreSheet {
    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        Glance.frame(question.text, question.facts(in: .english))
        return true
    }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        Glance.frame(question.problem ?? "", [("Email", question.email ?? "")])
        return question.problem == nil
            ? OpenStoreCredentials(email: "ada@example.com", password: "correct-horse") : nil
    }

    func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        Glance.frame(question.problem ?? "", [("Account", question.account)])
        return question.problem == nil ? "CODE" : nil
    }

    func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        Glance.frame(question.text, question.facts(in: .english))
        return true
    }

    func show(_ page: OpenStorePage) async throws {
        Glance.frame(page.title, [("Page", page.url.absoluteString)])
    }

    func present(_ item: OpenStoreItem) async throws { Glance.item(item) }

    func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        Glance.frame(question.title, [("Problem", question.problem ?? "")])
        return OpenStoreReview(stars: 5, title: "a", text: "b", nickname: "c")
    }
}

/// The waits of one launch, without any time: a limited number of short ones return at once, long
/// ones when the launch is over.
final class Waits: Sendable {
    private struct State {
        var left: Int
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the launch.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    var policy: RetryPolicy {
        RetryPolicy(
            attempts: 3, longDelay: .seconds(60), sleep: { try await self.wait($0) },
            idle: { try await self.wait(.zero) }, jitter: { 0 })
    }

    private func wait(_ duration: Duration) async throws {
        if duration < .seconds(1) {
            let isAllowed = state.withLock { state in
                state.left -= 1
                return state.left >= 0 && !state.isOver
            }
            guard isAllowed else { throw CancellationError() }
            return
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        throw CancellationError()
    }
}

/// A queue over a device, as long as its launch is not over.
func makeEngine(_ device: StoreDevice, _ callbacks: DispatchQueue, _ waits: Waits) -> PaymentEngine
{
    PaymentEngine(callbacks: .queue(callbacks), retry: waits.policy) {
        guard !waits.isOver else { throw CancellationError() }
        return device
    }
}

/// Looks at all that an app can see of an answer.
enum Glance {
    static func products(_ response: SKProductsResponse) {
        _ = response.openStoreInvalidProducts.map(\.message) + response.invalidProductIdentifiers
        for product in response.products { Self.product(product) }
    }

    static func product(_ product: SKProduct) {
        price(product.price, product.priceLocale)
        frame(product.localizedTitle, [("About", product.localizedDescription)])
        _ = product.downloadContentLengths.reduce(0) { $0 + $1.int64Value }
        _ = product.downloadContentVersion + (product.subscriptionGroupIdentifier ?? "")
        period(product.subscriptionPeriod)
        for discount in product.discounts + [product.introductoryPrice].compactMap({ $0 }) {
            price(discount.price, discount.priceLocale)
            period(discount.subscriptionPeriod)
            _ = (discount.paymentMode, discount.type, discount.numberOfPeriods)
        }
    }

    /// Compares with each case, as the `switch` of an app does.
    static func period(_ period: SKProductSubscriptionPeriod?) {
        guard let period else { return }
        switch period.unit {
        case .day, .week, .month, .year: _ = period.numberOfUnits
        @unknown default: fail("a unit of time that there is not")
        }
    }

    private static func price(_ price: NSDecimalNumber, _ locale: Locale) {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = locale
        _ = formatter.string(from: price)
    }

    static func transaction(_ transaction: SKPaymentTransaction) {
        _ = (transaction.transactionIdentifier, transaction.transactionDate?.description)
        _ = (transaction.original?.transactionIdentifier, transaction.openStoreSignature)
        _ = transaction.original?.transactionDate?.description
        _ = transaction.error?.localizedDescription
        _ = transaction.payment.paymentDiscount.map { "\($0.identifier) \($0.timestamp)" }
        _ = transaction.payment.productIdentifier + (transaction.payment.applicationUsername ?? "")
        for download in transaction.downloads {
            _ = download.contentIdentifier + download.contentVersion
            _ = (download.expectedContentLength, download.progress, download.timeRemaining)
            _ = download.error?.localizedDescription
        }
    }

    /// Text from the store, as it stands on a terminal.
    static func frame(_ title: String, _ facts: [(label: String, value: String)]) {
        var frame = SheetFrame(title, columns: 60)
        frame.add(facts)
        terminal(frame.text)
    }

    static func item(_ item: OpenStoreItem) {
        let facts: [(String, String)] = [
            ("Seller", item.seller), ("Price", item.price ?? ""), ("About", item.summary),
            ("Ratings", "\(item.rating ?? 0) \(item.ratingCount)"),
            ("Page", item.url.absoluteString),
        ]
        frame(item.title, facts)
    }

    static func page(_ page: ItemPageAnswer) {
        let screen = ItemScreen(page: page, isSandbox: true, previous: "a", texts: .english)
        terminal(screen.text(columns: 60) + screen.menu)
        for choice in [ItemScreen.Choice.description, .versions] {
            terminal(screen.wholeText(choice, columns: 60))
        }
        for word in ["1", "99", "b", "s"] { _ = screen.choice(word) }
        _ = ItemScreen.address(page.supportUrl)
    }

    static func reviews(_ answer: ItemReviewsAnswer) {
        let screen = ReviewsScreen(title: "a", answer: answer, order: "mostrecent", texts: .english)
        terminal(screen.text(columns: 60) + screen.menu)
        for word in ["1", "n", "p"] { _ = screen.choice(word) }
    }

    static func terminal(_ text: String) {
        let steers = text.unicodeScalars.first { $0 != "\n" && $0.steersTerminals }
        demand(steers == nil, "a terminal gets U+\(String(steers?.value ?? 0, radix: 16))")
    }
}

/// Looks at what an app of StoreKit 2 sees of an account.
extension Glance {
    static func history(_ history: AccountHistory, _ verifier: StatementVerifier) {
        for signed in history.transactions.values { transaction(verifier.transaction(signed)) }
        for item in history.subscriptions.flatMap(\.items) { status(item, verifier) }
        if let signed = history.appTransaction { app(verifier.appTransaction(signed)) }
    }

    static func transaction(_ result: VerificationResult<Transaction>?) {
        guard let result else { return }
        let value = result.unsafePayloadValue
        _ = (result.debugDescription, value.purchaseDate.description, value.revocationDate)
        _ = (value.productType.localizedDescription, value.expirationDate?.description)
    }

    static func status(_ item: DeviceSubscriptionsAnswer.Item, _ verifier: StatementVerifier) {
        transaction(verifier.transaction(item.signedTransaction))
        let state = Product.SubscriptionInfo.RenewalState(rawValue: item.status)
        _ = "\(state) \(state.localizedDescription)"
        guard let renewal = verifier.renewalInfo(item.signedRenewalInfo) else { return }
        _ = (renewal.debugDescription, renewal.unsafePayloadValue.renewalDate?.description)
    }

    static func app(_ result: VerificationResult<AppTransaction>?) {
        guard let result else { return }
        let value = result.unsafePayloadValue
        _ = (result.debugDescription, value.originalPurchaseDate.description)
    }
}

/// A journal in memory.
final class MemoryJournal: JournalStorage {
    private let bytes: Mutex<Data>

    init(_ data: Data) {
        bytes = Mutex(data)
    }

    var contents: Data { bytes.withLock { $0 } }

    let name = "memory"
    func read() throws -> Data { contents }
    func append(_ data: Data) throws { bytes.withLock { $0 += data } }
    func replace(_ data: Data) throws { bytes.withLock { $0 = data } }
    func setAside(_ damaged: Data) throws -> String { "elsewhere" }
}

/// An app that looks at everything.
final class FuzzObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions { Glance.transaction(transaction) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        demand(!error.localizedDescription.isEmpty, "an error says nothing")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        Glance.product(product)
        return true
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads { _ = (download.progress, download.timeRemaining) }
    }
}
