import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreTexts
import StoreWire
import Testing

/// What an app shows of items, reviews, quotes and renewed downloads where the store lies about them.
struct LyingItems {
    /// An answer, and who asks for it.
    struct Row: Sendable, CustomTestStringConvertible {
        /// What the path ends in.
        var route: String
        var truth: any Encodable & Sendable
        /// Places that may be absent.
        var optional: Set<String> = []
        var ask: @Sendable (StoreClient, SessionAnswer) async throws -> Void

        var testDescription: String { route }
    }

    private static let price = Money(thousandths: 1990, currency: "USD")

    private static let review = WireReview(
        reviewId: 1, rating: 5, title: "Good", body: "Very.", nickname: "ada", version: "1.0",
        date: 1_800_000_000_000, helpfulVotes: 1, votes: 2, response: "Thanks.",
        state: "PUBLISHED")

    private static let page: ItemPageAnswer = {
        let item = WireItem(itemId: 42, kind: "song", title: "Track", maker: "Ada", price: price)
        return ItemPageAnswer(
            item: item, storefront: "USA", url: "https://store.example/id42", seller: "Example",
            subtitle: "A song", description: "About", genre: "Pop", ageRating: "4+",
            fileSize: 7, supportUrl: "https://example.com",
            rating: WireRating(counts: [1, 2, 3, 4, 5]),
            versions: [WireItemVersion(version: "1.0", date: 1_800_000_000_000, notes: "New.")],
            purchases: [WireItemPurchase(title: "Chapter", price: price)], parts: [item],
            others: [item], related: [item], obstacle: "It is not sold now.",
            customer: WireItemCustomer(
                isOwned: true,
                file: WireItemFile(
                    name: "a.mp3", size: 7, digest: String(repeating: "a", count: 64)),
                isWithheld: false, needsApproval: false, mayReview: true, review: review))
    }()

    private static let offer = SubscriptionOffer(
        kind: .introductory, identifier: "spring", paymentMode: .payAsYouGo,
        period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 3, thousandths: 990)

    /// The quote of a code for a subscription.
    private static let quote: QuoteAnswer = {
        var quote = QuoteAnswer(.accepted(offer, start: Date(timeIntervalSince1970: 1.8e9)))
        quote.product = WireProduct(
            productId: SampleShop.monthly, type: "Auto-Renewable Subscription", title: "Pro",
            description: "All.", price: price, locale: "en_US", familyShareable: false,
            content: nil,
            subscription: SubscriptionTerms(
                groupID: "1", groupName: "Pro", level: 1,
                period: SubscriptionPeriod(unit: .month, count: 1), offers: [offer]),
            number: 7)
        return quote
    }()

    private static let rows: [Row] = [
        Row(
            route: "/page", truth: page,
            optional: [
                "genre", "ageRating", "fileSize", "supportUrl", "obstacle", "customer",
                "item.price", "parts.price", "others.price", "related.price", "versions.date",
                "customer.file", "customer.review", "customer.review.version",
                "customer.review.response", "customer.review.state",
            ]
        ) { client, session in
            look(
                at: try await client.itemPage(42, storefront: "USA", session: session))
        },
        Row(
            route: "/reviews", truth: ItemReviewsAnswer(reviews: [review], page: 2, pages: 3),
            optional: ["reviews.version", "reviews.response", "reviews.state"]
        ) { client, session in
            look(
                at: try await client.itemReviews(42, sort: "mostrecent", page: 2, session: session))
        },
        Row(route: "/review", truth: review, optional: ["version", "response", "state"]) {
            client, session in
            let request = ReviewRequest(rating: 5, title: "Good", body: "Very.", nickname: "ada")
            let review = try await client.writeReview(request, on: 42, session: session)
            look(at: ItemReviewsAnswer(reviews: [review], page: 1, pages: 1))
        },
        Row(
            route: DeviceRoute.quotes, truth: quote,
            optional: [
                "startDate", "offer", "offer.identifier", "offer.territory", "offer.customers",
                "product", "product.content", "product.number", "product.subscription",
                "product.subscription.offers.identifier",
            ]
        ) { client, session in
            let answer = try await client.quote(
                QuoteRequest(productId: SampleShop.monthly, code: "SPRING26"), session: session)
            for language in StoreLanguage.allCases {
                let texts = Texts(language)
                show(texts.sentence(of: answer.notice, in: "en_US", "USD") ?? "")
            }
            if let product = answer.product {
                LyingDevice.look(
                    at: ProductsAnswer(
                        storefront: "USA", storefrontId: "143441", products: [product],
                        invalid: []))
            }
        },
        Row(
            route: DeviceRoute.renewal,
            truth: DownloadAnswer(signedDelivery: "a.b.c", grant: "g"), optional: ["downloadToken"]
        ) { client, _ in _ = try await client.renewDownload("token") },
    ]

    @Test(arguments: rows)
    func `an answer with a lie is an error or an answer, and the next honest one is taken`(
        _ row: Row
    ) async throws {
        let device = try await LyingDevice()
        let session = try await device.device.signedIn()
        let truth = try WireCoding.encode(row.truth)
        func ask(_ body: Data) async throws {
            device.liar.tell([.instead(status: 200, body: body)], about: row.route)
            try await row.ask(device.device.client, session)
        }
        try await ask(truth)
        let lies = try FieldLie.all(about: truth)
        try #require(lies.count >= 16)
        var believed: [String] = []
        for lie in lies {
            do {
                try await ask(lie.applied(to: truth))
                if lie.isPlain(whereOptionalAre: row.optional) { believed.append("\(lie)") }
            } catch {
                #expect(!visibleError(error).localizedDescription.isEmpty)
            }
        }
        #expect(believed.isEmpty)
        try await ask(truth)
    }

    // MARK: What is shown

    private static func look(at page: ItemPageAnswer) {
        let screen = ItemScreen(page: page, isSandbox: true, previous: "Home", texts: .english)
        show(screen.text(columns: 60) + screen.menu)
        for choice in [ItemScreen.Choice.description, .versions] {
            show(screen.wholeText(choice, columns: 60))
        }
        _ = screen.choice("1")
    }

    private static func look(at reviews: ItemReviewsAnswer) {
        let screen = ReviewsScreen(
            title: "Track", answer: reviews, order: "mostrecent", texts: .english)
        show(screen.text(columns: 60) + screen.menu)
        _ = (screen.choice("1"), screen.choice("n"), screen.choice("p"))
    }

    /// A terminal does with it nothing but to show it.
    private static func show(_ text: String) {
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.steersTerminals })
    }
}
