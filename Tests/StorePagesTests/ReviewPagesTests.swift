import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Submitting and reviewing in the portal, as publishers and reviewers click.
@Suite struct ReviewPagesTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let publisher: PortalClient
    private let reviewer: PortalClient
    private let path: String
    private let badge: ProductNumber
    private let chapter: ProductNumber

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await StorePagesTests.openStore(in: folder)
        self.store = store
        _ = try await store.importCatalog(
            configuration: SampleShop.configuration, bundleID: SampleShop.bundleID,
            appName: "Sample <shop>")
        let (app, numbers) = try await store.database.read { repositories in
            let app = try repositories.sampleApp()
            let numbers = try [SampleShop.badge, SampleShop.chapter].map { id in
                try #require(try repositories.products.number(of: ProductID(id)!, in: app.id))
            }
            return (app, numbers)
        }
        for number in numbers { try await store.addScreenshot(to: number) }
        (badge, chapter) = (numbers[0], numbers[1])
        path = "/connect/apps/\(app.id.number)"
        publisher = PortalClient(
            store, roles: [.appManager],
            team: ConnectVisitor.Team(id: app.teamID, name: "Publisher"))
        reviewer = PortalClient(store, roles: [.reviewer], team: nil)
    }

    /// Submits products as the form does.
    private func submit(_ ids: String...) async throws -> String {
        let form = try await publisher.open("\(path)/submissions/new")
        #expect(form.status == 200)
        let answer = try await publisher.send(
            form, to: "\(path)/submissions", lists: ["items": ids])
        #expect(answer.status == 303, "\(answer.words)")
        return try #require(answer.location)
    }

    @Test func `products are chosen, submitted and taken back`() async throws {
        let form = try await publisher.open("\(path)/submissions/new")
        #expect(form.words.contains("A badge"))
        #expect(form.words.contains("The first chapter"))
        let nothing = try await publisher.send(form, to: "\(path)/submissions")
        #expect(nothing.status == 422)
        #expect(nothing.words.contains("Nothing was chosen."))
        let location = try await submit(SampleShop.badge, SampleShop.chapter)
        let page = try await publisher.open(location)
        #expect(page.words.contains("Waiting for Review"))
        #expect(page.words.contains(SampleShop.badge))
        let list = try await publisher.open("\(path)/submissions")
        #expect(list.words.contains("2 products"))
        let back = try await publisher.send(page, to: "\(location)/withdraw")
        #expect(back.status == 303)
        let gone = try await publisher.open(location)
        #expect(gone.words.contains("Taken Back"))
        // Twice is not possible, and says why.
        let twice = try await publisher.send(gone, to: "\(location)/withdraw")
        #expect(twice.status == 422)
        #expect(twice.words.contains("can be submitted again"))
    }

    @Test func `a reviewer claims, decides and says why`() async throws {
        let location = try await submit(SampleShop.badge, SampleShop.chapter)
        let id = try #require(location.split(separator: "/").last)
        let queue = try await reviewer.open("/connect/review")
        #expect(queue.words.contains("Sample &lt;shop&gt;"))
        var page = try await reviewer.open("/connect/review/\(id)")
        #expect(page.words.contains("Begin Review"))
        #expect(!page.text.contains("name=\"decision\""))
        let claimed = try await reviewer.send(page, to: "/connect/review/\(id)/claim")
        #expect(claimed.status == 303)
        page = try await reviewer.open("/connect/review/\(id)")
        // Pictures of the things lie below their addresses.
        let items = page.text.matches(of: /review\/\d+\/items\/(\d+)"/).map { String($0.1) }
        try #require(items.count == 2)
        let decide = "/connect/review/\(id)/items/\(items[0])"
        let mute = try await reviewer.send(page, to: decide, ["decision": "reject"])
        #expect(mute.status == 422)
        #expect(mute.words.contains("The message to the publisher is empty."))
        let none = try await reviewer.send(page, to: decide)
        #expect(none.words.contains("No decision was chosen."))
        let rejected = try await reviewer.send(
            page, to: decide, ["decision": "reject", "message": "The <title> is wrong."])
        #expect(rejected.status == 303)
        #expect(rejected.location == "/connect/review/\(id)")
        let approved = try await reviewer.send(
            page, to: "/connect/review/\(id)/items/\(items[1])", ["decision": "approve"])
        #expect(approved.location == "/connect/review")
        let told = try await publisher.open(location)
        #expect(told.words.contains("The &lt;title&gt; is wrong."))
        #expect(told.words.contains("Change what the message is about"))
        #expect(told.words.contains("Approved"))
    }

    @Test func `what has changed stands beside what was approved`() async throws {
        let first = try await submit(SampleShop.badge)
        try await approve(first)
        let services = ProductService(database: store.database, clock: store.clock)
        _ = try await services.updateText(
            title: "A brighter badge", locale: "en_US", of: badge, by: .machine)
        let location = try await submit(SampleShop.badge)
        let id = try #require(location.split(separator: "/").last)
        let page = try await reviewer.open("/connect/review/\(id)")
        #expect(page.words.contains("What has changed"))
        #expect(page.text.contains("<del>"))
        #expect(page.words.contains("A brighter badge"))
        #expect(!page.words.contains("Description (en_US)"))
    }

    private func approve(_ location: String) async throws {
        let name = String(try #require(location.split(separator: "/").last))
        let id = try #require(SubmissionID(name))
        let reviews = store.services.reviews
        let claimed = try await reviews.claim(id, by: .machine)
        for item in claimed.items {
            _ = try await reviews.decide(.approve, on: item.id, by: .machine)
        }
    }

    @Test func `a product is taken from sale after a question`() async throws {
        try await approve(try await submit(SampleShop.badge))
        let product = "/connect/products/\(badge)"
        let question = try await publisher.open("\(product)/remove-from-sale")
        #expect(question.words.contains("Nobody new can buy it."))
        let answer = try await publisher.send(question, to: "\(product)/remove-from-sale")
        #expect(answer.location == "\(product)/review")
        let twice = try await publisher.send(question, to: "\(product)/remove-from-sale")
        #expect(twice.status == 422)
        #expect(twice.words.contains("off sale already"))
        let staff = PortalClient(store, roles: [.operator], team: nil)
        let down = try await staff.open("\(product)/take-down")
        let mute = try await staff.send(down, to: "\(product)/take-down")
        #expect(mute.status == 422)
        let taken = try await staff.send(
            down, to: "\(product)/take-down", ["reason": "A complaint."])
        #expect(taken.status == 303)
        let back = try await publisher.send(question, to: "\(product)/return-to-sale")
        #expect(back.status == 422)
        #expect(back.words.contains("ask its staff to reinstate it"))
    }

    @Test func `the page of a product says where it stands, and submits it alone`() async throws {
        let product = "/connect/products/\(badge)/review"
        let page = try await publisher.open(product)
        #expect(page.words.contains("Never submitted"))
        #expect(try await publisher.send(page, to: product).status == 303)
        let waiting = try await publisher.open(product)
        #expect(waiting.words.contains("Waiting for Review"))
        let twice = try await publisher.send(page, to: product)
        #expect(twice.status == 422)
        #expect(twice.words.contains("with the reviewers already"))
        #expect(try await publisher.send(waiting, to: "\(product)/withdraw").status == 303)
        #expect(try await publisher.open(product).words.contains("Taken Back"))
    }

    @Test func `what is not the team's is not there`() async throws {
        let location = try await submit(SampleShop.badge)
        let id = try #require(location.split(separator: "/").last)
        let stranger = PortalClient(
            store, roles: [.accountHolder], team: ConnectVisitor.Team(id: 77, name: "Other"))
        for address in [
            location, "\(path)/submissions", "\(path)/submissions/new",
            "/connect/products/\(badge)/content", "/connect/products/\(badge)/review",
            "/connect/products/\(badge)/remove-from-sale",
        ] {
            #expect(try await stranger.open(address).status == 404, "\(address)")
        }
        #expect(try await stranger.open("/connect/review/\(id)").status == 403)
    }
}
