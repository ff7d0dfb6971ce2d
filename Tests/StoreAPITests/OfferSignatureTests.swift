import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Promotional offers and the right to introductory ones, as publishers' servers sign for them.
@Suite struct OfferSignatureTests {
    /// A tester who has cancelled, and a publisher's server with a key.
    private struct Fixture {
        static let offer = "loyalty"
        static let loyalty = SubscriptionOffer(
            kind: .promotional, identifier: offer, paymentMode: .payAsYouGo,
            period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 3, thousandths: 1990,
            territory: "USA")

        let fixture: ServerShop
        let client: APIClient
        private var key: SigningKey { fixture.server.signer }
        private var keyID: String { fixture.server.key.id.text }

        init(offers: [SubscriptionOffer]) async throws {
            fixture = try await ServerShop()
            client = try await fixture.customer()
            let app = try await fixture.app()
            try await fixture.shop.store.database.write { repositories in
                let id = ProductID(SampleShop.monthly)!
                guard var product = try repositories.catalog.product(id, in: app.id)?.details else {
                    return
                }
                product.subscription?.offers = offers
                try repositories.catalog.save(product, in: app.id)
            }
        }

        /// Subscribes and cancels; a month later the customer is one of yesterday.
        func lapse() async throws -> TransactionPayload {
            let bought = try await client.buy(ServerShop.monthly(1))
            let account = try await fixture.account()
            _ = try await fixture.shop.store.services.subscriberChoices.setRenews(
                false, of: bought.transactionId, by: account.id)
            fixture.clock.advance(by: 40 * 86_400)
            try await fixture.shop.store.services.renewals.advance()
            return bought
        }

        func wish(
            _ permission: OfferPermission?, offer: String = Fixture.offer
        ) -> OfferWish {
            OfferWish(identifier: offer, permission: permission)
        }

        /// The first form: a signature over seven fields.
        func signed(
            username: String = "", product: String = SampleShop.monthly, nonce: UUID = UUID(),
            keyID: String? = nil
        ) throws -> OfferPermission {
            let timestamp = fixture.clock.now().milliseconds
            let fields = [
                SampleShop.bundleID.text, self.keyID, product, Self.offer, username,
                nonce.uuidString.lowercased(), String(timestamp),
            ]
            let raw = try key.signature(for: Data(fields.joined(separator: "\u{2063}").utf8))
            return OfferPermission(
                keyIdentifier: keyID ?? self.keyID, nonce: nonce.uuidString.lowercased(),
                signature: Self.der(raw).base64EncodedString(), timestamp: timestamp)
        }

        /// The second form: a JWS.
        func statement(_ change: (inout [String: JSONValue]) -> Void = { _ in }) throws -> String {
            var claims: [String: JSONValue] = [
                "iss": .string(fixture.server.key.issuer.text), "aud": "promotional-offer",
                "bid": .string(SampleShop.bundleID.text),
                "iat": .integer(Int(fixture.clock.now().timeIntervalSince1970)),
                "nonce": .string(UUID().uuidString.lowercased()),
                "productId": .string(SampleShop.monthly), "offerIdentifier": .string(Self.offer),
            ]
            change(&claims)
            let header: JSONValue = ["alg": "ES256", "typ": "JWT", "kid": .string(keyID)]
            let message =
                "\(Base64URL.encode(header.encoded())).\(Base64URL.encode(JSONValue.object(claims).encoded()))"
            return "\(message).\(Base64URL.encode(try key.signature(for: Data(message.utf8))))"
        }

        func order(
            _ number: Int, _ wish: OfferWish, agreed: SubscriptionOffer = Fixture.loyalty
        ) -> PurchaseRequest {
            var order = ServerShop.monthly(number)
            order.offer = wish
            order.agreedOffer = agreed
            order.agreedOffer?.territory = nil
            return order
        }

        /// `r || s` as two integers of ASN.1.
        private static func der(_ raw: Data) -> Data {
            func integer(_ bytes: Data) -> Data {
                var digits = Data(bytes.drop { $0 == 0 })
                if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
                return Data([0x02, UInt8(digits.count)]) + digits
            }
            let body = integer(raw.prefix(32)) + integer(raw.suffix(32))
            return Data([0x30, UInt8(body.count)]) + body
        }
    }

    private static let trial = SubscriptionOffer(
        kind: .introductory, identifier: nil, paymentMode: .freeTrial,
        period: SubscriptionPeriod(unit: .week, count: 1), periodCount: 1, thousandths: 0)

    @Test func `a signature over the fields gets the offer, and transactions and receipts say so`()
        async throws
    {
        let fixture = try await Fixture(offers: [Fixture.loyalty])
        _ = try await fixture.lapse()
        let token = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
        let wish = fixture.wish(try fixture.signed(username: token))
        let quote: QuoteAnswer = try await fixture.client.post(
            DeviceRoute.quotes,
            QuoteRequest(
                productId: SampleShop.monthly, offer: wish,
                applicationUsername: token.uppercased()))
        #expect(quote.notice.offer?.thousandths == 1990)
        var order = fixture.order(2, wish)
        order.applicationUsername = token.uppercased()
        let bought = try await fixture.client.buy(order)
        #expect(bought.offerType == 2 && bought.offerIdentifier == Fixture.offer)
        #expect(bought.offerDiscountType == "PAY_AS_YOU_GO" && bought.offerPeriod == "P1M")
        #expect(bought.price == 1990)
        // The same order again, over a bad network, is the same sale.
        #expect(try await fixture.client.buy(order).transactionId == bought.transactionId)
        let status: StatusAnswer = try await fixture.fixture.server.get(
            "/v1/subscriptions/\(bought.transactionId)")
        let item = try #require(status.data.first?.lastTransactions.first)
        let renewal = try fixture.fixture.server.renewal(item.signedRenewalInfo)
        #expect(renewal.offerType == 2 && renewal.renewalPrice == 1990)
    }

    private struct StatusAnswer: Decodable {
        struct Group: Decodable {
            struct Item: Decodable { var signedRenewalInfo: String }
            var lastTransactions: [Item]
        }
        var data: [Group]
    }

    @Test func `a JWS gets the offer, also one that names the customer's transaction`()
        async throws
    {
        let fixture = try await Fixture(offers: [Fixture.loyalty])
        let first = try await fixture.lapse()
        let jws = try fixture.statement {
            $0["transactionId"] = .string(first.transactionId.description)
        }
        let bought = try await fixture.client.buy(
            fixture.order(2, fixture.wish(OfferPermission(jws: jws))))
        #expect(bought.offerIdentifier == Fixture.offer)
    }

    @Test func `what is signed for something else, by somebody else or twice is refused`()
        async throws
    {
        let fixture = try await Fixture(offers: [Fixture.loyalty])
        _ = try await fixture.lapse()
        let other = try await fixture.fixture.otherTeamsSale()
        let nonce = UUID()
        var spoiled = try fixture.signed()
        spoiled.nonce = UUID().uuidString
        let wrong: [OfferPermission] = [
            spoiled, try fixture.signed(username: "somebody"),
            try fixture.signed(product: SampleShop.season), try fixture.signed(keyID: "AAAAAAAAAA"),
            OfferPermission(keyIdentifier: "", nonce: "", signature: "", timestamp: 0),
            OfferPermission(
                keyIdentifier: "AAAAAAAAAA", nonce: nonce.uuidString, signature: "AAAA",
                timestamp: .max),
            OfferPermission(jws: "a.b.c"), OfferPermission(jws: ""),
            OfferPermission(
                jws: try fixture.statement { $0["aud"] = "introductory-offer-eligibility" }),
            OfferPermission(jws: try fixture.statement { $0["bid"] = "com.example.other" }),
            OfferPermission(jws: try fixture.statement { $0["iss"] = .string(UUID().uuidString) }),
            OfferPermission(
                jws: try fixture.statement { $0["productId"] = .string(SampleShop.season) }),
            OfferPermission(jws: try fixture.statement { $0["offerIdentifier"] = "other" }),
            OfferPermission(
                jws: try fixture.statement { $0["transactionId"] = .string("\(other)") }),
            OfferPermission(jws: try fixture.statement { $0["iat"] = .integer(1) }),
        ]
        for (index, permission) in wrong.enumerated() {
            let refusal = try await fixture.client.refusal(
                DeviceRoute.purchases, fixture.order(10 + index, fixture.wish(permission)))
            #expect(refusal.name == "403 offerSignatureInvalid", "\(index)")
        }
        #expect(
            try await fixture.client.refusal(
                DeviceRoute.purchases, fixture.order(50, fixture.wish(nil))
            ).name == "422 offerSignatureMissing")
        let once = fixture.wish(try fixture.signed(nonce: nonce))
        _ = try await fixture.client.buy(fixture.order(60, once))
        #expect(
            try await fixture.client.refusal(DeviceRoute.purchases, fixture.order(61, once)).name
                == "403 offerSignatureInvalid")
    }

    @Test func `a key that was revoked signs for nothing`() async throws {
        let fixture = try await Fixture(offers: [Fixture.loyalty])
        _ = try await fixture.lapse()
        let permission = try fixture.signed()
        _ = try await fixture.fixture.shop.store.services.people.keys.revoke(
            fixture.fixture.server.key.id, by: .machine)
        #expect(
            try await fixture.client.refusal(
                DeviceRoute.purchases, fixture.order(2, fixture.wish(permission))
            ).name == "403 offerSignatureInvalid")
    }

    @Test func `a server says who may have an introductory offer`() async throws {
        let fixture = try await Fixture(offers: [Self.trial])
        func wish(_ allows: Bool, _ transaction: String?) throws -> OfferWish {
            OfferWish(
                introductoryEligibility: try fixture.statement {
                    $0["aud"] = "introductory-offer-eligibility"
                    $0["allowIntroductoryOffer"] = .bool(allows)
                    $0["offerIdentifier"] = nil
                    $0["transactionId"] = transaction.map { .string($0) }
                })
        }
        let badge = try await fixture.client.buy(APIClient.badge(9)).transactionId.description
        var order = ServerShop.monthly(1)
        order.offer = try wish(false, badge)
        #expect(try await fixture.client.buy(order).offerType == nil)
        let first = try await fixture.lapse().transactionId.description
        // One that names nobody would be good for everybody.
        #expect(
            try await fixture.client.refusal(
                DeviceRoute.purchases, fixture.order(2, wish(true, nil), agreed: Self.trial)
            ).name == "403 offerSignatureInvalid")
        let trial = try await fixture.client.buy(
            fixture.order(3, wish(true, first), agreed: Self.trial))
        #expect(trial.offerType == 1 && trial.offerIdentifier == nil && trial.price == 0)
    }
}
