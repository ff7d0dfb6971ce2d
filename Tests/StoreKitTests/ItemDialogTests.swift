import Foundation
import FoundationNetworking
@testable import StoreCore
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreTexts
@testable import StoreWire
import Synchronization
import Testing

/// An item on a terminal, in front of a real store.
struct ItemDialogs {
    private static let choose = Texts(.english).chooseOnItem
    private static let chooseReview = Texts(.english).chooseOnReviews

    /// A shop with two books of one author, and more reviews than a page has.
    private static func shop() async throws -> (TestStore, clock: ItemID, lamp: ItemID) {
        let store = try await TestStore(hasContent: false)
        let artist = try await store.store.database.write { repositories in
            let team = try repositories.catalog.app(SampleShop.bundleID)?.teamID ?? 0
            let artist = Artist(
                id: ArtistID(number: 0), team: team, name: "Ada Keeper", type: .author)
            return try repositories.items.insert(artist, isNumbered: false).id
        }
        let clock = try await store.addItem("The Clock", tier: nil, own: ["USA": 1990]) {
            $0.artist = artist
            $0.texts["en_US"]?.description = "A clock that has only one hand."
            $0.facts.supportURL = "https://ada.example/help"
        }
        try await store.giveFile(
            Data("%PDF-1.4\n".utf8) + Data(count: 300_000), named: "clock.pdf", to: clock)
        let lamp = try await store.addItem("The Lamp", tier: nil, own: ["USA": 990]) {
            $0.artist = artist
        }
        return (store, clock, lamp)
    }

    private static func sheet(
        _ customer: TypingCustomer, _ box: DeviceBox, opened: PageDevice.Lines = PageDevice.Lines()
    ) -> OpenStoreTerminalSheet {
        OpenStoreTerminalSheet(
            at: customer.place, device: { try #require(box.device.withLock { $0 }) },
            opening: { opened.add($0.absoluteString) }, texts: Texts(.english))
    }

    /// The device of a sheet that is made before it.
    final class DeviceBox: Sendable {
        let device = Mutex<StoreDevice?>(nil)
    }

    @MainActor @Test func `the whole way inside an app, and back in it`() async throws {
        let (store, clock, _) = try await Self.shop()
        for number in 1...11 {
            let email = "reader\(number)@example.com"
            _ = try await store.store.services.accounts.create(
                email: email, password: TestStore.password,
                storefront: Storefront.named("USA")!, environment: .sandbox)
            try await store.addReview(
                number % 5 + 1, "Title \(number)", "It stands still.", of: clock, by: email)
        }
        let (customer, box, opened) = (try TypingCustomer(), DeviceBox(), PageDevice.Lines())
        let device = try await TestDevice(
            store, customer: Self.sheet(customer, box, opened: opened))
        box.device.withLock { $0 = device.device }
        let controller = SKStoreProductViewController(device: device.device)
        let delegate = PageDelegate()
        controller.delegate = delegate
        // As an app finds the number: by the search interface.
        let search = try #require(
            URL(string: device.device.profile.payload.baseURL + "/search?term=clock&media=ebook"))
        let (_, found) = try await device.device.client.publicAnswer(to: search, limit: 1 << 20)
        #expect(String(decoding: found, as: UTF8.self).contains("\"trackId\":\(clock)"))
        try await controller.loadProduct(withParameters: [
            SKStoreProductParameterITunesItemIdentifier: NSNumber(value: clock.number)
        ])
        let (choose, chooseReview) = (Self.choose, Self.chooseReview)
        let screens = try await customer.answers([
            // Further reviews, in another order, and one of them helps.
            (choose, "r"), (chooseReview, "n"), (chooseReview, "p"), (chooseReview, "o"),
            (chooseReview, "1"), ("Email: ", TestStore.american),
            ("Password: ", TestStore.password), (chooseReview, ""),
            // A review is of what somebody has.
            (choose, "b"), ("Buy? [y/n] ", "n"), (choose, "b"), ("Buy? [y/n] ", "y"),
            (choose, "d"),
            (choose, "w"), ("Return goes back. ", "9"), ("Return goes back. ", "4"),
            ("Title, or Return for none: ", "Fine"), ("ends it:\n", "It has one hand."),
            ("", ""), ("see below it: ", "Ada"),
            (choose, "w"), ("Return goes back. ", "3"), ("removes it: ", ""),
            ("removes it:\n", "-"), ("", ""), ("“Ada”: ", ""),
            // The other book of the author, and back.
            (choose, "1"), (choose, "p"), (choose, "s"), (choose, ""),
        ]) {
            try await controller.openStorePresent()
            #expect(delegate.count == 1)
        }
        #expect(screens[0].contains("│ The Clock"))
        #expect(screens[0].contains("Ada Keeper") && screens[0].contains("$1.99"))
        #expect(screens[0].contains("[Environment: Sandbox]"))
        #expect(screens[1].contains("Page 1 of 2") && screens[2].contains("Page 2 of 2"))
        #expect(screens[4].contains("most recent first"))
        #expect(screens[9].contains(TestStore.american))
        #expect(screens[10].contains("Nothing was bought."))
        #expect(screens[12].contains("It is yours now."))
        let file = device.device.folders.downloads.appendingPathComponent("clock.pdf")
        #expect(screens[13].contains("Saved as \(file.path)"))
        #expect(try Data(contentsOf: file).count == 300_009)
        #expect(screens.joined().contains("Back to “The Clock”"))
        #expect(opened.all == ["https://ada.example/help"])
        let account = try await store.store.services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let own = try await store.store.services.customerReviews.own(on: clock, by: account)
        #expect(own?.rating == 3 && own?.title == "Fine" && own?.body == "")
        #expect(try await store.itemSales().map(\.item) == [clock])
    }

    @Test func `a review is removed, and who has not got an item writes none`() async throws {
        let (store, clock, lamp) = try await Self.shop()
        try await store.addReview(5, of: clock, by: TestStore.american)
        for (item, choices) in [(clock, "x"), (lamp, "w")] {
            let (customer, box) = (try TypingCustomer(), DeviceBox())
            let device = try await TestDevice(store, customer: Self.sheet(customer, box))
            box.device.withLock { $0 = device.device }
            if item == clock {
                try await device.device.signIn(
                    email: TestStore.american, password: TestStore.password)
            }
            let found = try await StorePageLookup(device: device.device).item(
                item.number, in: .unitedStates, referral: ItemReferral())
            let answers: [TypingCustomer.Answer] =
                item == clock
                ? [(Self.choose, choices), ("Remove your review? [y/n] ", "y"), (Self.choose, "")]
                : [
                    (Self.choose, choices), ("Email: ", TestStore.american),
                    ("Password: ", TestStore.password), (Self.choose, ""),
                ]
            let screens = try await customer.answers(answers) {
                try await device.device.sheet.present(found)
            }
            #expect(
                screens[screens.count - 2].contains(
                    item == clock ? "Your review is removed." : "Only those who got it"))
        }
        #expect(
            try await store.store.services.customerReviews.summary(
                of: clock, environment: .sandbox
            ).total == 0)
    }

    @Test func `the app's own question asks for stars first, and gives up with Return`()
        async throws
    {
        let question = OpenStoreReviewQuestion(
            isSandbox: true, title: "Reader", itemIdentifier: 7,
            page: OpenStorePage(title: "Reader", url: URL(string: "https://store.example/7")!))
        let scripts: [([TypingCustomer.Answer], OpenStoreReview?)] = [
            ([("Return goes back. ", "")], nil),
            (
                [("Return goes back. ", "5"), ("for none: ", ""), ("ends it:\n", "")],
                OpenStoreReview(stars: 5)
            ),
        ]
        for (answers, expected) in scripts {
            let customer = try TypingCustomer()
            let sheet = Self.sheet(customer, DeviceBox())
            var review: OpenStoreReview?
            let screens = try await customer.answers(answers) {
                review = try await sheet.review(question)
            }
            #expect(review == expected)
            #expect(screens[0].contains("Are you enjoying “Reader”?"))
        }
    }
}

/// The file of an item in the customer's folder.
struct ItemFiles {
    @Test func `a file takes no other's place, goes on where it was broken off, and is verified`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let bytes = Data("%PDF-1.4\n".utf8) + Data((0..<200_000).map { UInt8($0 % 251) })
        let item = try await store.addItem("The Clock", tier: nil, own: ["USA": 1990])
        try await store.giveFile(bytes, named: "clock.pdf", to: item)
        try await store.addReview(5, of: item, by: TestStore.american)
        let device = try await TestDevice(store)
        try await device.device.signIn(email: TestStore.american, password: TestStore.password)
        let visit = ItemVisit(device: device.device, item: item.number)
        let file = try #require(try await visit.page().customer?.file)
        let folder = device.device.folders.downloads
        let progress = Mutex<[Int64]>([])
        func fetch(_ file: WireItemFile) async throws -> String {
            try await ItemFileDownload(device: device.device, item: item.number, file: file)
                .run { bytes in progress.withLock { $0.append(bytes) } }.lastPathComponent
        }
        #expect(try await fetch(file) == "clock.pdf")
        let partial = folder.appendingPathComponent(".\(file.digest.prefix(16)).part")
        // One that was broken off, and one that was named when its program was killed.
        try bytes.prefix(150_000).write(to: partial)
        progress.withLock { $0 = [] }
        #expect(try await fetch(file) == "clock (2).pdf")
        #expect(progress.withLock { $0.first } == 150_000)
        #expect(link(folder.appendingPathComponent("clock.pdf").path, partial.path) == 0)
        #expect(try await fetch(file) == "clock (3).pdf")
        // Bytes that are not the store's are fetched again; a digest that nothing has is refused.
        try Data(count: bytes.count).write(to: partial)
        #expect(try await fetch(file) == "clock (4).pdf")
        for name in ["clock.pdf", "clock (2).pdf", "clock (3).pdf", "clock (4).pdf"] {
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == bytes)
        }
        var other = file
        other.digest = String(repeating: "0", count: 64)
        await #expect(throws: (any Error).self) { try await fetch(other) }
        // Names of the store's are names in the folder.
        other = file
        other.name = "../../.profile"
        #expect(try await fetch(other) == "download.profile")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.filter { !$0.hasPrefix(".") }.count == 5)
    }

    @Test(
        arguments: [
            (nil, "/home/ada/Downloads"), ("XDG_DOWNLOAD_DIR=\"$HOME/Abc\"\n", "/home/ada/Abc"),
            ("# x\nXDG_DOWNLOAD_DIR=\"/srv/d\"", "/srv/d"),
            ("XDG_DOWNLOAD_DIR=\"relative\"\n", "/home/ada/Downloads"),
            ("XDG_DOWNLOAD_DIR=/srv/d\n", "/home/ada/Downloads"),
        ] as [(String?, String)])
    func `the folder is the one that the customer has chosen`(
        settings: String?, path: String
    ) throws {
        let folder = try TemporaryFolder()
        if let settings { try folder.write("user-dirs.dirs", settings) }
        let environment = ["HOME": "/home/ada", "XDG_CONFIG_HOME": folder.url.path]
        let folders = DeviceFolders(bundleID: "com.example.shop", environment: environment)
        #expect(folders.downloads.path == path)
    }
}
