import Foundation
import StoreCore
import StoreTestSupport
import Testing

/// Each job of the store is done by one process at a time, and when it is due.
@Suite(.usesDrivers) struct JobServiceTests {
    private let clock = SettableClock()

    private func services(_ driver: StoreDriver) throws -> (JobService, JobService) {
        let installation = try driver.install()
        return (
            JobService(database: try installation.open(), clock: clock),
            JobService(database: try installation.open(), clock: clock)
        )
    }

    @Test(arguments: StoreDriver.all)
    func `a job is done once a period, whoever asks`(driver: StoreDriver) async throws {
        let (one, other) = try services(driver)
        let taken = try #require(
            await one.take(.rankingItems, every: 3600, as: "one"))
        #expect(try await other.take(.rankingItems, every: 3600, as: "other") == nil)
        #expect(try await other.take(.listingApps, every: 3600, as: "other") != nil)
        clock.advance(by: 10)
        try await one.complete(taken)
        clock.advance(by: 3589)
        #expect(try await other.take(.rankingItems, every: 3600, as: "other") == nil)
        clock.advance(by: 1)
        #expect(try await other.take(.rankingItems, every: 3600, as: "other") != nil)
    }

    @Test(arguments: StoreDriver.all)
    func `the job of a process that was killed goes to another one`(
        driver: StoreDriver
    ) async throws {
        let (one, other) = try services(driver)
        let lost = try #require(await one.take(.rankingItems, every: 3600, as: "one"))
        clock.advance(by: JobService.lease - 1)
        #expect(try await one.renew(lost))
        clock.advance(by: JobService.lease - 1)
        #expect(try await other.take(.rankingItems, every: 3600, as: "other") == nil)
        clock.advance(by: 1)
        let found = try #require(await other.take(.rankingItems, every: 3600, as: "other"))
        // The one that was thought dead changes nothing any more.
        #expect(try await one.renew(lost) == false)
        try await one.complete(lost)
        try await one.giveBack(lost, hasFailed: true)
        #expect(try await other.renew(found))
    }

    @Test(arguments: StoreDriver.all)
    func `a job that failed rests, and one that was broken off does not`(
        driver: StoreDriver
    ) async throws {
        let (one, other) = try services(driver)
        let failed = try #require(await one.take(.exportingFeed, every: 900, as: "one"))
        try await one.giveBack(failed, hasFailed: true)
        #expect(try await other.take(.exportingFeed, every: 900, as: "other") == nil)
        clock.advance(by: 600)
        let stopped = try #require(await other.take(.exportingFeed, every: 900, as: "other"))
        try await other.giveBack(stopped, hasFailed: false)
        #expect(try await one.take(.exportingFeed, every: 900, as: "one") != nil)
    }

    @Test(arguments: StoreDriver.all)
    func `many at once get a job once`(driver: StoreDriver) async throws {
        let (one, other) = try services(driver)
        let taken = try await driver.atOnce(12) { number in
            let service = number.isMultiple(of: 2) ? one : other
            return try await service.take(.listingApps, every: 60, as: "process \(number)")
        }
        #expect(taken.count { $0 != nil } == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `a clock that is set back holds no job up`(driver: StoreDriver) async throws {
        let (one, _) = try services(driver)
        let taken = try #require(await one.take(.listingApps, every: 60, as: "one"))
        try await one.complete(taken)
        clock.advance(by: -7_000_000)
        #expect(try await one.take(.listingApps, every: 60, as: "one") != nil)
    }
}
