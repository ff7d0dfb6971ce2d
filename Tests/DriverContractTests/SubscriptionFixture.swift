import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// A shop whose app has a group.
struct SubscriptionFixture: Sendable {
    let shop: ProductShop
    let group: KeptResource

    init(_ driver: StoreDriver) async throws {
        shop = try await ProductShop(driver)
        group = try await KeptService(database: shop.database, clock: shop.clock).add(
            KeptDraft(
                kind: .subscriptionGroups, id: Self.id(1),
                attributes: ["referenceName": .text("Reading")]),
            to: shop.app, by: shop.actor())
    }

    var kept: KeptService { KeptService(database: shop.database, clock: shop.clock) }
    var subscriptions: SubscriptionService {
        SubscriptionService(database: shop.database, clock: shop.clock)
    }

    static func id(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(format: "%012d", number)
    }

    func subscription(
        _ id: String = "com.example.monthly", level: Int = 1, name: String = "Monthly",
        by actor: ConnectActor? = nil
    ) async throws -> ProductRecord {
        try await subscriptions.create(
            NewSubscription(
                productID: id, referenceName: name, reviewNote: "", isFamilyShareable: true,
                period: SubscriptionPeriod(unit: .month, count: 1), level: level),
            inGroup: group.id, by: actor ?? shop.actor())
    }

    /// Everything that can be changed here, to see whether it was.
    func picture() async throws -> [String] {
        try await shop.database.read { repositories in
            var lines: [String] = []
            for kind in KeptKind.allCases {
                for owner in [KeptOwner.app(shop.shop.app.id)] {
                    lines += try repositories.kept.page(
                        kind, of: owner, territories: nil, PageRequest(limit: 1000)
                    ).items.map { "\(kind) \($0.name) \($0.attributes) \($0.links)" }
                }
            }
            lines.append(
                "\(try repositories.audit.entries(team: nil, before: nil, limit: 500).count)")
            return lines.sorted()
        }
    }
}

/// The rule that refuses.
func refusingRule(_ body: () async throws -> Void) async throws -> String {
    do {
        try await body()
        return "nothing is refused"
    } catch let refusal as ConnectRefusal {
        #expect(!refusal.problem.isEmpty && !refusal.help.isEmpty)
        return refusal.rule
    }
}

extension ProductShop {
    /// The identifier of the app, as the API writes it.
    var app: String { String(shop.app.id.number) }
}
