import Foundation
import StoreKit

/// A customer who answers when a step says so.
final class Customer: OpenStoreSheet, @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    enum Prompt {
        case confirm(OpenStorePurchaseQuestion, UnsafeContinuation<Bool, any Error>)
        case signIn(
            OpenStoreSignInQuestion, UnsafeContinuation<OpenStoreCredentials?, any Error>)
        case redeem(OpenStoreRedemptionQuestion, UnsafeContinuation<String?, any Error>)
    }

    private let pool: JobPool
    private let decisions: Decisions
    private var owner = JobOwner.store
    /// What the customer looks at; one at a time.
    private(set) var prompt: Prompt?

    init(pool: JobPool, decisions: Decisions) {
        self.pool = pool
        self.decisions = decisions
    }

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        try await withUnsafeThrowingContinuation { show(.confirm(question, $0)) }
    }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        try await withUnsafeThrowingContinuation { show(.signIn(question, $0)) }
    }

    func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        try await withUnsafeThrowingContinuation { show(.redeem(question, $0)) }
    }

    private func show(_ new: Prompt) {
        if prompt != nil { decisions.overlaps += 1 }
        prompt = new
        owner = pool.owner
    }

    // MARK: Answers

    func answerConfirmation(_ isYes: Bool) {
        guard case .confirm(let question, let continuation) = prompt else { return }
        prompt = nil
        if isYes { decisions.agree(question) }
        pool.acting(as: owner) { continuation.resume(returning: isYes) }
    }

    /// - Parameter email: whom to sign in where the question names nobody; nil gives up.
    func answerSignIn(email: String?, password: String = Shop.password) {
        guard case .signIn(let question, let continuation) = prompt else { return }
        prompt = nil
        let credentials = email.map {
            OpenStoreCredentials(email: question.email ?? $0, password: password)
        }
        pool.acting(as: owner) { continuation.resume(returning: credentials) }
    }

    func answerRedemption(_ code: String?) {
        guard case .redeem(_, let continuation) = prompt else { return }
        prompt = nil
        pool.acting(as: owner) { continuation.resume(returning: code) }
    }
}

/// What customers have agreed to, over all launches of a device.
final class Decisions {
    struct Agreement: Hashable {
        let product: String
        let quantity: Int
        /// What all of it costs, as the question had it.
        let price: String
        let account: String
    }

    /// How often they have agreed to what.
    private(set) var agreements: [Agreement: Int] = [:]
    /// How often a question came while another was open.
    var overlaps = 0

    func agree(_ question: OpenStorePurchaseQuestion) {
        let agreement = Agreement(
            product: question.productIdentifier, quantity: question.quantity,
            price: question.price, account: question.account)
        agreements[agreement, default: 0] += 1
    }
}
