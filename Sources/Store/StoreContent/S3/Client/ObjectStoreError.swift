import Foundation

/// The object store refused, answered what it should not, or could not be reached.
package struct ObjectStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of problem it is.
    package struct Code: Sendable, Hashable {
        private enum Value {
            case address, credentials, bucket, clock, region, denied, unreachable
            case missing, damaged, answer, foreign, disk
        }
        private let value: Value

        private init(_ value: Value) { self.value = value }

        /// The option that says where it is is wrong.
        package static let address = Code(.address)
        /// There is no key, or it is not taken.
        package static let credentials = Code(.credentials)
        /// There is no such bucket.
        package static let bucket = Code(.bucket)
        /// The clocks differ.
        package static let clock = Code(.clock)
        /// The bucket is in another region.
        package static let region = Code(.region)
        /// The key may not do it.
        package static let denied = Code(.denied)
        /// Nobody answers, or only that it can't be done now.
        package static let unreachable = Code(.unreachable)
        /// There is no such object, or no such upload.
        package static let missing = Code(.missing)
        /// The bytes have another digest.
        package static let damaged = Code(.damaged)
        /// The answer is none of an object store, or another one than was expected.
        package static let answer = Code(.answer)
        /// Another store keeps its content there.
        package static let foreign = Code(.foreign)
        /// A file here could not be read or written.
        package static let disk = Code(.disk)
    }

    package let code: Code

    /// Whether it is about the object store, the way to it, or the disk here, and not about what was asked for:
    /// the same may go well once somebody has looked after it.
    package var isOfPlace: Bool {
        [.unreachable, .credentials, .clock, .denied, .bucket, .region, .disk].contains(code)
    }

    /// Safe to show; has no secrets and no signatures.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// What the system said last.
    static func system(_ what: String) -> ObjectStoreError {
        ObjectStoreError(.disk, "\(what): \(String(cString: strerror(errno)))")
    }
}
