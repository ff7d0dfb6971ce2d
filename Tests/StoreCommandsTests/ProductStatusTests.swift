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
        let lines = status.missingLines("gem", app: "com.a", page: "http://x/p")
        for part in ["product update gem", "price set gem", "product screenshot gem"] {
            let command = lines.first { $0.hasPrefix("    openstore \(part) ") }
            #expect(command?.hasSuffix(" --app com.a") == true, "\(part)")
        }
        #expect(lines.last == "Its page in the portal: http://x/p")
        #expect(status.obstacleLines.isEmpty)
    }

    @Test func `who can't sell is told by which command to see why`() {
        let status = Self.status(missing: [], obstacle: "Nobody can buy it.")
        #expect(status.missingLines("gem", app: nil, page: "x").isEmpty)
        #expect(status.obstacleLines.first == "Nobody can buy it.")
        #expect(
            status.obstacleLines.last
                == "  openstore agreement show paid --team 'Kite Works'")
        let shown = status.added(to: ["id": "1", "attributes": ["name": "Gem"]])
        #expect(ProductStatus.price.value(shown) == "0.99 USD in USA")
    }
}
