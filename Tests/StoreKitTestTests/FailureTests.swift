import Foundation
import FoundationNetworking
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `Simulated errors` {
        private static let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))

        private func badge() async throws -> Product {
            try #require(try await Product.products(for: [Shop.badge]).first)
        }

        /// Whether an error is the one that `offline` is.
        private static func isOffline(_ error: any Error) -> Bool {
            guard case StoreKitError.networkError(let inner) = error else { return false }
            return inner.code == .notConnectedToInternet
        }

        @Test func `products can't be loaded, in both APIs, until it is set to nil`() async throws {
            let session = try Shop.session()
            try await session.setSimulatedError(.generic(Self.offline), forAPI: .loadProducts)
            #expect(
                await session.simulatedError(forAPI: .loadProducts) == .generic(Self.offline))
            await #expect { try await badge() } throws: { Self.isOffline($0) }
            await #expect { try await ProductsAnswer.of([Shop.badge]) } throws: {
                ($0 as? URLError)?.code == .notConnectedToInternet
            }
            try await session.setSimulatedError(nil, forAPI: .loadProducts)
            #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
            #expect(try await badge().id == Shop.badge)
        }

        @Test func `purchases fail in both APIs, and nothing is bought`() async throws {
            let session = try Shop.session()
            let product = try await badge()
            try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: .purchase)
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
                try await product.purchase()
            }
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let response = try await ProductsAnswer.of([Shop.badge])
            SKPaymentQueue.default().add(SKPayment(product: try #require(response.products.first)))
            #expect(try await observer.next(.failed).error == .paymentNotAllowed)
            #expect(session.allTransactions().isEmpty)
        }

        @Test func `a cancelled purchase is thrown, as Apple's is`() async throws {
            let session = try Shop.session()
            let product = try await badge()
            try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
            await #expect { try await product.purchase() } throws: {
                if case StoreKitError.userCancelled = $0 { true } else { false }
            }
        }

        @Test func `nothing is verified while verification fails`() async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.monthly)
            try await session.setSimulatedError(
                .verification(.invalidSignature), forAPI: .verification)
            guard
                case .success(.unverified(let bought, .invalidSignature)) =
                    try await badge().purchase()
            else { throw Unexpected(what: "the purchase is verified") }
            #expect(bought.productID == Shop.badge)
            for await result in Transaction.all {
                guard case .unverified(_, .invalidSignature) = result else {
                    throw Unexpected(what: "\(result) is verified")
                }
            }
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: "22222222").first)
            #expect(throws: (any Error).self) { try status.renewalInfo.payloadValue }
            let app = try await AppTransaction.shared
            #expect(throws: VerificationResult<AppTransaction>.VerificationError.invalidSignature) {
                try app.payloadValue
            }
            try await session.setSimulatedError(nil, forAPI: .verification)
            for await result in Transaction.all { _ = try result.payloadValue }
        }

        @Test func `the other calls throw what is set, and no more once it is reset`()
            async throws
        {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            try await session.setSimulatedError(.generic(Self.offline), forAPI: .appStoreSync)
            try await session.setSimulatedError(.generic(Self.offline), forAPI: .appTransaction)
            try await session.setSimulatedError(
                .generic(Self.offline), forAPI: .subscriptionStatus)
            try await session.setSimulatedError(
                .generic(Self.offline), forAPI: .manageSubscriptions)
            try await session.setSimulatedError(.generic(Self.offline), forAPI: .offerCodeRedeem)
            try await session.setSimulatedError(
                .refundRequest(.duplicateRequest), forAPI: .refundRequest)
            await #expect { try await AppStore.sync() } throws: { Self.isOffline($0) }
            await #expect { try await AppTransaction.shared } throws: { Self.isOffline($0) }
            await #expect { try await AppTransaction.refresh() } throws: { Self.isOffline($0) }
            await #expect { try await Product.SubscriptionInfo.status(for: "22222222") } throws: {
                Self.isOffline($0)
            }
            await #expect { try await AppStore.openStoreShowManageSubscriptions() } throws: {
                Self.isOffline($0)
            }
            await #expect { try await AppStore.openStorePresentOfferCodeRedeemSheet() } throws: {
                Self.isOffline($0)
            }
            await #expect(throws: StoreKit.Transaction.RefundRequestError.duplicateRequest) {
                try await bought.openStoreBeginRefundRequest(reason: .other)
            }
            session.resetToDefaultState()
            #expect(await session.simulatedError(forAPI: .appStoreSync) == nil)
            _ = try await AppTransaction.shared
            #expect(try await Product.SubscriptionInfo.status(for: "22222222").count == 1)
        }

        @Test func `the file says what fails from the beginning`() async throws {
            let session = try Shop.session(
                settings: """
                    { "_storeKitErrors" : [
                        { "current" : { "index" : 2, "type" : "purchase" }, "enabled" : true,
                          "name" : "Purchase" },
                        { "current" : { "index" : 7, "type" : "generic" }, "enabled" : true,
                          "name" : "Refund Request Sheet" },
                        { "current" : null, "enabled" : false, "name" : "Load Products" },
                        { "current" : { "index" : 99, "type" : "of another Xcode" },
                          "enabled" : false, "name" : "Something New" } ] }
                    """)
            session.disableDialogs = true
            #expect(
                await session.simulatedError(forAPI: .purchase) == .purchase(.purchaseNotAllowed))
            #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
            #expect(
                await session.simulatedError(forAPI: .refundRequest)
                    == .generic(.invalidPresentationContext))
            let product = try await badge()
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
                try await product.purchase()
            }
        }

        @Test(arguments: [
            (#"{ "enabled" : true, "name" : "Nothing" }"#, "settings._storeKitErrors[0].name"),
            (
                #"{ "current" : { "index" : 99, "type" : "generic" }, "enabled" : true, "#
                    + #""name" : "Purchase" }"#, "settings._storeKitErrors[0].current"
            ),
        ])
        func `an error of the file that is none is named by its path`(
            entry: String, path: String
        ) throws {
            let error = #expect(throws: SKTestError.self) {
                try Shop.session(settings: #"{ "_storeKitErrors" : [\#(entry)] }"#)
            }
            #expect(error?.code == .invalidURL)
            #expect(error?.localizedDescription.contains(path) == true)
        }
    }

    @Suite struct `Deleted transactions` {
        @Test func `a deleted purchase was never made, in both APIs`() async throws {
            let session = try Shop.session()
            let badge = try await Shop.buy(Shop.badge)
            let credits = try await session.buyProduct(identifier: Shop.credits)
            // The queue has it, and the app has not finished it.
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            #expect(try await observer.next(.purchased).product == Shop.credits)
            try session.deleteTransaction(identifier: UInt(credits.id))
            try session.deleteTransaction(identifier: Int(badge.id))
            #expect(session.allTransactions().isEmpty)
            #expect(await Shop.entitlements().isEmpty)
            for await _ in Transaction.all { throw Unexpected(what: "there is a transaction") }
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            let bundleID = try await AppTransaction.shared.payloadValue.bundleID
            #expect(
                try OpenStore.verifyReceipt(bundleIdentifier: bundleID).inAppPurchases.isEmpty)
            #expect(Bundle.main.appStoreReceiptURL == OpenStore.receiptURL)
            let unknown = #expect(throws: SKTestError.self) {
                try session.deleteTransaction(identifier: UInt(badge.id))
            }
            #expect(unknown?.code == .noTransactionFound)
            // It can be bought again.
            let again = try await Shop.buy(Shop.badge)
            #expect(again.id == again.originalID)
            #expect(await Shop.entitlements() == [Shop.badge])
        }

        private let observer = Observer(finishes: false)

        @Test func `a subscription goes with its renewals; a renewal goes alone`() async throws {
            let session = try Shop.session()
            let first = try await Shop.buy(Shop.monthly)
            try await session.openStoreAdvance(by: 62 * 86_400)
            #expect(session.allTransactions().count == 3)
            let last = try #require(session.allTransactions().last)
            try session.deleteTransaction(identifier: last.identifier)
            #expect(session.allTransactions().count == 2)
            try session.deleteTransaction(identifier: UInt(first.id))
            #expect(session.allTransactions().isEmpty)
            #expect(try await Product.SubscriptionInfo.status(for: "22222222").isEmpty)
            // Nothing of it is renewed any more.
            try await session.openStoreAdvance(by: 62 * 86_400)
            #expect(session.allTransactions().isEmpty)
        }

        private func status() async throws -> Product.SubscriptionInfo.Status {
            try #require(try await Product.SubscriptionInfo.status(for: "22222222").first)
        }

        @Test func `a subscription is as it was before the period that is deleted`() async throws {
            let session = try Shop.session()
            let first = try await Shop.buy(Shop.monthly)
            try await session.openStoreAdvance(by: 35 * 86_400)
            let renewal = try #require(session.allTransactions().last)
            try session.refundTransaction(identifier: renewal.identifier)
            try session.deleteTransaction(identifier: renewal.identifier)
            let ended = try await status()
            #expect(ended.state == .expired)
            #expect(ended.transaction.unsafePayloadValue.id == first.id)
            #expect(await Shop.entitlements().isEmpty)
            #expect(throws: SKTestError.self) {
                try session.expireSubscription(productIdentifier: Shop.monthly)
            }
            try await session.openStoreAdvance(by: 62 * 86_400)
            #expect(session.allTransactions().map(\.identifier) == [UInt(first.id)])
        }

        @Test(arguments: [false, true])
        func `a subscription is back at the lesser product when its upgrade is deleted`(
            choosesLesser: Bool
        ) async throws {
            let session = try Shop.session()
            let weekly = try await Shop.buy(Shop.weekly)
            let monthly = try await Shop.buy(Shop.monthly)
            if choosesLesser { try await Shop.buy(Shop.weekly) }
            try session.deleteTransaction(identifier: UInt(monthly.id))
            #expect(session.allTransactions().map(\.identifier) == [UInt(weekly.id)])
            let running = try await status()
            #expect(running.state == .subscribed)
            let period = running.transaction.unsafePayloadValue
            #expect(period.id == weekly.id && !period.isUpgraded)
            #expect(running.renewalInfo.unsafePayloadValue.renewalDate == period.expirationDate)
            #expect(await Shop.entitlements() == [Shop.weekly])
            try session.forceRenewalOfSubscription(productIdentifier: Shop.weekly)
            try await session.openStoreAdvance(by: 7 * 86_400)
            #expect(
                session.allTransactions().map(\.productIdentifier)
                    == [Shop.weekly, Shop.weekly, Shop.weekly])
        }

        @Test func `periods are ended also where one between them was deleted`() async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.monthly)
            for _ in 1...3 {
                try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
            }
            try session.deleteTransaction(identifier: session.allTransactions()[1].identifier)
            try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
            #expect(session.allTransactions().count == 4)
            try session.expireSubscription(productIdentifier: Shop.monthly)
            try await session.openStoreSettle()
            #expect(try await status().state == .expired)
        }
    }
}
