import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `Purchases of a session` {
        @Test func `buying outside of the app reaches both APIs`() async throws {
            let session = try Shop.session()
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            try session.buyProduct(productIdentifier: Shop.credits)
            let heard = try await observer.next(.purchased)
            #expect(heard.product == Shop.credits)
            #expect(try await updates.next().productID == Shop.credits)
        }

        @Test func `options are taken over`() async throws {
            let session = try Shop.session()
            let token = UUID()
            let bought = try await session.buyProduct(
                identifier: Shop.credits, options: [.quantity(3), .appAccountToken(token)])
            #expect(bought.purchasedQuantity == 3)
            #expect(bought.appAccountToken == token)
            let error = await #expect(throws: SKTestError.self) {
                try await session.buyProduct(identifier: Shop.badge, options: [.quantity(2)])
            }
            #expect(error?.code == .invalidAction)
        }

        private static let day: TimeInterval = 86_400

        @Test func `a purchase in the past has renewed since then`() async throws {
            let session = try Shop.session()
            let date = session.openStoreDate.addingTimeInterval(-100 * Self.day)
            let bought = try await session.buyProduct(
                identifier: Shop.monthly, options: [.purchaseDate(date)])
            #expect(bought.purchaseDate == date)
            let all = session.allTransactions()
            #expect(all.count == 4)
            for (period, next) in zip(all, all.dropFirst()) {
                #expect(period.expirationDate == next.purchaseDate)
            }
            #expect(await Shop.entitlements() == [Shop.monthly])
            // Its clock stands where it stood.
            try await Shop.buy(Shop.badge)
            #expect(session.allTransactions().last?.purchaseDate == session.openStoreDate)
        }

        @Test func `a purchase in the past that was cancelled has ended`() async throws {
            let session = try Shop.session()
            let date = session.openStoreDate.addingTimeInterval(-100 * Self.day)
            try await session.buyProduct(
                identifier: Shop.monthly,
                options: [.purchaseDate(date, renewalBehavior: .cancelImmediately)])
            #expect(session.allTransactions().count == 1)
            #expect(await Shop.entitlements().isEmpty)
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: "22222222").first)
            #expect(status.state == .expired)
        }

        @Test func `a purchase can't be dated ahead`() async throws {
            let session = try Shop.session()
            let error = await #expect(throws: SKTestError.self) {
                try await session.buyProduct(
                    identifier: Shop.badge,
                    options: [.purchaseDate(session.openStoreDate.addingTimeInterval(1))])
            }
            #expect(error?.code == .invalidAction)
            #expect(session.allTransactions().isEmpty)
        }

        @Test func `a product that the file has not can't be bought`() async throws {
            let session = try Shop.session()
            let error = #expect(throws: SKTestError.self) {
                try session.buyProduct(productIdentifier: "com.example.shop.nothing")
            }
            #expect(error?.code == .invalidProductIdentifier)
            #expect(error?.localizedDescription.contains("com.example.shop.nothing") == true)
            #expect(session.allTransactions().isEmpty)
        }

        @Test func `clearing takes everything away, in both APIs`() async throws {
            let session = try Shop.session()
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            try await Shop.buy(Shop.badge)
            let monthly = UInt(try await Shop.buy(Shop.monthly).id)
            #expect(session.allTransactions().count == 2)
            session.clearTransactions()
            let onGone: [() throws -> Void] = [
                { try session.deleteTransaction(identifier: monthly) },
                { try session.refundTransaction(identifier: monthly) },
                { try session.disableAutoRenewForTransaction(identifier: monthly) },
                { try session.resolveIssueForTransaction(identifier: monthly) },
                { try session.approveAskToBuyTransaction(identifier: monthly) },
            ]
            for call in onGone {
                let error = #expect(throws: SKTestError.self) { try call() }
                #expect(error?.code == .noTransactionFound)
            }
            #expect(session.allTransactions().isEmpty)
            #expect(await Shop.entitlements().isEmpty)
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            // What was owned is new again, and the observer is still there.
            try await session.buyProduct(identifier: Shop.badge)
            #expect(try await observer.next(.purchased).product == Shop.badge)
            #expect(await Shop.entitlements() == [Shop.badge])
        }

        @Test func `a refund reaches both APIs`() async throws {
            let session = try Shop.session()
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            let bought = try await Shop.buy(Shop.badge)
            try await session.openStoreSettle()
            try session.refundTransaction(identifier: UInt(bought.id))
            let revoked = try await updates.next()
            #expect(revoked.id == bought.id)
            #expect(revoked.revocationDate == session.openStoreDate)
            #expect(try await observer.nextRevoked() == Shop.badge)
            #expect(await Shop.entitlements().isEmpty)
            #expect(session.allTransactions().first?.cancelDate == session.openStoreDate)
        }

        @Test func `what is not there, or was refunded, is not refunded`() async throws {
            let session = try Shop.session()
            let unknown = #expect(throws: SKTestError.self) {
                try session.refundTransaction(identifier: 4711)
            }
            #expect(unknown?.code == .noTransactionFound)
            let bought = try await Shop.buy(Shop.badge)
            try session.refundTransaction(identifier: UInt(bought.id))
            let again = #expect(throws: SKTestError.self) {
                try session.refundTransaction(identifier: UInt(bought.id))
            }
            #expect(again?.code == .invalidAction)
        }

        @Test func `purchases fail with the code that is set, until it is reset`() async throws {
            let session = try Shop.session()
            session.failTransactionsEnabled = true
            session.failureError = .invalidSignature
            let product = try #require(try await Product.products(for: [Shop.badge]).first)
            await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
                _ = try await product.purchase()
            }
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let response = try await ProductsAnswer.of([Shop.badge])
            SKPaymentQueue.default().add(SKPayment(product: try #require(response.products.first)))
            #expect(try await observer.next(.failed).product == Shop.badge)
            let failed = session.allTransactions()
            #expect(failed.map(\.productIdentifier) == [Shop.badge, Shop.badge])
            #expect(failed.map(\.state) == [.failed, .failed])
            try session.deleteTransaction(identifier: failed[0].identifier)
            #expect(session.allTransactions().map(\.identifier) == [failed[1].identifier])
            session.resetToDefaultState()
            #expect(!session.failTransactionsEnabled)
            session.disableDialogs = true
            try await Shop.buy(Shop.badge)
            #expect(Set(session.allTransactions().map(\.state)) == [.failed, .purchased])
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
        }
    }

    @Suite struct `Purchases that wait` {
        /// Orders the badge with the original interface, and returns when the order waits.
        private func orderBadge(_ observer: Observer) async throws {
            let response = try await ProductsAnswer.of([Shop.badge])
            SKPaymentQueue.default().add(SKPayment(product: try #require(response.products.first)))
            _ = try await observer.next(.deferred)
        }

        @Test func `an approved one arrives in both APIs`() async throws {
            let session = try Shop.session()
            session.askToBuyEnabled = true
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            let product = try #require(try await Product.products(for: [Shop.badge]).first)
            guard case .pending = try await product.purchase() else {
                throw Unexpected(what: "the purchase does not wait")
            }
            _ = try await observer.next(.deferred)
            let waiting = try #require(session.allTransactions().first)
            #expect(waiting.pendingAskToBuyConfirmation)
            #expect(waiting.state == .deferred)
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            #expect(try await observer.next(.purchased).product == Shop.badge)
            #expect(try await updates.next().productID == Shop.badge)
            #expect(session.allTransactions().map(\.state) == [.purchased])
        }

        @Test func `a declined one fails, and gives nothing`() async throws {
            let session = try Shop.session()
            session.askToBuyEnabled = true
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            try await orderBadge(observer)
            let waiting = try #require(session.allTransactions().first)
            try session.declineAskToBuyTransaction(identifier: waiting.identifier)
            _ = try await observer.next(.failed)
            #expect(await Shop.entitlements().isEmpty)
            let late = #expect(throws: SKTestError.self) {
                try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            }
            #expect(late?.code == .invalidAction)
        }

        @Test func `one that nobody decides fails after a day`() async throws {
            let session = try Shop.session()
            session.askToBuyEnabled = true
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            try await orderBadge(observer)
            try await session.openStoreAdvance(by: 86_400)
            _ = try await observer.next(.failed)
        }

        @Test func `an interrupted one fails at first, and arrives when it is settled`()
            async throws
        {
            let session = try Shop.session()
            session.interruptedPurchasesEnabled = true
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            let response = try await ProductsAnswer.of([Shop.badge])
            SKPaymentQueue.default().add(SKPayment(product: try #require(response.products.first)))
            _ = try await observer.next(.failed)
            let waiting = try #require(session.allTransactions().first { $0.hasPurchaseIssue })
            let wrong = #expect(throws: SKTestError.self) {
                try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            }
            #expect(wrong?.code == .invalidAction)
            try session.resolveIssueForTransaction(identifier: waiting.identifier)
            #expect(try await observer.next(.purchased).product == Shop.badge)
            #expect(try await updates.next().productID == Shop.badge)
        }
    }
}
