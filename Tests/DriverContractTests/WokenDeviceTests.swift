import Foundation
import StoreCore
import StoreModel
import Testing

/// Whose devices look again when a transaction is on disk.
@Suite(.usesDrivers) struct WokenDeviceTests {
    private struct Unwilling: Error {}

    @Test(arguments: StoreDriver.all)
    func `each transaction wakes those whom it has told something, when it is on disk`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let (ada, grace, app) = (shop.ada.id, shop.grace.id, shop.app.id)
        let woken = WokenDevices()
        let last = try await database.lastEvent()
        database.whenDevicesHaveNews { accounts in
            woken.note(accounts)
            // On disk by now. Nobody can look this way where the database is a server.
            let seen = try? database.lookUp {
                try $0.events.latest(after: last).last(
                    of: ada, at: AppScope(app: app, environment: .sandbox))
            }
            if let seen, accounts.contains(ada) { #expect(seen != nil) }
        }
        let tell: @Sendable (StoreRepositories, AccountID) throws -> Void = {
            try $0.events.append(
                DeviceEventDraft(account: $1, app: app, kind: .transactions),
                at: SeededShop.date)
        }
        try await database.write { repositories in
            try tell(repositories, ada)
            try tell(repositories, grace)
            try tell(repositories, ada)
            #expect(woken.taken().isEmpty)
        }
        #expect(woken.taken() == [[ada, grace]])
        try await database.write { try $0.accounts.deleteSessions(of: grace) }
        #expect(woken.taken() == [[grace]])
        await #expect(throws: Unwilling.self) {
            try await database.write { repositories in
                try tell(repositories, ada)
                throw Unwilling()
            }
        }
        // Everybody with an app hears of it by the number of the last event.
        try await database.write { repositories in
            try repositories.events.append(
                DeviceEventDraft(
                    audience: .everyone(.sandbox), app: app,
                    kind: .contentVersion(SeededShop.chapter)),
                at: SeededShop.date)
            try repositories.accounts.setStorefront(.unitedStates, of: ada)
        }
        #expect(woken.taken().isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `what follows from a purchase wakes who has a part in it`(driver: StoreDriver) async throws
    {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        let woken = WokenDevices()
        shop.database.whenDevicesHaveNews(woken.note)
        let bought = try await shop.buy()
        #expect(woken.taken() == [[ada.id]])
        try await shop.families.add(grace.email, toFamilyOf: ada.email, in: ada.environment)
        #expect(woken.taken() == [[grace.id]])
        _ = try await shop.extensions.extend(
            bought.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 1, reason: .outage, identifier: "one")
        ).get()
        #expect(woken.taken() == [[ada.id, grace.id]])
        try await shop.wait(2 * 86_400)
        #expect(woken.taken() == [[ada.id, grace.id]])
        try await shop.families.remove(grace.email, in: ada.environment)
        #expect(woken.taken() == [[grace.id]])
    }
}
