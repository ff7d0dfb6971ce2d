import Foundation

/// Makes pairs of keys.
package protocol APIKeyMaker: Sendable {
    func makePair() throws -> APIKeyPair
}
