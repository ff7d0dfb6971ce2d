import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `Settings of a session` {
        @Test func `the file says how a session begins, and what it is reset to`() async throws {
            let session = try Shop.session(
                settings: """
                    { "_askToBuyEnabled" : true, "_disableDialogs" : true, "_storefront" : "USA",
                      "_timeRate" : 15 }
                    """)
            #expect(session.askToBuyEnabled)
            #expect(session.timeRate == .monthlyRenewalEveryThirtySeconds)
            let product = try #require(try await Product.products(for: [Shop.badge]).first)
            guard case .pending = try await product.purchase() else {
                throw Unexpected(what: "the purchase does not wait")
            }
            session.askToBuyEnabled = false
            session.disableDialogs = false
            session.timeRate = .realTime
            session.resetToDefaultState()
            #expect(session.askToBuyEnabled)
            #expect(session.disableDialogs)
            #expect(session.timeRate == .monthlyRenewalEveryThirtySeconds)
            #expect(session.allTransactions().count == 1)
            session.timeRate = .realTime
        }

        @Test(arguments: [
            (#"{ "_timeRate" : 99 }"#, "_timeRate"),
            (#"{ "_askToBuyEnabled" : "yes" }"#, "settings._askToBuyEnabled"),
            (#"{ "_locale" : "nowhere/at all" }"#, "settings._locale"),
        ])
        func `a setting that is none is named by its path`(
            settings: String, path: String
        ) throws {
            let error = #expect(throws: SKTestError.self) { try Shop.session(settings: settings) }
            #expect(error?.code == .invalidURL)
            #expect(error?.localizedDescription.contains(path) == true)
        }

        @Test func `another storefront has other prices, in both APIs`() async throws {
            let session = try Shop.session()
            #expect(session.storefront == "USA")
            session.storefront = "JPN"
            #expect(await Storefront.current?.countryCode == "JPN")
            #expect(SKPaymentQueue.default().storefront?.countryCode == "JPN")
            let product = try #require(try await Product.products(for: [Shop.badge]).first)
            #expect(product.priceFormatStyle.currencyCode == "JPY")
            let response = try await ProductsAnswer.of([Shop.badge])
            #expect(response.products.first?.priceLocale.currency?.identifier == "JPY")
            let bought = try await Shop.buy(Shop.badge)
            #expect(bought.storefront.countryCode == "JPN")
            session.storefront = "nowhere"
            #expect(session.storefront == "JPN")
            session.resetToDefaultState()
            #expect(await Storefront.current?.countryCode == "USA")
        }

        @Test func `loops over Storefront.updates hear of another storefront`() async throws {
            let session = try Shop.session()
            // The app uses the session's store from here on.
            _ = await Shop.entitlements()
            var updates = Storefront.updates.makeAsyncIterator()
            session.storefront = "JPN"
            #expect(await updates.next()?.countryCode == "JPN")
            session.storefront = "DEU"
            #expect(await updates.next()?.countryCode == "DEU")
        }

        @Test func `a price of no tier is another storefront's closest tier there`() async throws {
            let session = try Shop.session(
                "\"displayPrice\" : \"0.99\"", "\"displayPrice\" : \"0.95\"")
            func price() async throws -> Decimal? {
                try await Product.products(for: [Shop.badge]).first?.price
            }
            #expect(try await price() == Decimal(string: "0.95"))
            session.storefront = "JPN"
            let japanese = try #require(try await price())
            #expect(japanese > 1)
            let standard = try Shop.session()
            standard.storefront = "JPN"
            #expect(try await price() == japanese)
        }

        @Test func `settings that threads change at once are all in force`() async throws {
            for _ in 1...5 {
                let session = try Shop.session()
                await withTaskGroup { group in
                    group.addTask { session.storefront = "JPN" }
                    group.addTask { session.askToBuyEnabled = true }
                    group.addTask { session.storefront = "JPN" }
                    group.addTask {
                        try? await session.setSimulatedError(
                            .generic(.notEntitled), forAPI: .appStoreSync)
                    }
                }
                #expect(await Storefront.current?.countryCode == "JPN")
                await #expect { try await AppStore.sync() } throws: {
                    if case StoreKitError.notEntitled = $0 { true } else { false }
                }
                let product = try #require(try await Product.products(for: [Shop.badge]).first)
                guard case .pending = try await product.purchase() else {
                    throw Unexpected(what: "the purchase does not wait")
                }
            }
        }

        @Test func `errors have Apple's domain and numbers`() throws {
            let codes: [SKTestError.Code] = [
                .serviceUnavailable, .invalidProductIdentifier, .invalidProductType, .invalidURL,
                .fileNotFound, .noSubscriptionFound, .noTransactionFound, .invalidAction,
            ]
            #expect(codes.map(\.rawValue) == Array(0...7))
            let session = try Shop.session()
            let error = #expect(throws: SKTestError.self) {
                try session.refundTransaction(identifier: 99)
            }
            let known = try #require(error) as NSError
            #expect(known.domain == "SKTestErrorDomain" && SKTestErrorDomain == known.domain)
            #expect(known.code == SKTestError.Code.noTransactionFound.rawValue)
        }

        @Test func `texts are in the session's language, and else in that of the file`()
            async throws
        {
            let session = try Shop.session()
            #expect(session.locale.identifier == "en_US")
            func name() async throws -> String? {
                try await Product.products(for: [Shop.badge]).first?.displayName
            }
            #expect(try await name() == "A badge")
            session.locale = Locale(identifier: "de_CH")
            #expect(try await name() == "Ein Abzeichen")
            let response = try await ProductsAnswer.of([Shop.badge])
            #expect(response.products.first?.localizedTitle == "Ein Abzeichen")
            session.storefront = "JPN"
            #expect(try await name() == "Ein Abzeichen")
            session.locale = Locale(identifier: "zh-Hans")
            #expect(session.locale.identifier.replacing("-", with: "_") == "zh_Hans")
            session.locale = Locale(identifier: "de_CH")
            session.locale = Locale(identifier: "../../etc")
            #expect(session.locale.identifier == "de_CH")
            session.resetToDefaultState()
            #expect(try await name() == "A badge")
        }

        @Test func `without dialogs switched off the app's sheet asks`() async throws {
            let session = try SKTestSession(configurationFileNamed: "Shop")
            #expect(!session.disableDialogs)
            let before = OpenStore.sheet
            defer { OpenStore.sheet = before }
            OpenStore.sheet = OpenStoreScriptedSheet(
                confirm: { $0.productIdentifier == Shop.badge }, signIn: { _ in nil })
            try await Shop.buy(Shop.badge)
            let product = try #require(try await Product.products(for: [Shop.credits]).first)
            guard case .userCancelled = try await product.purchase() else {
                throw Unexpected(what: "the sheet was not asked")
            }
        }

        @Test func `the app's sheet hears that somebody else approves`() async throws {
            let session = try SKTestSession(configurationFileNamed: "Shop")
            session.askToBuyEnabled = true
            let before = OpenStore.sheet
            defer { OpenStore.sheet = before }
            OpenStore.sheet = OpenStoreScriptedSheet(
                confirm: { $0.needsApproval }, signIn: { _ in nil })
            let product = try #require(try await Product.products(for: [Shop.credits]).first)
            guard case .pending = try await product.purchase() else {
                throw Unexpected(what: "the question does not say so")
            }
        }

        @Test func `what the customer agrees to when all was cleared is not bought`() async throws {
            let session = try SKTestSession(configurationFileNamed: "Shop")
            let before = OpenStore.sheet
            defer { OpenStore.sheet = before }
            let (questions, ask) = AsyncStream<Void>.makeStream()
            let (answers, answer) = AsyncStream<Bool>.makeStream()
            OpenStore.sheet = WaitingSheet(questions: ask, answers: answers)
            let product = try #require(try await Product.products(for: [Shop.credits]).first)
            let purchase = Task { try await product.purchase() }
            for await _ in questions { break }
            session.clearTransactions()
            await #expect(throws: (any Error).self) { try await purchase.value }
            session.disableDialogs = true
            answer.yield(true)
            try await Shop.buy(Shop.badge)
            #expect(session.allTransactions().map(\.productIdentifier) == [Shop.badge])
        }
    }

    /// Asks, and waits for the answer.
    private struct WaitingSheet: OpenStoreSheet {
        let questions: AsyncStream<Void>.Continuation
        let answers: AsyncStream<Bool>

        func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
            questions.yield()
            for await answer in answers { return answer }
            return false
        }

        func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
            nil
        }
    }

    @Suite struct `Higher prices in a session` {
        private static let month: TimeInterval = 32 * 86_400

        private func status() async throws -> Product.SubscriptionInfo.Status {
            try #require(
                try await Product.SubscriptionInfo.status(for: "22222222").first)
        }

        @Test func `who agrees is renewed`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            var messages = Message.messages.makeAsyncIterator()
            async let message = messages.next()
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            #expect(await message?.reason == .priceIncreaseConsent)
            #expect(session.allTransactions().first?.isPendingPriceIncreaseConsent == true)
            try await session.openStoreSettle()
            let asked = try await status().renewalInfo.payloadValue
            #expect(asked.priceIncreaseStatus == .pending)
            try session.consentToPriceIncreaseForTransaction(identifier: UInt(bought.id))
            try await session.openStoreSettle()
            let agreed = try await status().renewalInfo.payloadValue
            #expect(agreed.priceIncreaseStatus == .agreed)
            try await session.openStoreAdvance(by: Self.month)
            #expect(session.allTransactions().count == 2)
        }

        @Test func `who declines is not`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            let early = #expect(throws: SKTestError.self) {
                try session.declinePriceIncreaseForTransaction(identifier: UInt(bought.id))
            }
            #expect(early?.code == .invalidAction)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            try session.declinePriceIncreaseForTransaction(identifier: UInt(bought.id))
            #expect(session.allTransactions().map(\.autoRenewingEnabled) == [false])
            #expect(session.allTransactions().first?.isPendingPriceIncreaseConsent == false)
            try await session.openStoreAdvance(by: Self.month)
            #expect(session.allTransactions().count == 1)
            #expect(try await status().state == .expired)
        }

        @Test func `who does not answer is not renewed, and has nothing to answer then`()
            async throws
        {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [true])
            try await session.openStoreAdvance(by: Self.month)
            #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [false])
            #expect(try await status().state == .expired)
        }

        @Test func `who declines and then has it renewed is renewed`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            try session.declinePriceIncreaseForTransaction(identifier: UInt(bought.id))
            try session.enableAutoRenewForTransaction(identifier: UInt(bought.id))
            try await session.openStoreAdvance(by: Self.month)
            #expect(session.allTransactions().count == 2)
        }

        @Test func `what was asked is forgotten with the purchases`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            session.clearTransactions()
            try await Shop.buy(Shop.monthly)
            #expect(
                try await status().renewalInfo.payloadValue.priceIncreaseStatus
                    == .noIncreasePending)
            try await session.openStoreAdvance(by: Self.month)
            #expect(session.allTransactions().count == 2)
        }
    }
}
