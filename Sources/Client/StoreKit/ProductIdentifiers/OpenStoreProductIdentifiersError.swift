/// An addition of OpenStoreKit: why a list of product identifiers could not be had.
///
/// Equal by ``code``. What the network says comes as `URLError` instead.
public struct OpenStoreProductIdentifiersError: CustomNSError, LocalizedError, Hashable, Sendable,
    CustomStringConvertible
{
    /// The kind of an ``OpenStoreProductIdentifiersError``.
    public struct Code: Hashable, Sendable {
        private enum Name: Int {
            case missingFile = 1
            case malformed
            case tooLarge
            case unexpectedAnswer
        }

        private let name: Name
        var number: Int { name.rawValue }

        /// There is no such file in the bundle, or it can't be read.
        public static let missingFile: Code = Code(name: .missingFile)
        /// The file is not an array of product identifiers.
        public static let malformed: Code = Code(name: .malformed)
        /// The file has more bytes or entries than are read.
        public static let tooLarge: Code = Code(name: .tooLarge)
        /// The server has answered with something else than the file.
        public static let unexpectedAnswer: Code = Code(name: .unexpectedAnswer)
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for the developer: which file, which entry, and what was found there.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
    /// The domain of these errors as `NSError`.
    public static var errorDomain: String { "OpenStoreProductIdentifiersError" }
    /// The number of ``code``.
    public var errorCode: Int { code.number }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
