import Foundation
import StoreModel
import StoreSecurity
import StoreWire

/// What a store answers an app that it sells products of every kind.
enum SampleAnswers {
    static let product = "com.example.chapter"
    static let key = PurchaseKey("3f0c3c5e-8d0e-4a5b-9a58-0d5a4f4a9d5e")!
    static let time = Int64(1_800_000_000_000)
    static let content = WireContent(
        contentIdentifier: product, version: ContentVersion("1.0")!, length: 300_000)

    static let profile = ProfilePayload(
        name: "Sample", bundleId: BundleID("com.example.app")!,
        applicationIdentifier: ApplicationIdentifier("ABCDE12345.com.example.app")!,
        environment: .sandbox, baseURL: "http://127.0.0.1:8080/sandbox",
        entitlements: ["in-app-purchase"], generation: 1, signedDate: time,
        expirationDate: time + 31_536_000_000)

    static let session = SessionAnswer(
        token: "token", email: "ada@example.com", storefront: "USA", storefrontId: "143441",
        expiresDate: time, asksToBuy: true)

    static let price = Money(thousandths: 1990, currency: "USD")

    static let products = ProductsAnswer(
        storefront: "USA", storefrontId: "143441",
        products: [
            WireProduct(
                productId: product, type: "Non-Consumable", title: "Chapter \u{1F4D6}",
                description: "The first one", price: price, locale: "en_US",
                familyShareable: true,
                content: WireContentOffer(version: content.version, lengths: [content.length]),
                subscription: nil, number: 4_711),
            WireProduct(
                productId: "com.example.monthly", type: "Auto-Renewable Subscription",
                title: "月額", description: "", price: Money(thousandths: 600_000, currency: "JPY"),
                locale: "ja_JP", familyShareable: false, content: nil,
                subscription: SubscriptionTerms(
                    groupID: "1", groupName: "Pro", level: 1,
                    period: SubscriptionPeriod(unit: .month, count: 1),
                    offers: [
                        SubscriptionOffer(
                            kind: .introductory, identifier: nil, paymentMode: .freeTrial,
                            period: SubscriptionPeriod(unit: .week, count: 1), periodCount: 1,
                            thousandths: 0),
                        SubscriptionOffer(
                            kind: .promotional, identifier: "spring", paymentMode: .payUpFront,
                            period: SubscriptionPeriod(unit: .year, count: 1), periodCount: 2,
                            thousandths: 300_000),
                    ])),
        ],
        invalid: [
            InvalidProduct(
                productId: "other", reason: InvalidReasonCode(rawValue: "unknownIdentifier"),
                message: "There is none.")
        ])

    /// A transaction's payload with every key there is.
    static func payload(_ id: Int64 = 2_000_000_001) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: TransactionID(number: id),
            originalTransactionId: TransactionID(number: 1_000_000_001),
            bundleId: profile.bundleId.text, productId: product, type: "Non-Consumable",
            quantity: 1, purchaseDate: time, originalPurchaseDate: time, signedDate: time,
            environment: "Sandbox", inAppOwnershipType: "PURCHASED",
            transactionReason: "RENEWAL", storefront: "USA", storefrontId: "143441",
            currency: "USD", price: 1990, appAccountToken: nil, purchaseKey: key.text)
        payload.expiresDate = time
        payload.revocationDate = time
        return payload
    }

    static let delivery = DeliveryPayload(
        transactionId: TransactionID(number: 2_000_000_001), contentIdentifier: product,
        version: content.version,
        manifestDigest: ContentDigest(String(repeating: "a", count: 64))!, manifestLength: 400,
        downloadLength: 300_000, signedDate: time)

    /// A transaction whose statement a target signs.
    static func transaction(_ id: Int64 = 2_000_000_001) throws -> TransactionAnswer {
        TransactionAnswer(
            signedTransaction: String(decoding: try WireCoding.encode(payload(id)), as: UTF8.self),
            contents: [content])
    }

    static let events = EventsAnswer(
        cursor: 9,
        events: [
            WireEvent(id: 6, kind: .transactions, productId: nil),
            WireEvent(id: 7, kind: .revocation, productId: product),
            WireEvent(id: 8, kind: .storePayment, productId: product),
            WireEvent(id: 9, kind: .contentVersion, productId: nil),
            WireEvent(id: 9, kind: .subscription, productId: product),
        ],
        consents: [
            WireConsent(
                id: 3, productId: product, title: "Pro", currentPrice: price,
                newPrice: Money(thousandths: 2990, currency: "USD"), locale: "en_US")
        ], history: 4)

    /// A page of the history whose statements a target signs.
    static func history(hasMore: Bool = false) throws -> DeviceHistoryAnswer {
        DeviceHistoryAnswer(
            transactions: try [2_000_000_001, 2_000_000_002].map { try text(payload($0)) },
            revision: "revision", hasMore: hasMore, startsOver: false,
            revokedCertificates: RevokedCertificates(["0A1B", "6F664A11996EDA9C2A80C097008F08B2"]),
            time: 1_800_000_000_000)
    }

    static func subscriptions() throws -> DeviceSubscriptionsAnswer {
        let item = DeviceSubscriptionsAnswer.Item(
            status: 4, signedTransaction: try text(payload()),
            signedRenewalInfo: """
                {"originalTransactionId":"1000000001","productId":"\(product)",\
                "autoRenewProductId":"\(product)","autoRenewStatus":1,"environment":"Sandbox",\
                "signedDate":\(time),"recentSubscriptionStartDate":\(time),\
                "renewalDate":\(time),"gracePeriodExpiresDate":\(time)}
                """)
        return DeviceSubscriptionsAnswer(groups: [.init(groupId: "1", items: [item])])
    }

    static let appTransaction = AppTransactionAnswer(
        signedAppTransaction: """
            {"appTransactionId":"7","applicationVersion":"1.0","bundleId":"com.example.app",\
            "receiptType":"Sandbox","receiptCreationDate":\(time),"requestDate":\(time),\
            "originalApplicationVersion":"1.0","originalPurchaseDate":\(time),\
            "deviceVerification":"AAAA",\
            "deviceVerificationNonce":"5f3759df-1c1c-4b1b-9b2a-0123456789ab"}
            """, ageRatingCode: 12)

    private static func text(_ payload: TransactionPayload) throws -> String {
        String(decoding: try WireCoding.encode(payload), as: UTF8.self)
    }

    static let prompt = PromptAnswer(
        id: "2000000001", url: profile.baseURL + "/prompt", secret: "secret", expiresDate: time)

    static let app = AppAnswer(
        number: 1, bundleId: profile.bundleId.text, name: "Lamp", publisher: "Example",
        page: profile.baseURL, price: 1990, currency: "USD", displayPrice: "$1.99", isOwned: true,
        obstacle: nil, artwork: "/media/1.png",
        build: AppBuildAnswer(
            version: content.version, build: content.version, format: .debian, fileName: "a.deb",
            fileSize: 7, fileDigest: delivery.manifestDigest, downloadLength: 7, unpackedLength: 9,
            releaseDate: time, whatsNew: "All."))

    static let review = WireReview(
        reviewId: 1, rating: 5, title: "Good", body: "Very.", nickname: "ada", version: "1.0",
        date: time, helpfulVotes: 1, votes: 2, response: "Thanks.", state: "PUBLISHED")

    /// The page of an item with everything that a page may have.
    static let page: ItemPageAnswer = {
        let item = WireItem(itemId: 42, kind: "song", title: "Track", maker: "A", price: price)
        return ItemPageAnswer(
            item: item, storefront: "USA", url: profile.baseURL, seller: "Example",
            subtitle: "A song", description: "About", genre: "Pop", ageRating: "4+", fileSize: 7,
            supportUrl: "https://example.com", rating: WireRating(counts: [1, 2, 3, 4, 5]),
            versions: [WireItemVersion(version: "1.0", date: time, notes: "New.")],
            purchases: [WireItemPurchase(title: "Chapter", price: price)], parts: [item],
            others: [item], related: [item], obstacle: nil,
            customer: WireItemCustomer(
                isOwned: true,
                file: WireItemFile(name: "a.mp3", size: 7, digest: delivery.manifestDigest.text),
                isWithheld: false, needsApproval: false, mayReview: true, review: review))
    }()

    static let lookup = Data(
        """
        {"resultCount":1,"results":[{"trackName":"Track","artistName":"Artist",\
        "trackViewUrl":"http://127.0.0.1:8080/us/song/track/id42","trackPrice":1.29,\
        "currency":"USD","averageUserRating":4.5,"userRatingCount":12,"longDescription":"About"}]}
        """.utf8)
}
