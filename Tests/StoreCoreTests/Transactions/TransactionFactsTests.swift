import Foundation
import Testing

@testable import StoreCore

struct TransactionFactsTests {
    /// Notifications keep them.
    @Test func `facts that were kept before anything came back of upgrades are read`() throws {
        let facts = try JSONDecoder().decode(
            TransactionFacts.self, from: Data(#"{ "expiration" : 0, "isUpgraded" : true }"#.utf8))
        #expect(facts.isUpgraded && facts.upgradeRefund == nil)
    }
}
