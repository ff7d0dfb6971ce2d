import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ProductView {
    private static let item = 900_001

    /// A shop with a book.
    private static func shop() async throws -> Shop {
        let shop = try await Shop()
        try Data("%PDF-1.4\n".utf8).write(
            to: shop.folder.appendingPathComponent("lamp-room.pdf"))
        try await shop.sell([
            [
                "trackId": item, "kind": "ebook", "trackName": "The Lamp Room",
                "artistName": "Ada Keeper", "description": "Two hundred steps, and a light.",
                "priceTier": 3, "genres": ["Fiction & Literature"], "download": "lamp-room.pdf",
            ]
        ])
        return shop
    }

    @Test func `an item is found, shown, and left`() async throws {
        let shop = try await Self.shop()
        let customer = try Customer("ProductView", environment: shop.device("phone"))
        try await customer.answers("words search, q quits: ", "lamp room\n")
        try await customer.sees("The Lamp Room")
        try await customer.answers("A number shows an item", "1\n")
        try await customer.sees("│ The Lamp Room")
        try await customer.sees("$2.99")
        try await customer.sees("Two hundred steps, and a light.")
        try await customer.sees("/id\(Self.item)")
        try await customer.answers("Return when you are done: ", "\n")
        try await customer.sees("The customer is done.")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `buying leads to a page of the store, which the terminal can leave`() async throws {
        let shop = try await Self.shop()
        let customer = try Customer("ProductView", environment: shop.device("phone"))
        try await customer.answers("q quits: ", "lamp room\n")
        try await customer.answers("A number shows an item", "1\n")
        try await customer.answers("Return when you are done: ", "b\n")
        try await customer.sees("/sandbox/prompts/")
        try customer.types("\n")
        try await customer.sees("The customer is done.")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `nothing is found, and the store can be away`() async throws {
        let shop = try await Self.shop()
        let customer = try Customer("ProductView", environment: shop.device("phone"))
        try await customer.answers("q quits: ", "zzzzzzzz\n")
        try await customer.sees("Nothing was found.")
        shop.line.close()
        try await customer.answers("q quits: ", "lamp\n")
        try await customer.sees("The store can't be searched")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }
}
