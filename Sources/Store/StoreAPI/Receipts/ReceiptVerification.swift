import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// What stands between a request of `/verifyReceipt` and an answer with the receipt.
struct VerifyReceiptFailure: Error, Sendable, Hashable {
    let status: VerifyReceiptStatus

    init(_ status: VerifyReceiptStatus) {
        self.status = status
    }
}

/// Receipt validation for publishers' servers: answers `/verifyReceipt`. It reads the receipt, and
/// asks what the account has today.
struct ReceiptVerification: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let verifier: ReceiptVerifier
    private let signer: ReceiptSigner
    private let fresh: FreshReceipts
    private let signing: SigningPool

    init(services: APIServices) {
        database = services.database
        clock = services.clock
        verifier = ReceiptVerifier(
            root: services.verifier.root, isRevoked: services.verifier.isRevoked)
        signer = services.receiptSigner
        fresh = FreshReceipts(signer: services.receiptSigner, clock: services.clock)
        signing = services.signingPool
    }

    /// A request whose receipt was read, and is of this store.
    enum Prepared: Sendable {
        case app(AppReceipt, ReceiptQuestion)
        case transaction(TransactionReceipt, TransactionID, ReceiptQuestion)

        /// Whether the answer takes a few rows of the database, and no signature.
        var isQuick: Bool {
            guard case .app(_, let question) = self else { return false }
            return !question.hasSubscriptions
        }

        /// Whose receipt it is; `nil` where the receipt does not say.
        var holder: ReceiptHolder? {
            switch self {
            case .app(_, let question), .transaction(_, _, let question): question.holder
            }
        }
    }

    /// Reads a request's body, which came to one of the environments.
    ///
    /// - Throws: `VerifyReceiptFailure`, what breaks.
    func prepare(_ body: Data, in environment: StoreEnvironment) throws -> Prepared {
        let request = try Self.read(body)
        guard let bytes = request.receipt else { throw VerifyReceiptFailure(.malformed) }
        guard TransactionReceipt.isOne(bytes) else {
            let receipt = try Self.verified { try verifier.verify(bytes) }
            return .app(
                receipt,
                try Self.question(
                    request, bundleID: receipt.bundleID, of: receipt.environment, in: environment,
                    holder: receipt.holder, hasSubscriptions: receipt.hasSubscriptions))
        }
        let receipt = try Self.verified { try verifier.verify(transactionReceipt: bytes) }
        guard let id = TransactionID(receipt.transactionID),
            let origin = EnvironmentNames.environment(named: receipt.environment)
        else { throw VerifyReceiptFailure(.internalError) }
        return .transaction(
            receipt, id,
            try Self.question(
                request, bundleID: receipt.bundleID, of: origin, in: environment,
                holder: .transaction(id), hasSubscriptions: receipt.expirationDate != nil))
    }

    /// A receipt with what the store knows of what it is about.
    private enum Found: Sendable {
        case app(AppReceipt, ReceiptQuestion, ReceiptHistory?)
        case transaction(TransactionReceipt, ReceiptQuestion, TransactionStatus)
    }

    /// The answer's body.
    ///
    /// - Throws: `VerifyReceiptFailure`, what the database throws.
    func answer(_ prepared: Prepared) async throws -> Data {
        // A database of this machine is read on the thread that signs.
        if let known = try await signing.run({ try answerAtOnce(prepared) }) { return known }
        let now = clock.now()
        do {
            let (found, time) = try await database.read {
                try Self.find(prepared, ReceiptLookup(UnitOfWork($0, now: now)))
            }
            return try await signing.run { try answer(found, at: time ?? now) }
        } catch let refusal as ReceiptRefusal {
            throw VerifyReceiptFailure(of: refusal)
        }
    }

    /// As `answer`, at once.
    ///
    /// - Returns: nil where another machine would have to be waited for.
    func answerAtOnce(_ prepared: Prepared) throws -> Data? {
        let now = clock.now()
        do {
            return try database.lookUp {
                try Self.find(prepared, ReceiptLookup(UnitOfWork($0, now: now)))
            }
            .map { try answer($0, at: $1 ?? now) }
        } catch let refusal as ReceiptRefusal {
            throw VerifyReceiptFailure(of: refusal)
        }
    }

    /// - Returns: what is asked about, and the date of the account's sandbox clock.
    private static func find(
        _ prepared: Prepared, _ reading: ReceiptLookup
    ) throws -> (Found, Date?) {
        switch prepared {
        case .app(let receipt, let question):
            (
                .app(receipt, question, try reading.history(for: question)),
                try reading.time(of: question)
            )
        case .transaction(let receipt, let id, let question):
            (
                .transaction(receipt, question, try reading.status(of: id, for: question)),
                try reading.time(of: question)
            )
        }
    }

    private func answer(_ found: Found, at now: Date) throws -> Data {
        switch found {
        case .app(let receipt, let question, let history):
            try answer(receipt, question, history, at: now).encoded()
        case .transaction(let receipt, let question, let status):
            try answer(receipt, question, status, at: now).encoded()
        }
    }

    private func answer(
        _ receipt: AppReceipt, _ question: ReceiptQuestion, _ history: ReceiptHistory?,
        at now: Date
    ) throws -> VerifyReceiptAnswer {
        VerifyReceiptAnswer(
            environment: question.environment.rawValue,
            receipt: VerifiedReceipt(receipt, at: now),
            latest: try history.map { history in
                VerifyReceiptAnswer.Latest(
                    receipt: try fresh.receipt(
                        renewing: receipt, purchases: history.purchases, at: now),
                    purchases: history.latest.map { VerifiedPurchase($0) },
                    renewals: history.renewals.map { VerifiedRenewal($0) })
            })
    }

    private func answer(
        _ receipt: TransactionReceipt, _ question: ReceiptQuestion,
        _ status: TransactionStatus, at now: Date
    ) throws -> VerifyTransactionAnswer {
        var answer = VerifyTransactionAnswer(
            environment: question.environment.rawValue,
            receipt: VerifiedTransaction(receipt, status.record))
        if let subscription = status.subscription {
            let latest = TransactionReceipt(renewing: receipt, as: subscription.record, at: now)
            answer.subscription = VerifyTransactionAnswer.Subscription(
                latest: VerifiedTransaction(latest, subscription.record),
                latestReceipt: subscription.isEntitled ? try signer.sign(latest) : nil,
                renewal: subscription.information.map { VerifiedRenewal($0) })
        }
        return answer
    }

    // MARK: Parts

    private static func read(_ body: Data) throws -> VerifyReceiptRequest {
        do {
            return try VerifyReceiptRequest(body)
        } catch is WireFormatError {
            throw VerifyReceiptFailure(.unreadable)
        }
    }

    private static func verified<Receipt>(_ verify: () throws -> Receipt) throws -> Receipt {
        do {
            return try verify()
        } catch let error as SecurityError {
            switch error.code {
            case .malformed: throw VerifyReceiptFailure(.malformed)
            case .untrusted, .badSignature: throw VerifyReceiptFailure(.notAuthenticated)
            default: throw error
            }
        }
    }

    /// - Throws: `VerifyReceiptFailure` for a receipt of the other environment.
    private static func question(
        _ request: VerifyReceiptRequest, bundleID: String, of origin: StoreEnvironment,
        in environment: StoreEnvironment, holder: ReceiptHolder?, hasSubscriptions: Bool
    ) throws -> ReceiptQuestion {
        guard origin == environment else {
            throw VerifyReceiptFailure(
                environment == .production ? .sandboxReceipt : .productionReceipt)
        }
        guard let bundleID = BundleID(bundleID) else {
            throw VerifyReceiptFailure(.internalError)
        }
        var opens: (@Sendable ([String]) -> Bool)?
        if let password = request.password {
            opens = { secrets in isOne(password, of: secrets) }
        }
        return ReceiptQuestion(
            bundleID: bundleID, environment: environment, holder: holder,
            hasSubscriptions: hasSubscriptions, withoutOld: request.excludesOldTransactions,
            opens: opens)
    }

    /// Takes as long whichever secret is wrong, and wherever.
    private static func isOne(_ password: String, of secrets: [String]) -> Bool {
        let given = Data(password.lowercased().utf8)
        return secrets.reduce(false) { constantTimeEqual(Data($1.utf8), given) || $0 }
    }
}

extension VerifyReceiptFailure {
    fileprivate init(of refusal: ReceiptRefusal) {
        let status: VerifyReceiptStatus =
            switch refusal {
            case .wrongSecret: .wrongSecret
            case .accountNotFound: .accountNotFound
            case .appNotFound: .internalError
            }
        self.init(status)
    }
}
