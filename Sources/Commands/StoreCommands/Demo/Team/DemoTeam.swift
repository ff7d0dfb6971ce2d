import Foundation
import StoreCore
import StoreModel
import StoreServer

/// Fills a store with a publisher who has been there for six weeks, so that every page of the
/// portal has something to show.
///
/// Everything goes through the store's services, with their rules, at a clock of the past: the
/// audit log, the histories and the figures are what they would be had it happened.
struct DemoTeam {
    static let name = "Lighthouse Books"
    /// A team whose paid agreement lacks its data still.
    static let otherName = "Harbour Games"
    static let bundleID = "com.example.bookshop"
    /// Whoever uses the portal reads the same numbers in each demo.
    private static let seed: UInt64 = 0x11_68_74

    /// What is being made, for a line of progress.
    enum Part: String, CaseIterable {
        case people
        case apps
        case products
        case sales
        case testers
    }

    /// The store at the clock of the past.
    let store: Store
    let clock: DemoClock
    /// When all of it has happened.
    let end: Date
    let password: String
    /// The store's address, for profiles.
    let address: String
    let shop: URL
    let screenshot: Data
    var random = DemoRandom(seed: Self.seed)

    var people: [DemoPerson: PersonID] = [:]
    var team: Int64 = 0
    /// Apps by the last part of their bundle identifiers.
    var apps: [String: App] = [:]
    var customers: [Account] = []
    /// What customers own of what can be had once only.
    var owned: Set<String> = []
    /// What customers browse on the store's pages.
    var items: [Item] = []
    /// Products by their identifiers.
    var numbers: [String: ProductNumber] = [:]

    /// - Parameters:
    ///   - store: the open store to be filled, in which nobody operates yet.
    ///   - end: the present.
    ///   - password: with which everybody signs in.
    ///   - address: where the store answers.
    ///   - shop: the folder Examples/Bookshop.
    init(
        filling store: Store, end: Date, password: String, address: String, shop: URL
    ) throws {
        let clock = DemoClock(Self.date(daysBefore: 46, end))
        self.clock = clock
        self.end = end
        self.password = password
        self.address = address
        self.shop = shop
        // Slow hashes protect passwords that nobody else knows; these are printed.
        self.store = try Store(
            directory: store.directory, database: store.database, clock: clock,
            vault: OpenSSLVault(logN: 10, threads: nil), log: .silent)
        let file = shop.appendingPathComponent("review-screenshot.png")
        guard let screenshot = FileManager.default.contents(atPath: file.path) else {
            throw DemoFailure(description: "there is no \(file.path) to show to reviewers")
        }
        self.screenshot = screenshot
    }

    /// Makes all of it.
    ///
    /// - Parameter progress: hears what is made next.
    /// - Returns: the import of the shop's catalog, which is part of it.
    mutating func fill(
        progress: (Part) -> Void = { _ in }
    ) async throws -> CatalogImportReport {
        progress(.people)
        try await makePeople()
        progress(.apps)
        try await makeApps()
        let report = try await importShop()
        progress(.products)
        try await makeProducts()
        try await reviewFirstProducts()
        progress(.sales)
        try await makeCustomers()
        try await sell(days: 18...41)
        progress(.products)
        try await reviewMore()
        try await makeItems()
        try await makePartners()
        progress(.sales)
        try await sell(days: 5...17)
        progress(.products)
        try await changePrices()
        progress(.sales)
        try await connectServer()
        try await sell(days: 1...4)
        try await deliverNotifications()
        progress(.products)
        try await fillQueue()
        progress(.sales)
        try await sellItems()
        try await sell(days: 0...0, from: 6)
        progress(.testers)
        try await makeTesters()
        return report
    }

    // MARK: Time and people

    /// A time of some day of the past: the days of the demo end with the hour of its start.
    private static func date(daysBefore days: Int, _ end: Date) -> Date {
        end.addingTimeInterval(-86_400 * TimeInterval(days + 1) + 3600)
    }

    /// Lets some hours of a day pass.
    ///
    /// - Parameter hour: from 0 to 22; the team works at the ends of days, customers buy
    ///   between 2 and 18.
    func wait(until day: Int, hour: Double = 0) {
        clock.advance(to: Self.date(daysBefore: day, end).addingTimeInterval(hour * 3600))
    }

    /// Somebody who does something in the portal.
    func actor(_ person: DemoPerson) throws -> ConnectActor {
        guard let id = people[person] else {
            throw DemoFailure(description: "\(person.name) has not come yet")
        }
        return ConnectActor(
            kind: .person(id, email: person.email), team: person.role.isStaff ? nil : team,
            roles: [person.role])
    }

    func app(_ name: String) throws -> App {
        guard let app = apps[name] else {
            throw DemoFailure(description: "there is no app \(name)")
        }
        return app
    }
}
