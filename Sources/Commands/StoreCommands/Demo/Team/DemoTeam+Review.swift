import Foundation
import StoreCore
import StoreModel
import StorePackage

/// What was submitted, and what the reviewer said.
extension DemoTeam {
    /// Submits products of an app, with or without a version.
    private func submit(
        _ names: [String], of app: String = "bookshop", with version: AppVersionID? = nil
    ) async throws -> Submission {
        try await store.services.reviews.submit(
            names.compactMap { ProductID("com.example.\(app).\($0)") }, version: version,
            of: try self.app(app).id, by: try actor(.appManager))
    }

    /// Takes a submission on and decides about what is in it, the version first: what comes
    /// with it waits for it.
    ///
    /// - Parameter decision: of an item; nil leaves it undecided.
    private func review(
        _ submission: Submission,
        _ decision: (SubmissionItem) -> ReviewDecision? = { _ in .approve }
    ) async throws {
        let reviewer = try actor(.reviewer)
        let claimed = try await store.services.reviews.claim(submission.id, by: reviewer)
        for item in claimed.items.sorted(by: { $0.isVersion && !$1.isVersion }) {
            guard let decision = decision(item) else { continue }
            _ = try await store.services.reviews.decide(decision, on: item.id, by: reviewer)
        }
    }

    /// The apps and products with which it began.
    mutating func reviewFirstProducts() async throws {
        wait(until: 43, hour: 12)
        let books = try await makeVersion(
            "1.0", of: "bookshop", builds: 2, new: "Two chapters, and credits to buy them with.")
        let stars = try await makeVersion(
            "1.0", of: "stargazer", builds: 1, new: "The first stars.")
        let first = try await submit(
            [
                "chapter1", "chapter2", "credits5", "credits10", "pass", "poster", "audio",
                "ribbon", "calendar", "club.monthly",
            ], with: books)
        let second = try await submit(
            ["constellations", "meteors", "almanac"], of: "stargazer", with: stars)
        wait(until: 42)
        try await review(first)
        try await review(second)
    }

    /// Another version, and products with which something was wrong.
    mutating func reviewMore() async throws {
        wait(until: 18, hour: 19)
        let version = try await makeVersion(
            "1.1", of: "bookshop", builds: 3,
            new: "Reads aloud. The map of the coast. Fewer crashes.")
        for product in DemoProduct.later { try await make(product) }
        let third = try await submit(["map", "recipes"], with: version)
        let tides = try await makeVersion("1.0", of: "tidetables", builds: 1, new: "Hello, sea.")
        let fourth = try await submit([], of: "tidetables", with: tides)
        let stars = try await makeVersion(
            "1.1", of: "stargazer", builds: 2, new: "Meteor showers, and a red light for night.",
            release: .manual)
        let fifth = try await submit([], of: "stargazer", with: stars)

        wait(until: 17, hour: 0)
        try await review(third) { item in
            if item.name.hasSuffix(scalars: ".map") {
                .reject(
                    "The map shows a coast that the description does not name. Say which one it "
                        + "is, and show the map itself in the screenshot.")
            } else if item.name.hasSuffix(scalars: ".recipes") {
                .askDeveloper("The account that your note names can’t sign in.")
            } else {
                .approve
            }
        }
        try await review(fourth) { _ in
            .reject("The app ends as soon as it is opened. Send a build that starts.")
        }
        try await review(fifth)

        wait(until: 17, hour: 1)
        let sale = store.services.saleChanges
        let audio = try number("\(Self.bundleID).audio")
        _ = try await sale.setSale(false, of: audio, by: try actor(.appManager))
        _ = try await sale.takeDown(
            try number("\(Self.bundleID).calendar"),
            reason: "Its times are wrong for the southern hemisphere.", by: try actor(.operator))
        try await store.services.products.delete(
            try number("\(Self.bundleID).bookmark"), by: try actor(.appManager))
    }

    /// What is being done now: edited, waiting, and being reviewed.
    mutating func fillQueue() async throws {
        wait(until: 0, hour: 1)
        let manager = try actor(.appManager)
        let products = store.services.products
        // Neither has what it takes yet.
        let unfinished = try await products.create(
            NewProduct(
                productID: "\(Self.bundleID).chapter3", type: .nonConsumable,
                referenceName: "Chapter 3", isFamilyShareable: true),
            in: try app("bookshop").id, by: manager)
        _ = try await products.addText(
            ProductText(
                title: "The Keeper’s Nephew", description: "Chapter 3: A visitor by the last boat"),
            locale: "en-US", to: unfinished.number, by: manager)
        let hosted = try await products.create(
            NewProduct(
                productID: "\(Self.bundleID).chapter4", type: .nonConsumable,
                referenceName: "Chapter 4"), in: try app("bookshop").id, by: manager)
        _ = try await store.services.hosting.setHosting(true, of: hosted.number, by: manager)

        try await reviseChapter()
        let version = try await makeVersion(
            "1.2", of: "bookshop", builds: 2, new: "Candles and postcards.",
            note: "The postcards are under Library, Share.")
        let begun = try await submit(["candle", "postcards"], with: version)
        wait(until: 0, hour: 4)
        _ = try await submit(["chapter2"])
        _ = try await submit(["club.yearly"])

        // The postcards wait for the version; it and the candle are still looked at.
        try await review(begun) { $0.name.hasSuffix(scalars: ".postcards") ? .approve : nil }
        try await invite()
    }

    /// Other texts and newer content for what customers have.
    private mutating func reviseChapter() async throws {
        let number = try number("\(Self.bundleID).chapter2")
        let writer = try actor(.marketing)
        _ = try await store.services.products.updateText(
            title: "Sixty Beats to the Turn",
            description: "Chapter 2: A night of storm in the tower, now with a map",
            locale: "en_US", of: number, by: writer)
        _ = try await store.services.products.addText(
            ProductText(
                title: "Soixante battements par tour",
                description: "Chapitre 2 : une nuit de tempête dans la tour"),
            locale: "fr-FR", to: number, by: writer)

        let folder = try store.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = shop.appendingPathComponent("Content/\(Self.bundleID).chapter2")
        let work = folder.appendingPathComponent("chapter2")
        try FileManager.default.copyItem(at: source, to: work)
        let text = work.appendingPathComponent("Contents/chapter.txt")
        let story = try String(contentsOf: text, encoding: .utf8)
        try Data((story + "\nThe end of the second chapter.\n").utf8).write(to: text)
        try Data("North is up. Here be rocks.\n".utf8).write(
            to: work.appendingPathComponent("Contents/map.txt"))
        let package = folder.appendingPathComponent("chapter2.pkg")
        try PackageBuilder(folder: work).buildNextVersion(to: package)
        try await store.handIn(package: package, for: number, by: try actor(.developer))
    }
}
