import Synchronization

/// Errors that calls of StoreKit fail with, because a test wants to see what the app does then.
///
/// A device of an app that runs no test has none.
package final class SimulatedErrors: Sendable {
    /// What a test can let fail, by the names that StoreKit configurations have for it.
    package enum Call: String, Sendable, CaseIterable {
        case loadProducts = "Load Products"
        case purchase = "Purchase"
        case verification = "Verification"
        case appStoreSync = "App Store Sync"
        case subscriptionStatus = "Subscription Status"
        case appTransaction = "App Transaction"
        case manageSubscriptions = "Manage Subscriptions Sheet"
        case refundRequest = "Refund Request Sheet"
        case offerCodeRedeem = "Offer Code Redeem Sheet"
    }

    private let errors = Mutex<[Call: any Error]>([:])

    package init() {}

    /// What a call fails with; `nil` if it does not.
    package subscript(call: Call) -> (any Error)? {
        get { errors.withLock { $0[call] } }
        set { errors.withLock { $0[call] = newValue } }
    }

    /// - Throws: what the call is to fail with.
    func check(_ call: Call) throws {
        if let error = self[call] { throw error }
    }

    /// A result as the app gets it: not verified if verification is to fail.
    func applied<Value>(to result: VerificationResult<Value>) -> VerificationResult<Value> {
        guard let error = self[.verification] as? VerificationResult<Any>.VerificationError
        else { return result }
        return .unverified(
            result.unsafePayloadValue, VerificationResult<Value>.VerificationError(error))
    }
}

extension PaymentEngine {
    /// A result as the app gets it.
    func shown<Value>(_ result: VerificationResult<Value>) -> VerificationResult<Value> {
        (try? makeDevice())?.simulatedErrors.applied(to: result) ?? result
    }

    /// Results as the app gets them.
    func shown<Value>(_ results: [VerificationResult<Value>]) -> [VerificationResult<Value>] {
        guard let errors = (try? makeDevice())?.simulatedErrors else { return results }
        return results.map { errors.applied(to: $0) }
    }
}

extension VerificationResult.VerificationError {
    /// The same error of another value.
    init(_ error: VerificationResult<Any>.VerificationError) {
        self =
            switch error {
            case .revokedCertificate: .revokedCertificate
            case .invalidCertificateChain: .invalidCertificateChain
            case .invalidDeviceVerification: .invalidDeviceVerification
            case .invalidEncoding: .invalidEncoding
            case .invalidSignature: .invalidSignature
            case .missingRequiredProperties: .missingRequiredProperties
            }
    }
}
