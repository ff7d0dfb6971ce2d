import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// In-app purchases, as somebody clicks through them.
@Suite struct PortalProductTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let portal: PortalClient
    private let app: App
    private let actor: ConnectActor

    init() async throws {
        folder = try TemporaryFolder()
        store = try await StorePagesTests.openStore(in: folder)
        let (team, app) = try await store.database.write { repositories in
            let team = try repositories.catalog.save(
                TeamDraft(name: "Publisher", hasPaidAgreement: true))
            let app = try repositories.catalog.save(
                AppDraft(
                    teamID: team.id, bundleID: BundleID("com.publisher.shop")!, name: "Shop",
                    binaryState: .readyForSale, generation: 1, primaryLocale: .americanEnglish))
            return (team, app)
        }
        self.app = app
        actor = ConnectActor(
            kind: .person(PersonID(number: 1), email: "pat@example.com"), team: team.id,
            roles: [.admin])
        portal = PortalClient(
            store, roles: [.admin], team: ConnectVisitor.Team(id: team.id, name: team.name))
    }

    private var list: String { "/connect/apps/\(app.id.number)/products" }

    /// Sends the form of a page that is opened first, and opens the page it leads to.
    private func submit(
        _ form: String, to path: String, _ fields: [String: String] = [:],
        lists: [String: [String]] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (page: PortalClient.Page, path: String) {
        let answer = try await portal.send(
            try await portal.open(form), to: path, fields, lists: lists)
        #expect(answer.status == 303, "\(answer.words)", sourceLocation: sourceLocation)
        let location = try #require(answer.location, sourceLocation: sourceLocation)
        let page = try await portal.open(location)
        #expect(page.status == 200, sourceLocation: sourceLocation)
        return (page, location)
    }

    private func create(_ id: String = "com.publisher.coins") async throws -> String {
        try await submit(
            "\(list)/new", to: list,
            ["productId": id, "name": "100 <Coins>", "inAppPurchaseType": "Consumable"]
        ).path
    }

    private func record(_ path: String) async throws -> ProductRecord {
        let number = try #require(
            path.split(separator: "/").last.flatMap { ProductNumber(String($0)) })
        return try await store.services.products.product(number, by: actor)
    }

    @Test func `a product is made, and its page says what is missing`() async throws {
        let path = try await create()
        let page = try await portal.open(path)
        #expect(page.text.contains("100 &lt;Coins&gt;") && !page.text.contains("<Coins>"))
        #expect(page.words.contains("Missing Metadata"))
        for sentence in ["Choose a price.", "display name", "Upload a screenshot"] {
            #expect(page.words.contains(sentence), "\(sentence)")
        }
        for section in ["texts", "prices", "screenshot", "availability"] {
            #expect(page.text.contains("href=\"\(path)/\(section)\""))
        }
        _ = try await submit(path, to: path, ["name": "200 Coins"])
        #expect(try await record(path).summary.referenceName == "200 Coins")
    }

    @Test func `a subscription is made in a group that there is, or in a new one`() async throws {
        func make(_ id: String, _ group: String) async throws -> ProductRecord {
            try await record(
                try await submit(
                    "\(list)/new", to: list,
                    [
                        "productId": id, "name": id, "group": group, "period": "P6M",
                        "inAppPurchaseType": ProductType.autoRenewableSubscription.rawValue,
                    ]
                ).path)
        }
        func groups() async throws -> [KeptResource] {
            try await store.services.subscriptions.groups(
                of: app.id, PageRequest(limit: 10), by: actor
            ).items
        }
        let first = try await make("com.publisher.gold", "Reading")
        let group = try #require(try await groups().first)
        #expect(group.name == "Reading")
        #expect(first.product.details.subscription?.groupID == group.id)
        #expect(first.product.details.subscription?.period.iso8601 == "P6M")
        #expect(
            try await portal.open("\(list)/new").text.contains("<option value=\"Reading\">"))
        let second = try await make("com.publisher.silver", " Reading ")
        #expect(second.product.details.subscription?.groupID == group.id)
        let third = try await make("com.publisher.music", "Music")
        #expect(third.product.details.subscription?.groupID != group.id)
        #expect(try await groups().map(\.name).sorted() == ["Music", "Reading"])
        let none = try await portal.send(
            try await portal.open("\(list)/new"), to: list,
            [
                "productId": "com.publisher.none", "name": "None",
                "inAppPurchaseType": ProductType.autoRenewableSubscription.rawValue,
            ])
        #expect(none.status == 422 && none.text.contains("id=\"field-group-problem\""))
    }

    @Test func `a form with a mistake comes back as it was typed`() async throws {
        _ = try await create()
        let form = try await portal.open("\(list)/new")
        let again = try await portal.send(
            form, to: list,
            [
                "productId": "com.publisher.coins", "name": "Other",
                "inAppPurchaseType": "Non-Consumable",
            ])
        #expect(again.status == 422)
        #expect(again.words.contains("The app has a product com.publisher.coins."))
        #expect(again.text.contains("value=\"Other\""))
        #expect(again.text.contains("id=\"field-productId-problem\""))
        let unchosen = try await portal.send(form, to: list, ["productId": "x.y", "name": "Other"])
        #expect(unchosen.status == 422)
    }

    @Test func `texts, price, availability and screenshot make it ready to submit`() async throws {
        let path = try await create()
        let texts = "\(path)/texts"
        _ = try await submit(
            "\(texts)/new", to: texts,
            ["locale": "en-US", "name": "Coins", "description": "A hundred."])
        _ = try await submit(
            "\(texts)/en-US", to: "\(texts)/en-US",
            ["name": "Gold coins", "description": "A hundred."])
        let prices = "\(path)/prices"
        _ = try await submit("\(prices)/new", to: prices, ["territory": "USA", "tier": "3"])
        let japan = try await submit(
            "\(prices)/new?territory=JPN", to: prices, ["territory": "JPN", "tier": "1"])
        #expect(japan.page.words.contains("¥120"))
        #expect(japan.page.words.contains("$2.99"))
        let planned = try await submit(
            "\(prices)/new", to: prices,
            ["territory": "USA", "tier": "5", "startDate": "2999-01-01"])
        #expect(planned.page.words.contains("1 January 2999"))
        let followed = try await submit(prices, to: "\(prices)/follow", ["territory": "JPN"])
        #expect(followed.page.words.contains("¥360"))
        let availability = "\(path)/availability"
        let sold = try await submit(
            availability, to: availability, lists: ["availableTerritories": ["USA", "JPN"]])
        #expect(sold.page.words.contains("2 territories of 155"))
        try await sendScreenshot(path)
        let page = try await portal.open(path)
        #expect(page.words.contains("Nothing is missing"))
        #expect(!page.words.contains("Paid Apps agreement"))
        #expect(page.words.contains("Ready to Submit"))
        let ready = try await record(path)
        #expect(ready.product.details.texts["en_US"]?.title == "Gold coins")
        #expect(ready.product.availability == .only(["USA", "JPN"]))
        _ = try await store.services.people.agreements.terminate(
            .paidApps, of: app.teamID, by: .machine)
        let idle = try await portal.open(path)
        #expect(idle.words.contains("until the Paid Apps agreement of the team"))
        #expect(idle.words.contains("Nothing is missing for review"))
        #expect(idle.text.contains("href=\"/connect/agreements\""))
    }

    private static let screenshot: Data = {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        data += Data("IHDR".utf8) + Data([0, 0, 2, 128, 0, 0, 3, 152])
        return data + Data(count: 1000)
    }()

    /// Sends the screenshot in two parts, as the portal's script does.
    private func sendScreenshot(_ path: String) async throws {
        let token = try #require(try await portal.open("\(path)/screenshot").formToken)
        let bytes = Self.screenshot
        var asset: String?
        for (offset, part) in [(0, bytes.prefix(600)), (600, bytes.dropFirst(600))] as [(Int, Data)]
        {
            let answer = await sendPart(part, at: offset, of: asset, to: path, token)
            #expect(answer.status == 200)
            #expect(answer.text.contains("location") == (offset > 0))
            asset = Self.asset(in: answer)
        }
    }

    private static func asset(in answer: PortalClient.Page) -> String? {
        answer.text.firstMatch(of: /"asset":"([^"]*)"/).map { String($0.1) }
    }

    /// Sends a part of the screenshot.
    ///
    /// - Parameter asset: what the answer to the first part called it.
    private func sendPart(
        _ part: Data, at offset: Int, of asset: String?, to path: String, _ token: String
    ) async -> PortalClient.Page {
        await portal.send(
            HTTPRequest(
                method: "PUT", path: "\(path)/screenshot",
                query: [
                    (name: "offset", value: "\(offset)"),
                    (name: "size", value: "\(Self.screenshot.count)"),
                ] + (asset.map { [(name: "asset", value: $0)] } ?? []),
                headers: [
                    "X-Form-Token": token, "Sec-Fetch-Site": "same-origin",
                    "X-File-Name": "shot%201.png",
                ], body: Data(part)))
    }

    @Test func `two screenshots that are sent at once are not mixed`() async throws {
        let path = try await create()
        let token = try #require(try await portal.open("\(path)/screenshot").formToken)
        let bytes = Self.screenshot
        let first = Self.asset(
            in: await sendPart(bytes.prefix(600), at: 0, of: nil, to: path, token))
        let second = Self.asset(
            in: await sendPart(bytes.prefix(600), at: 0, of: nil, to: path, token))
        #expect(first != nil && second != nil && first != second)
        for asset in [first, nil, "00000000-0000-0000-0000-000000000000"] as [String?] {
            let late = await sendPart(bytes.dropFirst(600), at: 600, of: asset, to: path, token)
            #expect(late.status == 422)
            #expect(late.text.contains("Another picture has taken the place"))
        }
        #expect(try await record(path).reviewScreenshot?.state == .awaitingUpload)
        let whole = await sendPart(bytes.dropFirst(600), at: 600, of: second, to: path, token)
        #expect(whole.status == 200)
        #expect(try await record(path).reviewScreenshot?.state == .complete)
    }

    @Test func `a screenshot is shown, and can be taken away`() async throws {
        let path = try await create()
        try await sendScreenshot(path)
        let page = try await portal.open("\(path)/screenshot")
        #expect(page.words.contains("shot 1.png, 640 × 920"))
        let file = try await portal.open("\(path)/screenshot/file")
        #expect(file.status == 200 && file.headers["Content-Type"] == "image/png")
        _ = try await submit("\(path)/screenshot", to: "\(path)/screenshot/delete")
        #expect(try await record(path).reviewScreenshot == nil)
        #expect(try await portal.open("\(path)/screenshot/file").status == 404)
        _ = try await submit(
            "\(path)/screenshot", to: "\(path)/note", ["reviewNote": "Tap the chest."])
        #expect(try await record(path).summary.reviewNote == "Tap the chest.")
    }

    @Test func `a refused screenshot leaves the note, and a refused note the picture`()
        async throws
    {
        let path = try await create()
        _ = try await submit(
            "\(path)/screenshot", to: "\(path)/note", ["reviewNote": "Tap the chest."])
        let page = try await portal.open("\(path)/screenshot")
        let refused = try await portal.send(page, to: "\(path)/screenshot")
        #expect(refused.status == 422)
        #expect(refused.text.contains("Tap the chest.</textarea>"))
        #expect(refused.text.contains("id=\"field-fileName-problem\""))
        #expect(refused.text.matches(of: /id="summary"/).count == 1)
        let long = try await portal.send(
            page, to: "\(path)/note", ["reviewNote": String(repeating: "x", count: 4001)])
        #expect(long.status == 422)
        #expect(long.text.contains("id=\"field-reviewNote-problem\""))
        #expect(long.text.matches(of: /id="summary"/).count == 1)
    }

    @Test func `a screenshot comes from a form without scripts too`() async throws {
        let path = try await create()
        let token = try #require(try await portal.open("\(path)/screenshot").formToken)
        var body = Data(
            "--b\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n\(token)\r\n".utf8)
        body += Data(
            ("--b\r\nContent-Disposition: form-data; name=\"fileName\"; filename=\"a.png\"\r\n"
                + "Content-Type: image/png\r\n\r\n").utf8)
        body += Self.screenshot + Data("\r\n--b--\r\n".utf8)
        let answer = await portal.send(
            HTTPRequest(
                method: "POST", path: "\(path)/screenshot",
                headers: [
                    "Content-Type": "multipart/form-data; boundary=b",
                    "Sec-Fetch-Site": "same-origin",
                ], body: body))
        #expect(answer.status == 303)
        #expect(try await record(path).reviewScreenshot?.state == .complete)
    }

    @Test func `a long list is searched, filtered, sorted and paged`() async throws {
        try await store.database.write { [app] repositories in
            for number in 1...120 {
                try repositories.catalog.save(
                    ProductDraft(
                        productID: ProductID("com.publisher.n\(number)")!, type: .consumable,
                        referenceName: "Item \(1000 + number)", isFamilyShareable: false,
                        state: number == 7 ? .rejected : .readyToSubmit, primaryLocale: "en_US",
                        texts: [:], prices: [:], subscription: nil), in: app.id)
            }
        }
        let first = try await portal.open(list)
        #expect(first.words.contains("Item 1001") && !first.words.contains("Item 1051"))
        #expect(first.words.contains("50 shown, 120 in all"))
        func next(_ page: PortalClient.Page, _ title: String) throws -> String {
            let links = page.text.matches(of: /href="([^"]*)">(Next|Previous)</)
            let link = links.first { $0.2 == title }.map { String($0.1) }
            return try #require(link).replacing("&amp;", with: "&")
        }
        let second = try await portal.open(try next(first, "Next"))
        #expect(second.words.contains("Item 1051") && !second.words.contains("Item 1050"))
        let back = try await portal.open(try next(second, "Previous"))
        #expect(back.words.contains("Item 1001"))
        let found = try await portal.open("\(list)?search=ITEM%201099")
        #expect(found.words.contains("Item 1099") && !found.words.contains("Item 1098"))
        let rejected = try await portal.open("\(list)?state=REJECTED")
        #expect(rejected.words.contains("Item 1007") && rejected.words.contains("1 shown"))
        let sorted = try await portal.open("\(list)?sort=-name")
        #expect(sorted.words.contains("Item 1120") && !sorted.words.contains("Item 1001"))
        let none = try await portal.open("\(list)?search=nothing%20of%20the%20kind")
        #expect(none.words.contains("No in-app purchases"))
    }

    @Test func `promoted purchases are put in order`() async throws {
        let promoted = "/connect/apps/\(app.id.number)/promoted"
        for id in ["com.publisher.a", "com.publisher.b"] {
            _ = try await create(id)
            _ = try await submit(
                promoted, to: promoted, ["inAppPurchaseV2": id, "visibleForAllUsers": "true"])
        }
        func promotions() async throws -> [(Promotion, ProductSummary)] {
            try await store.services.promotions.promotions(of: app.id, by: actor)
        }
        let made = try await promotions()
        try #require(made.count == 2)
        let last = made[1].0
        _ = try await submit(promoted, to: "/connect/promoted/\(last.id)", ["step": "up"])
        #expect(
            try await promotions().map(\.1.productID.text) == [
                "com.publisher.b", "com.publisher.a",
            ])
        for (step, isVisible, isEnabled) in [
            ("hide", false, true), ("disable", false, false), ("show", true, false),
            ("enable", true, true),
        ] as [(String, Bool, Bool)] {
            _ = try await submit(promoted, to: "/connect/promoted/\(last.id)", ["step": step])
            let all = try await promotions()
            try #require(!all.isEmpty)
            let changed = all[0].0
            #expect(changed.isVisible == isVisible && changed.isEnabled == isEnabled)
        }
        _ = try await submit(promoted, to: "/connect/promoted/\(last.id)", ["step": "remove"])
        #expect(try await promotions().count == 1)
        let wrong = try await portal.send(
            try await portal.open(promoted), to: promoted, ["inAppPurchaseV2": "com.nothing"])
        #expect(wrong.status == 422)
    }

    @Test func `a product is deleted after a question`() async throws {
        let path = try await create()
        let page = try await portal.open("\(path)/delete")
        #expect(page.words.contains("is never given again"))
        _ = try await submit("\(path)/delete", to: "\(path)/delete")
        #expect(try await portal.open(path).status == 404)
        #expect(try await !portal.open(list).words.contains("com.publisher.coins"))
    }

    @Test func `another team's product is not there`() async throws {
        let path = try await create()
        let stranger = PortalClient(
            store, roles: [.admin], team: ConnectVisitor.Team(id: 999, name: "Other"))
        for rest in ["", "/texts", "/prices", "/availability", "/screenshot", "/delete"] {
            #expect(try await stranger.open(path + rest).status == 404)
        }
        #expect(try await stranger.open(list).status == 404)
    }

    @Test func `who may only look is shown no forms`() async throws {
        let path = try await create()
        let team = try #require(actor.team)
        let reader = PortalClient(
            store, roles: [.finance], team: ConnectVisitor.Team(id: team, name: "Publisher"))
        for rest in ["", "/texts", "/prices", "/availability", "/screenshot"] {
            let page = try await reader.open(path + rest)
            #expect(page.status == 200)
            #expect(!page.text.contains("action=\"\(path)"), "\(rest)")
            #expect(!page.text.contains("href=\"\(path)/texts/new\""))
        }
    }
}
