import Foundation

/// The account has used the key in this app before.
package struct LedgerKeyUsed: Error, Sendable, Hashable {
    package let key: String
}
