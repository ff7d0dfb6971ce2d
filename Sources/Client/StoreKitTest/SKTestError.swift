import StoreKit
import StoreServer

/// The domain of the errors of test sessions.
public let SKTestErrorDomain: String = "SKTestErrorDomain"

/// An error of a test session; its `localizedDescription` is a sentence that says what is wrong.
public struct SKTestError: CustomNSError, Hashable, Sendable {
    /// What went wrong, with Apple's raw values.
    public enum Code: Int, Sendable {
        /// The test's store can't be used, or another session has taken its place.
        case serviceUnavailable = 0
        /// The store has no such product.
        case invalidProductIdentifier = 1
        /// The product is of a type that this can't be done with.
        case invalidProductType = 2
        /// The URL names no StoreKit configuration file.
        case invalidURL = 3
        /// There is no such file.
        case fileNotFound = 4
        /// The customer has no subscription to the product.
        case noSubscriptionFound = 5
        /// There is no such transaction.
        case noTransactionFound = 6
        /// The transaction is in a state in which this can't be done.
        case invalidAction = 7
    }

    /// What went wrong.
    public let code: Code
    private let sentence: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    init(_ refusal: TestRefusal) {
        let code: Code =
            switch refusal.kind {
            case .invalidProductIdentifier: .invalidProductIdentifier
            case .invalidProductType: .invalidProductType
            case .noSubscriptionFound: .noSubscriptionFound
            case .noTransactionFound: .noTransactionFound
            case .invalidAction: .invalidAction
            }
        self.init(code, refusal.description)
    }

    /// An error with a code.
    public init(_ code: Code) {
        self.init(code, "The test session can't do this.")
    }

    /// ``SKTestErrorDomain``.
    public static var errorDomain: String { SKTestErrorDomain }
    /// The raw value of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The sentence, as Foundation reads it.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }
    /// The sentence for people.
    public var localizedDescription: String { sentence }

    /// Errors are equal by code.
    public static func == (left: SKTestError, right: SKTestError) -> Bool {
        left.code == right.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SKTestError {
    /// The test's store can't be used.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The store has no such product.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// The product is of a type that this can't be done with.
    public static var invalidProductType: Code { .invalidProductType }
    /// The URL names no StoreKit configuration file.
    public static var invalidURL: Code { .invalidURL }
    /// There is no such file.
    public static var fileNotFound: Code { .fileNotFound }
    /// The customer has no subscription to the product.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// There is no such transaction.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// The transaction is in a state in which this can't be done.
    public static var invalidAction: Code { .invalidAction }
}

extension SKTestError: CustomStringConvertible {
    /// The code's name and the sentence.
    public var description: String { "\(code): \(sentence)" }
}

/// `catch SKTestError.fileNotFound`.
public func ~= (code: SKTestError.Code, error: any Error) -> Bool {
    (error as? SKTestError)?.code == code
}
