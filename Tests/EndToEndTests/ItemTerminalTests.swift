import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// The whole way inside an app, at a real terminal: the app is a program, its customer has nothing but
/// a keyboard.
struct ItemTerminals {
    private static let choose =
        "Type a letter or a number from the list, or press Return when you are done: "
    private static let chooseReview =
        "Type a letter or a number from the list, or press Return to go back: "
    private static let bookBytes = Data("%PDF-1.4\n".utf8) + SampleShop.noise(400_000, seed: 3)

    private let store: TestStore
    private let folder: TemporaryFolder
    private let clock: ItemID
    private let lamp: ItemID

    /// A shop with two books of one author, and more reviews than a page has.
    init() async throws {
        store = try await TestStore(hasContent: false)
        folder = try TemporaryFolder()
        let artist = try await store.store.database.write { repositories in
            let team = try repositories.catalog.app(SampleShop.bundleID)?.teamID ?? 0
            let artist = Artist(
                id: ArtistID(number: 0), team: team, name: "Ada Keeper", type: .author)
            return try repositories.items.insert(artist, isNumbered: false).id
        }
        clock = try await store.addItem("The Clock", tier: nil, own: ["USA": 1990]) {
            $0.artist = artist
            $0.texts["en_US"]?.description = "A clock that has only one hand."
            $0.facts.supportURL = "https://ada.example/help"
        }
        lamp = try await store.addItem("The Lamp", tier: nil, own: ["USA": 990]) {
            $0.artist = artist
        }
        try await store.giveFile(Self.bookBytes, named: "clock.pdf", to: clock)
        for number in 1...11 {
            let email = "reader\(number)@example.com"
            _ = try await store.store.services.accounts.create(
                email: email, password: TestStore.password,
                storefront: Storefront.named("USA")!, environment: .sandbox)
            try await store.addReview(
                number % 5 + 1, "Title \(number)", "It stands still.", of: clock, by: email)
        }
    }

    /// A new account of Linux whose browser writes down what it is to open.
    private func environment() async throws -> [String: String] {
        let profile = try folder.write(
            "shop.storeprofile", Data(try await store.profile().utf8))
        let browser = try folder.write(
            "browser", Data("#!/bin/sh\necho \"$1\" >'\(folder.file("opened").path)'\n".utf8))
        chmod(browser.path, 0o755)
        return [
            "HOME": folder.file("home").path, "OPENSTORE_PROFILE": profile.path,
            "BROWSER": browser.path,
        ]
    }

    /// What the customer does on the page, from the first look to the last.
    private var wayOnThePage: [TerminalProgram.Answer] {
        let (choose, chooseReview) = (Self.choose, Self.chooseReview)
        return [
            // Further reviews, in another order, and one of them helps.
            (choose, "r"), (chooseReview, "n"), (chooseReview, "p"), (chooseReview, "o"),
            (chooseReview, "1"), ("Email: ", TestStore.american),
            ("Password: ", TestStore.password), (chooseReview, ""),
            // Bought, on second thought, and downloaded.
            (choose, "b"), ("Buy? [y/n] ", "n"), (choose, "b"), ("Buy? [y/n] ", "y"),
            (choose, "d"),
            // A review, changed later.
            (choose, "w"), ("Return goes back. ", "9"), ("Return goes back. ", "4"),
            ("Title, or Return for none: ", "Fine"), ("ends it:\n", "It has one hand."),
            ("It has one hand.\n", ""), ("see below it: ", "Ada"),
            (choose, "w"), ("Return goes back. ", "3"), ("removes it: ", ""),
            ("removes it:\n", "-"), ("-\n", ""), ("“Ada”: ", ""),
            // The other book of the author, and back; what leads out opens the browser.
            (choose, "1"), (choose, "p"), (choose, "s"), (choose, ""),
        ]
    }

    @Test func `the whole way inside an app by keyboard, and back in it`() async throws {
        let way: [TerminalProgram.Answer] =
            [("Search: ", "clock"), ("Apple ID: ", "\(clock)")] + wayOnThePage + [("Search: ", "")]
        let result = try await TerminalProgram.run(
            URL(fileURLWithPath: Program.path("StoreTestApp")), ["--items"],
            environment: environment(), way)
        try #require(result.isComplete && result.code == 0, "\(result)")
        let screens = result.screens
        #expect(screens[1].contains("\(clock) The Clock\n"))
        let page = Array(screens[2...])
        #expect(page[0].contains("│ The Clock"))
        #expect(page[0].contains("Ada Keeper") && page[0].contains("$1.99"))
        // As wide as the terminal, and no wider.
        #expect(page[0].split(separator: "\n").map(\.count).max() ?? 0 <= 80)
        #expect(page[1].contains("Page 1 of 2") && page[2].contains("Page 2 of 2"))
        #expect(page[4].contains("most recent first"))
        #expect(!result.text.contains(TestStore.password))
        #expect(page[9].contains(TestStore.american))
        #expect(page[10].contains("Nothing was bought."))
        #expect(page[12].contains("It is yours now."))
        let file = folder.file("home/Downloads/clock.pdf")
        #expect(page[13].contains("Saved as"), "\(page[13])")
        #expect(try Data(contentsOf: file) == Self.bookBytes)
        #expect(page[27].contains("│ The Lamp"))
        #expect(result.text.contains("Back to “The Clock”"))
        #expect(screens[way.count - 1].contains("back in the app\n"))
        #expect(screens[way.count].hasSuffix("done\n"))
        let opened = folder.file("opened")
        try await until { (try? Data(contentsOf: opened).last) == UInt8(ascii: "\n") }
        #expect(try String(contentsOf: opened, encoding: .utf8) == "https://ada.example/help\n")
        let account = try await store.store.services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let own = try await store.store.services.customerReviews.own(on: clock, by: account)
        #expect(own?.rating == 3 && own?.title == "Fine" && own?.body == "")
        #expect(try await store.itemSales().map(\.item) == [clock])
    }
}
