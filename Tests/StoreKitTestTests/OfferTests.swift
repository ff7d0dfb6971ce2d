import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `Offers of a session` {
        private static let day: TimeInterval = 86_400
        private static let group = "22222222"

        /// The shop, with offers of the monthly subscription.
        private static func session() throws -> SKTestSession {
            let none = #""adHocOffers" : [], "codeOffers" : [], "displayPrice" : "4.99","#
            let offers = #"""
                "introductoryOffer" : {
                  "internalID" : "A1", "paymentMode" : "free", "subscriptionPeriod" : "P1W"
                },
                "adHocOffers" : [
                  {
                    "internalID" : "A2", "offerID" : "back", "referenceName" : "back",
                    "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M",
                    "numberOfPeriods" : 2, "displayPrice" : "0.99"
                  }
                ],
                "codeOffers" : [
                  {
                    "internalID" : "A3", "referenceName" : "spring", "paymentMode" : "payUpFront",
                    "subscriptionPeriod" : "P3M", "displayPrice" : "6.99",
                    "eligibility" : ["new"], "isStackable" : false
                  },
                  {
                    "internalID" : "A5", "referenceName" : "beside", "paymentMode" : "payAsYouGo",
                    "subscriptionPeriod" : "P1M", "numberOfPeriods" : 1, "displayPrice" : "2.99",
                    "eligibility" : ["new", "existing"], "isStackable" : true
                  }
                ],
                "winbackOffers" : [
                  {
                    "internalID" : "A4", "offerID" : "again", "referenceName" : "again",
                    "paymentMode" : "free", "subscriptionPeriod" : "P1M", "numberOfPeriods" : 1,
                    "isEligible" : true
                  }
                ],
                "displayPrice" : "4.99",
                """#
            let text = String(decoding: try Folder.shop(), as: UTF8.self)
            let changed = text.replacing(none, with: offers)
            try #require(changed != text)
            let file = changed.replacing(
                #""version" :"#,
                with: """
                    "subscriptionOffersKeyPair" : { "id" : "5B6C7D8E", "privateKey" : "\(key)" },
                    "version" :
                    """)
            let folder = try Folder()
            let session = try SKTestSession(
                contentsOf: try folder.write("Offers.storekit", Data(file.utf8)))
            session.disableDialogs = true
            return session
        }

        /// A key for offers, PKCS #8.
        private static let key =
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoiZMwsPHeB/71TxpxC7JW8WyQQiSWI+LxB2I1kD5"
            + "CuChRANCAAQwXiEu6WEJH4E3CEFcUslmNZD4pYq26UuaqPKXsMtbBvoUd4oqRtKHkRdQOneohUJtXdySnSo4I4aq"
            + "Y3ZmerTS"

        /// Signs as a developer's server does.
        private static func signature(over fields: [String]) throws -> Data {
            let folder = try Folder()
            let key = try folder.write("key.der", try #require(Data(base64Encoded: Self.key)))
            let message = try folder.write(
                "message", Data(fields.joined(separator: "\u{2063}").utf8))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = [
                "dgst", "-sha256", "-keyform", "DER", "-sign", key.path, message.path,
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let signature = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return signature
        }

        private func product() async throws -> Product {
            try #require(try await Product.products(for: [Shop.monthly]).first)
        }

        private func buy(_ options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
            guard
                case .success(.verified(let transaction)) = try await product().purchase(
                    options: options)
            else { throw Unexpected(what: "the purchase did not succeed") }
            await transaction.finish()
            return transaction
        }

        private func status() async throws -> Product.SubscriptionInfo.RenewalInfo {
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: Self.group).first)
            return try status.renewalInfo.payloadValue
        }

        @Test func `products name their offers in both APIs`() async throws {
            let session = try Self.session()
            let info = try #require(try await product().subscription)
            let trial = try #require(info.introductoryOffer)
            #expect(trial.paymentMode == .freeTrial && trial.price == 0)
            #expect(trial.period.value == 1 && trial.period.unit == .week && trial.periodCount == 1)
            #expect(info.promotionalOffers.map(\.id) == ["back"])
            #expect(info.promotionalOffers[0].displayPrice == "$0.99")
            #expect(info.winBackOffers.map(\.id) == ["again"])
            let old = try #require(
                try await ProductsAnswer.of([Shop.monthly]).products.first)
            #expect(old.introductoryPrice?.paymentMode == .freeTrial)
            #expect(old.discounts.map(\.identifier) == ["back"])
            withExtendedLifetime(session) {}
        }

        @Test func `a free trial is had once, and ends in a paid period`() async throws {
            let session = try Self.session()
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Self.group))
            let updates = Updates()
            let trial = try await buy()
            #expect(trial.offer?.type == .introductory && trial.offer?.paymentMode == .freeTrial)
            #expect(trial.price == 0)
            #expect(
                trial.expirationDate == trial.purchaseDate.addingTimeInterval(7 * Self.day))
            #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: Self.group))
            let renewal = try await status()
            #expect(renewal.offer == nil && renewal.renewalPrice == Decimal(string: "4.99"))
            try await session.openStoreAdvance(by: 7 * Self.day)
            let paid = try await updates.next()
            #expect(paid.offer == nil && paid.price == Decimal(string: "4.99"))
            try session.disableAutoRenewForTransaction(identifier: UInt(paid.id))
            try await session.openStoreAdvance(by: 40 * Self.day)
            #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: Self.group))
            #expect(try await buy().offer == nil)
            session.clearTransactions()
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Self.group))
        }

        @Test func `tests buy by every offer without a signature or a code`() async throws {
            let session = try Self.session()
            let spring = try await session.buyProduct(
                identifier: Shop.monthly, options: [.codeOffer(referenceName: "spring")])
            #expect(spring.offer?.type == .code && spring.offer?.id == "spring")
            #expect(spring.offer?.paymentMode == .payUpFront)
            #expect(spring.price == Decimal(string: "6.99"))
            try session.disableAutoRenewForTransaction(identifier: UInt(spring.id))
            try await session.openStoreAdvance(by: 100 * Self.day)
            #expect(try await status().eligibleWinBackOfferIDs == ["again"])
            let back = try await session.buyProduct(
                identifier: Shop.monthly, options: [.promotionalOffer(id: "back")])
            #expect(back.offer?.type == .promotional && back.price == Decimal(string: "0.99"))
            let next = try await status()
            #expect(next.offer?.id == "back" && next.renewalPrice == Decimal(string: "0.99"))
            for option: Product.PurchaseOption in [
                .promotionalOffer(id: "other"), .codeOffer(referenceName: "spring"),
            ] {
                let error = await #expect(throws: SKTestError.self) {
                    try await session.buyProduct(identifier: Shop.monthly, options: [option])
                }
                #expect(error?.code == .invalidAction)
            }
        }

        @Test func `who agrees to a higher price in a free trial agrees to the price behind it`()
            async throws
        {
            let session = try Self.session()
            let trial = try await buy()
            #expect(trial.price == 0)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(trial.id))
            try session.consentToPriceIncreaseForTransaction(identifier: UInt(trial.id))
            try await session.openStoreSettle()
            let renewal = try await status()
            #expect(renewal.priceIncreaseStatus == .agreed)
            #expect(renewal.renewalPrice == Decimal(string: "4.99"))
        }

        @Test func `a stackable code begins when the free trial is over`() async throws {
            let session = try Self.session()
            let trial = try await session.buyProduct(
                identifier: Shop.monthly, options: [.codeOffer(referenceName: "beside")])
            #expect(trial.offer?.type == .introductory && trial.price == 0)
            await trial.finish()
            let next = try await status()
            #expect(next.offer?.type == .code && next.offer?.id == "beside")
            #expect(next.renewalPrice == Decimal(string: "2.99"))
            let updates = Updates()
            try await session.openStoreAdvance(by: 7 * Self.day)
            let reduced = try await updates.next()
            #expect(reduced.offer?.id == "beside" && reduced.price == Decimal(string: "2.99"))
            #expect(try await status().offer == nil)
        }

        @Test func `an app wins a customer back, and hears why an offer is not to be had`()
            async throws
        {
            let session = try Self.session()
            let offer = try #require(try await product().subscription?.winBackOffers.first)
            await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
                try await buy([.winBackOffer(offer)])
            }
            let first = try await buy()
            await #expect(throws: Product.PurchaseError.missingOfferParameters) {
                try await buy([.custom(key: "adHocOfferId", value: "back")])
            }
            await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
                try await buy(
                    Set(Product.PurchaseOption.promotionalOffer("back", compactJWS: "a.b.c")))
            }
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try await buy([.custom(key: "adHocOfferId", value: "other")])
            }
            try session.disableAutoRenewForTransaction(identifier: UInt(first.id))
            try await session.openStoreAdvance(by: 40 * Self.day)
            let back = try await buy([.winBackOffer(offer)])
            #expect(back.offer?.type == .winBack && back.offer?.id == "again" && back.price == 0)
        }

        @Test func `a signature of the file's key gets the offer, once`() async throws {
            let session = try Self.session()
            let first = try await buy()
            try session.disableAutoRenewForTransaction(identifier: UInt(first.id))
            try await session.openStoreAdvance(by: 40 * Self.day)
            let (nonce, timestamp) = (
                UUID(), Int(session.openStoreDate.timeIntervalSince1970 * 1000)
            )
            let signature = try Self.signature(over: [
                "com.example.shop", "5B6C7D8E", Shop.monthly, "back", "",
                nonce.uuidString.lowercased(), String(timestamp),
            ])
            let payment = SKMutablePayment()
            payment.productIdentifier = Shop.monthly
            payment.paymentDiscount = SKPaymentDiscount(
                identifier: "back", keyIdentifier: "5B6C7D8E", nonce: nonce,
                signature: signature.base64EncodedString(), timestamp: NSNumber(value: timestamp))
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            SKPaymentQueue.default().add(payment)
            let heard = try await observer.next(.purchased)
            let latest = try #require(await Transaction.latest(for: Shop.monthly)?.payloadValue)
            #expect(heard.identifier == latest.id.description)
            #expect(latest.offer?.id == "back" && latest.price == Decimal(string: "0.99"))
            SKPaymentQueue.default().add(payment)
            #expect(try await observer.next(.failed).error == .invalidSignature)
        }
    }
}
