/// An addition of OpenStoreKit: why a receipt does not count.
///
/// Equal by ``code``. New codes may come.
public struct OpenStoreReceiptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the receipt.
    public struct Code: Sendable, Hashable {
        private enum Value {
            case missing, malformed, untrusted, otherApp, otherVersion, otherDevice, expired
        }
        private let value: Value

        /// There is no receipt on this device yet.
        public static let missing: Code = Code(value: .missing)
        /// The bytes are not a receipt.
        public static let malformed: Code = Code(value: .malformed)
        /// The store with this root did not sign it.
        public static let untrusted: Code = Code(value: .untrusted)
        /// It is for another app.
        public static let otherApp: Code = Code(value: .otherApp)
        /// It is for another version of the app.
        public static let otherVersion: Code = Code(value: .otherVersion)
        /// It is for another device.
        public static let otherDevice: Code = Code(value: .otherDevice)
        /// It is that of a volume purchase, and has ended.
        public static let expired: Code = Code(value: .expired)
    }

    /// What is wrong.
    public let code: Code
    /// The same as a sentence for the developer.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Equal where the code is.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
