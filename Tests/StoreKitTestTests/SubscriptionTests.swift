import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `Subscriptions of a session` {
        private static let day: TimeInterval = 86_400

        private func state() async throws -> Product.SubscriptionInfo.RenewalState? {
            try await Product.SubscriptionInfo.status(for: "22222222").first?.state
        }

        @Test func `a year of renewals comes in one call, in order, to both APIs`() async throws {
            let session = try Shop.session()
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            let first = try await Shop.buy(Shop.monthly)
            _ = try await observer.next(.purchased)
            let start = session.openStoreDate
            try await session.openStoreAdvance(by: 364 * Self.day)
            #expect(session.openStoreDate == start.addingTimeInterval(364 * Self.day))
            var last = first
            for _ in 1...11 {
                let renewed = try await updates.next()
                expect(renewed, follows: last)
                let heard = try await observer.next(.purchased)
                #expect(heard.identifier == renewed.id.description)
                last = renewed
            }
            #expect(session.allTransactions().count == 12)
            #expect(try await state() == .subscribed)
            #expect(await Shop.entitlements() == [Shop.monthly])
        }

        private func expect(_ renewed: Transaction, follows last: Transaction) {
            #expect(renewed.originalID == last.originalID)
            #expect(renewed.purchaseDate == last.expirationDate)
            #expect(renewed.reason == .renewal)
        }

        @Test(
            arguments: [
                (.oneHourIsOneDay, 30 * 3600, 7 * 3600),
                (.thirtyMinutesIsOneDay, 30 * 1800, 7 * 1800),
                (.fiveMinutesIsOneDay, 30 * 300, 7 * 300),
                (.oneMinuteIsOneDay, 30 * 60, 7 * 60),
                (.thirtySecondsIsOneDay, 30 * 30, 7 * 30),
                (.oneSecondIsOneDay, 30, 7),
                (.monthlyRenewalEveryHour, 3600, 900),
                (.monthlyRenewalEveryThirtyMinutes, 1800, 600),
                (.monthlyRenewalEveryFifteenMinutes, 900, 300),
                (.monthlyRenewalEveryFiveMinutes, 300, 180),
                (.monthlyRenewalEveryThirtySeconds, 30, 10),
                (.oneRenewalEveryFifteenMinutes, 900, 900),
                (.oneRenewalEveryFiveMinutes, 300, 300),
                (.oneRenewalEveryMinute, 60, 60),
                (.oneRenewalEveryThirtySeconds, 30, 30),
                (.oneRenewalEveryTenSeconds, 10, 10),
                (.oneRenewalEveryTwoSeconds, 2, 2),
            ] as [(SKTestSession.TimeRate, TimeInterval, TimeInterval)])
        func `periods last as long as the rate says`(
            rate: SKTestSession.TimeRate, month: TimeInterval, week: TimeInterval
        ) async throws {
            let session = try Shop.session()
            session.timeRate = rate
            let monthly = try await session.buyProduct(identifier: Shop.monthly)
            let end = try #require(monthly.expirationDate)
            #expect(end.timeIntervalSince(monthly.purchaseDate) == month)
            session.clearTransactions()
            let weekly = try await session.buyProduct(identifier: Shop.weekly)
            let weeklyEnd = try #require(weekly.expirationDate)
            #expect(weeklyEnd.timeIntervalSince(weekly.purchaseDate) == week)
        }

        @Test func `loops over Status.updates hear what a session's methods do`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            func next() async throws -> Product.SubscriptionInfo.Status {
                try #require(await updates.next())
            }
            // The purchase may be heard of first.
            while try await next().renewalInfo.payloadValue.willAutoRenew {}
            try session.expireSubscription(productIdentifier: Shop.monthly)
            while try await next().state != .expired {}
        }

        @Test func `a loop over Status.updates hears of each session's purchases`() async throws {
            // The app uses StoreKit 2 before there is anything in the store.
            _ = await Shop.entitlements()
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            for _ in 1...5 {
                let session = try Shop.session()
                for _ in 1...2 {
                    let bought = try await session.buyProduct(identifier: Shop.monthly)
                    let status = try #require(await updates.next())
                    #expect(status.state == .subscribed)
                    #expect(status.transaction.unsafePayloadValue.id == bought.id)
                    session.clearTransactions()
                }
            }
        }

        @Test func `transactions say what they began with`() async throws {
            let session = try Shop.session()
            let first = try await Shop.buy(Shop.monthly)
            try await session.openStoreAdvance(by: 40 * Self.day)
            let all = session.allTransactions()
            #expect(all.map(\.originalTransactionIdentifier) == [UInt(first.id), UInt(first.id)])
            #expect(all.map(\.identifier) != [UInt(first.id), UInt(first.id)])
            #expect(all.map(\.expirationDate).allSatisfy { $0 != nil })
        }

        @Test func `nothing is renewed while the clock stands`() async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.monthly)
            try await session.openStoreAdvance(by: 27 * Self.day)
            #expect(session.allTransactions().count == 1)
        }

        @Test func `the same calls give the same numbers, and dates after the beginning`()
            async throws
        {
            var runs: [[String]] = []
            for _ in 1...2 {
                let session = try Shop.session()
                let start = session.openStoreDate
                try await Shop.buy(Shop.weekly)
                try await session.openStoreAdvance(by: 30 * Self.day)
                runs.append(
                    session.allTransactions().map {
                        "\($0.identifier) \($0.purchaseDate.timeIntervalSince(start))"
                    })
            }
            #expect(runs[0] == runs[1])
            #expect(runs[0].count == 5)
        }

        @Test func `an expired one is not renewed`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            try session.expireSubscription(productIdentifier: Shop.monthly)
            try await session.openStoreSettle()
            #expect(try await state() == .expired)
            #expect(await Shop.entitlements().isEmpty)
            let latest = try #require(await Transaction.latest(for: Shop.monthly)?.payloadValue)
            #expect(latest.id == bought.id)
            #expect(latest.expirationDate == session.openStoreDate)
            try await session.openStoreAdvance(by: 60 * Self.day)
            #expect(session.allTransactions().count == 1)
        }

        @Test func `a forced renewal begins the next period now, in both APIs`() async throws {
            let session = try Shop.session()
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            let first = try await Shop.buy(Shop.monthly)
            _ = try await observer.next(.purchased)
            try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
            #expect(try await observer.next(.purchased).product == Shop.monthly)
            var renewed = try await updates.next()
            // The period before has ended, which is news as well.
            if renewed.id == first.id { renewed = try await updates.next() }
            #expect(renewed.id != first.id)
            #expect(renewed.purchaseDate == session.openStoreDate)
            #expect(try await state() == .subscribed)
        }

        @Test func `one whose renewal is off ends with its period, and goes on if it is on again`()
            async throws
        {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.monthly)
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(session.allTransactions().map(\.autoRenewingEnabled) == [false])
            try session.enableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(session.allTransactions().map(\.autoRenewingEnabled) == [true])
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            try await session.openStoreSettle()
            let renewal = try await Product.SubscriptionInfo.status(for: "22222222").first?
                .renewalInfo.payloadValue
            #expect(renewal?.willAutoRenew == false)
            try await session.openStoreAdvance(by: 32 * Self.day)
            #expect(try await state() == .expired)
            #expect(session.allTransactions().count == 1)
        }

        @Test func `with a rate the clock runs, and renewals come by themselves`() async throws {
            let session = try Shop.session()
            session.timeRate = .oneRenewalEveryTwoSeconds
            let updates = Updates()
            let first = try await Shop.buy(Shop.monthly)
            #expect(first.expirationDate?.timeIntervalSince(first.purchaseDate) == 2)
            let renewed = try await updates.next()
            #expect(renewed.originalID == first.id)
            #expect(renewed.purchaseDate == first.expirationDate)
            session.timeRate = .realTime
        }

        @Test(arguments: [
            (Shop.badge, SKTestError.Code.invalidProductType),
            (Shop.monthly, .noSubscriptionFound),
            ("com.example.shop.nothing", .invalidProductIdentifier),
        ])
        func `what is no running subscription is neither renewed nor ended`(
            product: String, code: SKTestError.Code
        ) async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.badge)
            for call in [session.forceRenewalOfSubscription, session.expireSubscription] {
                let error = #expect(throws: SKTestError.self) { try call(product) }
                #expect(error?.code == code)
                #expect(error?.localizedDescription.contains(product) == true)
            }
        }

        @Test func `a badge has no renewal to switch off`() async throws {
            let session = try Shop.session()
            let bought = try await Shop.buy(Shop.badge)
            let error = #expect(throws: SKTestError.self) {
                try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            }
            #expect(error?.code == .invalidProductType)
        }

        @Test(arguments: [
            (SKTestSession.TimeRate.realTime, 7 * 86_400.0),
            (.monthlyRenewalEveryHour, 900), (.monthlyRenewalEveryThirtyMinutes, 600),
            (.monthlyRenewalEveryFifteenMinutes, 300), (.monthlyRenewalEveryFiveMinutes, 180),
            (.monthlyRenewalEveryThirtySeconds, 10), (.oneRenewalEveryFifteenMinutes, 900),
            (.oneRenewalEveryMinute, 60), (.oneSecondIsOneDay, 7),
        ])
        func `a week takes as long as the table says`(
            rate: SKTestSession.TimeRate, length: TimeInterval
        ) async throws {
            let session = try Shop.session()
            session.timeRate = rate
            let bought = try await session.buyProduct(identifier: Shop.weekly)
            #expect(bought.expirationDate?.timeIntervalSince(bought.purchaseDate) == length)
            session.timeRate = .realTime
        }
    }
}
