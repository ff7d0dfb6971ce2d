import StoreWire
import Testing

@testable import StoreCommands

@Suite("What people are told of a product's sale")
struct ProductStatusTests {
    private static func status(missing: [String], obstacle: JSONValue) -> ProductStatus {
        ProductStatus([
            "attributes": [
                "missing": .array(missing.map { ["code": .string($0), "message": "Do it."] }),
                "obstacle": obstacle, "team": "Kite Works", "customerPrice": "0.99",
                "currency": "USD", "territory": "USA",
            ]
        ])
    }

    @Test func `each thing that is missing is named with the command that brings it`() {
        let status = Self.status(
            missing: ["texts", "price", "reviewScreenshot", "content", "availability"],
            obstacle: .null)
        let lines = status.missingLines("gem", isSubscription: false, page: "http://x/p")
        for part in ["product update gem", "price set gem", "product screenshot gem"] {
            #expect(lines.contains { $0.hasPrefix("  Do it. openstore \(part) ") }, "\(part)")
        }
        #expect(lines.contains("  Do it. http://x/p"))
        #expect(status.obstacleLines.isEmpty)
        let subscription = status.missingLines("gem", isSubscription: true, page: "http://x/p")
        #expect(subscription.filter { $0 == "  Do it. http://x/p" }.count == 5)
    }

    @Test func `who can't sell is told by which command to see why`() {
        let status = Self.status(missing: [], obstacle: "Nobody can buy it.")
        #expect(status.missingLines("gem", isSubscription: false, page: "x").isEmpty)
        #expect(status.obstacleLines.first == "Nobody can buy it.")
        #expect(
            status.obstacleLines.last
                == "  openstore agreement show paid --team 'Kite Works'")
        let shown = status.added(to: ["id": "1", "attributes": ["name": "Gem"]])
        #expect(ProductStatus.price.value(shown) == "0.99 USD in USA")
    }
}
