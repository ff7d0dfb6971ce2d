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
        try await customer.answers("q quits: ", "lamp room\n")
        try await customer.sees("The Lamp Room")
        try await customer.answers("q quits: ", "1\n")
        try await customer.sees("│ The Lamp Room")
        try await customer.sees("$2.99")
        try await customer.sees("Two hundred steps, and a light.")
        try await customer.sees("/id\(Self.item)")
        try await customer.answers("Return when you are done: ", "\n")
        try await customer.sees("The customer is done.")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `an Apple ID opens what it names, which is bought, downloaded and reviewed there`()
        async throws
    {
        let shop = try await Self.shop()
        let customer = try Customer("ProductView", environment: shop.device("phone"))
        try await customer.answers("q quits: ", "910000099\n")
        try await customer.sees("It can't be shown: ")
        try await customer.answers("q quits: ", "\(Self.item)\n")
        try await customer.answers("Return when you are done: ", "b\n")
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.sees("It is yours now.")
        try await customer.answers("Return when you are done: ", "d\n")
        try await customer.sees("Saved as ")
        let file = shop.home("phone").appendingPathComponent("Downloads/lamp-room.pdf")
        #expect(try Data(contentsOf: file) == Data("%PDF-1.4\n".utf8))
        for (stars, question) in [("5", "w  Write a review"), ("4", "w  Change your review")] {
            try await customer.sees(question)
            try await customer.answers("Return when you are done: ", "w\n")
            try await customer.answers("Return goes back. ", "\(stars)\n")
            try await customer.answers("Title, or Return for none: ", "\n")
            try await customer.answers("an empty line ends it:", "\n")
            try await customer.sees("Your review is saved.")
        }
        try await customer.answers("Return when you are done: ", "\n")
        try await customer.sees("The customer is done.")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `where an item can't be shown, its page is opened in a browser`() async throws {
        let shop = try await Self.shop()
        let opened = shop.folder.appendingPathComponent("opened")
        let browser = shop.folder.appendingPathComponent("browser")
        let script = """
            #!/bin/sh
            echo "$1" > '\(opened.path).new' && mv '\(opened.path).new' '\(opened.path)'

            """
        try script.write(to: browser, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: browser.path)
        let customer = try Customer(
            "ProductView", environment: shop.device("phone", ["BROWSER": browser.path]))
        try await customer.answers("q quits: ", "lamp room\n")
        try await customer.sees("The Lamp Room")
        try await customer.sees("q quits: ")
        shop.line.close()
        try customer.types("1\n")
        try await customer.sees("It can't be shown: The store can't be reached.")
        try await customer.sees("/id\(Self.item)")
        try await until { FileManager.default.fileExists(atPath: opened.path) }
        #expect(try String(contentsOf: opened, encoding: .utf8).contains("/id\(Self.item)"))
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
