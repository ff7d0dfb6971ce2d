import Foundation
import StoreAPI
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// Gives a team something of everything, and gathers the identifiers.
struct WalkFixtureContents {
    /// By the types of the API and the parts of paths.
    private(set) var known: [String: String]

    private let router: Router
    private let people: WalkPeople

    init(_ store: Store, _ clock: SettableClock, _ people: WalkPeople) async throws {
        self.people = people
        router = try StoreRoutes(services: store.services).router()
        known = try await Self.ownThings(store, clock, people)
        try await makeSubscriptions()
        try await makeCodes()
        try await makeRest()
        for _ in 0..<2 { try await gather() }
        known["sessions"] = try await Self.spareSession(store, people)
    }

    // MARK: By services

    /// What belongs to the store and to review, where one thing depends on the other.
    private static func ownThings(
        _ store: Store, _ clock: SettableClock, _ people: WalkPeople
    ) async throws -> [String: String] {
        let app = try await store.database.read { try $0.sampleApp() }
        let numbers = try await store.database.read { repositories in
            try [SampleShop.badge, SampleShop.chapter, SampleShop.credits].map {
                try #require(try repositories.products.number(of: ProductID($0)!, in: app.id))
            }
        }
        for number in numbers { try await store.addScreenshot(to: number) }
        let versions = AppVersionService(database: store.database, clock: clock)
        let version = AppVersionID(UUID().uuidString)!
        let build = AppBuildID(UUID().uuidString)!
        _ = try await versions.create(
            "1.0", id: version, of: app.id, platform: .linux, by: .machine)
        _ = try await versions.addBuild(
            "1", id: build, to: version, digest: String(repeating: "e", count: 64), size: 1000,
            by: .machine)
        // One waits, one is being reviewed, one is left to be changed.
        let reviews = store.services.reviews
        let waiting = try await reviews.submit(
            [ProductID(SampleShop.badge)!], of: app.id, by: .machine)
        let begun = try await reviews.submit(
            [ProductID(SampleShop.credits)!], of: app.id, by: .machine)
        _ = try await reviews.claim(begun.id, by: .machine)
        let (begunItem, waitingItem) = (
            try #require(begun.items.first), try #require(waiting.items.first)
        )
        var known: [String: String] = [
            "apps": String(app.id.number), "inAppPurchases": numbers[1].description,
            "products": numbers[1].description, "appStoreVersions": version.text,
            "versions": version.text, "builds": build.text,
            "reviewSubmissions": waiting.id.description, "submissions": waiting.id.description,
            "review": waiting.id.description,
            "reviewSubmissionItems": begunItem.id.description,
            "item": waitingItem.id.description, "contentHostings": numbers[1].description,
            "productStatuses": numbers[1].description,
            "teams": String(app.teamID), "territories": "USA", "texts": "ja",
            "bankAccounts": String(app.teamID), "taxForms": String(app.teamID),
            "parts": "0",
        ]
        known.merge(try await spares(store, people)) { $1 }
        known.merge(try await tester(store, clock, app)) { $1 }
        known.merge(try await storefront(store, app)) { $1 }
        known["notifications"] = try await notification(store, app)
        return known
    }

    /// Something that the app's server is told.
    private static func notification(_ store: Store, _ app: App) async throws -> String {
        var change = AppChange()
        change.sandboxStatusURL = .some("https://publisher.example/notifications")
        _ = try await store.services.apps.update(app.id, change, by: .machine)
        return try await store.services.notifications.sendTest(
            to: AppScope(app: app.id, environment: .sandbox), by: .machine
        ).id.description
    }

    /// People and a key that nobody of the walk is.
    private static func spares(
        _ store: Store, _ people: WalkPeople
    ) async throws -> [String: String] {
        let member = try await WalkPeople.person(
            "spare", role: .developer, of: people.team, store)
        let staff = try await WalkPeople.person(
            "spare-staff", role: .reviewer, of: people.team, store)
        let services = store.services.people
        let invited = try await services.invitations.invite(
            email: "invited@example.com", roles: [.developer], to: people.team, by: .machine)
        let staffInvited = try await services.invitations.invite(
            email: "invited-staff@example.com", roles: [.reviewer], to: nil, by: .machine)
        let key = try await services.keys.create(
            name: "spare", role: .developer, team: people.team, by: .machine)
        return [
            "users": String(member.id.number), "staffMembers": String(staff.id.number),
            "staff": String(staff.id.number), "userInvitations": invited.invitation.id,
            "invitations": invited.invitation.id,
            "staffInvitations": staffInvited.invitation.id,
            "apiKeys": key.key.id.text, "keys": key.key.id.text,
        ]
    }

    /// A tester who has bought something and waits for something.
    private static func tester(
        _ store: Store, _ clock: SettableClock, _ app: App
    ) async throws -> [String: String] {
        let tester = try await store.services.testers.create(
            TesterDraft(
                team: app.teamID, firstName: "Terry", lastName: "Tester",
                email: "tester@example.com", password: "correct-horse",
                secretQuestion: "Why?", secretAnswer: "Because",
                territory: Storefront.named("USA")!), by: .machine)
        let price = Money(thousandths: 990, currency: "USD")
        let pending = try await store.database.write { repositories in
            try repositories.pending.insert(
                LedgerDraft(
                    kind: .purchase, environment: .sandbox, account: tester.account, app: app.id,
                    bundleID: app.bundleID, productID: ProductID(SampleShop.credits)!,
                    productType: .consumable, key: "purchase-key-2001", device: "device",
                    quantity: 1, unitPrice: price, charged: price, storefront: tester.territory,
                    original: nil, applicationUsername: nil, date: clock.now()),
                kind: .approval)
        }
        let request = try await refund(store, pending.order)
        let id = String(tester.account.number)
        let autumn = try await store.services.sandboxClocks.create(
            SandboxClockDraft(
                team: app.teamID, name: "Autumn", followers: [.tester(tester.account)]),
            by: .machine
        ).clock.id
        return [
            "sandboxTesters": id, "sandbox": id, "sandboxClocks": String(autumn),
            "clock": String(autumn), "waitingPurchases": pending.id.description,
            "refundRequests": request.id.description, "refunds": request.id.description,
        ]
    }

    /// Something that was bought, and that the money is wanted back for.
    private static func refund(
        _ store: Store, _ order: LedgerDraft
    ) async throws -> RefundRequest {
        var order = order
        order.key = "purchase-key-2002"
        let bought = order
        let entry = try await store.database.write { try $0.ledger.insert(bought) }
        return try await store.services.refunds.ask(
            entry.id, of: nil, reason: .other, comment: "Too few."
        ).get()
    }

    /// What customers browse: a book that the tester has got and written about, who sent the
    /// tester, and who fetches the feed.
    private static func storefront(_ store: Store, _ app: App) async throws -> [String: String] {
        let services = store.services
        let artist = try await services.items.createArtist(
            name: "Wanda Walker", type: .author, of: app.teamID, by: .machine)
        var details = ItemDetails(kind: .ebook, title: "Guide for walkers", genres: [9004])
        details.artist = artist.id
        details.texts["ja"] = ItemText(title: "歩く人の手引き")
        let draft = try await services.items.create(
            details, state: .draft, of: app.teamID, by: .machine)
        try await store.database.write { try $0.addFile(to: draft.id) }
        let item = try await services.items.setState(.onSale, of: draft.id, by: .machine)
        let folder = try TemporaryFolder()
        let picture = try folder.write("cover.png", SamplePicture.square(512))
        let artwork = try await services.itemMedia.add(
            picture, kind: .artwork, fileName: "cover.png", to: item.id, by: .machine)
        let affiliate = try await services.affiliates.create(
            name: "Paths", email: "paths@example.com", basisPoints: 500, token: "paths",
            by: .machine)
        let partner = try await services.feedPartners.create(name: "Feeds", by: .machine)
        let account = try await services.accounts.account(
            email: "tester@example.com", environment: .sandbox)
        let sale = try await services.itemSales.buy(
            item.id, expecting: Money(thousandths: 0, currency: "USD"), by: account)
        let review = try await services.customerReviews.write(
            ReviewDraft(rating: 4, title: "Good", body: "Good paths.", nickname: "Terry"),
            on: item.id, by: account)
        return [
            "items": item.id.description, "artists": artist.id.description,
            "itemMedia": artwork.id.text, "media": artwork.id.text,
            "affiliates": String(affiliate.id), "feedPartners": String(partner.partner.id),
            "feed-partners": String(partner.partner.id), "itemSales": sale.id.description,
            "item-sales": sale.id.description, "customerReviews": review.id.description,
            "customer-reviews": review.id.description,
        ]
    }

    private static func spareSession(_ store: Store, _ people: WalkPeople) async throws -> String {
        guard let id = people.persons[.accountHolder],
            let holder = try await store.database.read({ try $0.people.person(id) })
        else { return "" }
        return try await store.services.people.sessions.start(
            holder, kind: .command, client: "spare"
        ).session.id
    }

    // MARK: By the API

    private mutating func makeSubscriptions() async throws {
        try await make(
            "/v1/subscriptionGroups", ["referenceName": "Walks"], one: ["app": "apps"])
        try await make(
            "/v1/subscriptionGroupLocalizations", ["name": "Walks", "locale": "en-US"],
            one: ["subscriptionGroup": "subscriptionGroups"])
        try await make(
            "/v1/subscriptions",
            [
                "name": "Monthly", "productId": "com.example.shop.walk",
                "subscriptionPeriod": "ONE_MONTH",
            ], one: ["group": "subscriptionGroups"])
        try await make(
            "/v1/subscriptionLocalizations",
            ["name": "Walk", "description": "All walks.", "locale": "en-US"],
            one: ["subscription": "subscriptions"])
        try await make(
            "/v1/subscriptionAvailabilities", ["availableInNewTerritories": true],
            one: ["subscription": "subscriptions"], many: ["availableTerritories": "territories"])
        try await gather(below: "/v1/subscriptions/{id}/pricePoints")
        try await make(
            "/v1/subscriptionPrices",
            one: [
                "subscription": "subscriptions",
                "subscriptionPricePoint": "subscriptionPricePoints",
            ])
        try await make(
            "/v1/subscriptionIntroductoryOffers",
            ["duration": "ONE_WEEK", "offerMode": "FREE_TRIAL", "numberOfPeriods": 1],
            one: ["subscription": "subscriptions"])
        try await make(
            "/v1/subscriptionPromotionalOffers",
            [
                "name": "Back", "offerCode": "back", "duration": "ONE_MONTH",
                "offerMode": "PAY_UP_FRONT", "numberOfPeriods": 1,
            ], one: ["subscription": "subscriptions"],
            prices: "subscriptionPromotionalOfferPrices")
        try await make(
            "/v1/subscriptionAppStoreReviewScreenshots",
            ["fileName": "shot.png", "fileSize": 1000], one: ["subscription": "subscriptions"])
    }

    private mutating func makeCodes() async throws {
        try await gather(below: "/v2/inAppPurchases/{id}/pricePoints")
        try await make(
            "/v1/subscriptionOfferCodes",
            [
                "name": "Spring", "customerEligibilities": ["NEW"],
                "offerEligibility": "STACK_WITH_INTRO_OFFERS", "duration": "ONE_MONTH",
                "offerMode": "PAY_UP_FRONT", "numberOfPeriods": 1,
            ], one: ["subscription": "subscriptions"], prices: "subscriptionOfferCodePrices")
        try await make(
            "/v1/inAppPurchaseOfferCodes",
            ["name": "Spring", "customerEligibilities": ["NON_SPENDER"]],
            one: ["inAppPurchase": "inAppPurchases"], prices: "inAppPurchaseOfferPrices")
        for owner in ["subscriptionOfferCode", "inAppPurchaseOfferCode"] {
            try await make(
                "/v1/\(owner)CustomCodes",
                ["customCode": "SPRING", "numberOfCodes": 100, "expirationDate": "2031-01-31"],
                one: ["offerCode": "\(owner)s"])
            try await make(
                "/v1/\(owner)OneTimeUseCodes",
                ["numberOfCodes": 500, "expirationDate": "2031-01-31"],
                one: ["offerCode": "\(owner)s"])
        }
    }

    private mutating func makeRest() async throws {
        try await gather(below: "/v1/bundleIds")
        try await make(
            "/v1/profiles", ["name": "Walk", "profileType": "MAC_APP_DEVELOPMENT"],
            one: ["bundleId": "bundleIds"], many: ["certificates": nil])
        known["identifiers"] = known["bundleIds"]
        try await make(
            "/v1/promotedPurchases", ["visibleForAllUsers": true],
            one: ["app": "apps", "inAppPurchaseV2": "inAppPurchases"])
        known["promoted"] = known["promotedPurchases"]
        try await make(
            "/v1/inAppPurchaseImages", ["fileName": "image.png", "fileSize": 1000],
            one: ["inAppPurchase": "inAppPurchases"])
        known["productAssets"] = known["inAppPurchaseImages"]
        try await make(
            "/v1/inAppPurchaseAvailabilities", ["availableInNewTerritories": true],
            one: ["inAppPurchase": "inAppPurchases"],
            many: ["availableTerritories": "territories"])
        try await make(
            "/v1/inAppPurchaseVersions", one: ["inAppPurchase": "inAppPurchases"])
        try await make(
            "/openstore/v1/contentUploads",
            [
                "bundleId": "com.example.shop", "productId": .string(SampleShop.chapter),
                "fileName": "chapter.pkg", "fileSize": 1000,
                "sha256": .string(String(repeating: "a", count: 64)),
            ])
        known["uploads"] = known["contentUploads"]
    }

    /// Makes one resource, and keeps its identifier.
    ///
    /// - Parameters:
    ///   - one: the types of those that it belongs to, by relationship.
    ///   - many: the types of those that it has one of; nil for none.
    ///   - prices: the type of the prices that come with it.
    private mutating func make(
        _ path: String, _ attributes: [String: JSONValue] = [:], one: [String: String] = [:],
        many: [String: String?] = [:], prices: String? = nil
    ) async throws {
        let type = String(path.split(separator: "/").last ?? "")
        var relationships = one.mapValues { JSONValue.object(["data": link(to: $0)]) }
        for (name, type) in many {
            let links: [JSONValue] = type.map { [link(to: $0)] } ?? []
            relationships[name] = .object(["data": .array(links)])
        }
        var document: [String: JSONValue] = [:]
        if let prices {
            let point: String =
                type.hasPrefix("subscription")
                ? "subscriptionPricePoints" : "inAppPurchasePricePoints"
            let name: String =
                type.hasPrefix("subscription") ? "subscriptionPricePoint" : "pricePoint"
            relationships["prices"] = [
                "data": [["type": .string(prices), "id": "${price}"]]
            ]
            document["included"] = [
                [
                    "type": .string(prices), "id": "${price}",
                    "relationships": [
                        name: ["data": link(to: point)],
                        "territory": ["data": link(to: "territories")],
                    ],
                ]
            ]
        }
        var data: [String: JSONValue] = ["type": .string(type)]
        if !attributes.isEmpty { data["attributes"] = .object(attributes) }
        if !relationships.isEmpty { data["relationships"] = .object(relationships) }
        document["data"] = .object(data)
        guard
            let operation = ConnectRouteTable.operations.first(where: {
                $0.method == .post && $0.pattern == path
            })
        else { throw Unfurnished(path: path, answer: "no such route") }
        let answer = try await router.answer(
            operation, at: path, token: people.sessions[.accountHolder],
            body: JSONValue.object(document).encoded())
        guard (200..<300).contains(answer.status) else {
            throw Unfurnished(path: path, answer: String(decoding: answer.bytes, as: UTF8.self))
        }
        keep(try JSONValue(reading: answer.bytes))
    }

    private func link(to type: String) -> JSONValue {
        ["type": .string(type), "id": .string(known[type] ?? "unknown")]
    }

    // MARK: Gathering

    /// Keeps the first identifier of each type that the Account Holder can read.
    private mutating func gather(below pattern: String = "") async throws {
        for operation in ConnectRouteTable.operations
        where operation.method == .get && operation.pattern.hasPrefix(pattern) {
            guard let path = PathParameters.fill(operation.pattern, known) else { continue }
            let answer = try await router.answer(
                operation, at: path, token: people.sessions[.accountHolder], body: Data())
            guard answer.status == 200, let json = try? JSONValue(reading: answer.bytes)
            else { continue }
            keep(json)
        }
    }

    private mutating func keep(_ value: JSONValue) {
        if let type = value["type"]?.text, let id = value["id"]?.text, known[type] == nil {
            known[type] = id
        }
        for element in value.elements ?? [] { keep(element) }
        for member in (value.members ?? [:]).sorted(by: { $0.key < $1.key }) {
            keep(member.value)
        }
    }
}

/// Something that a team could not be given.
private struct Unfurnished: Error {
    let path: String
    let answer: String
}
