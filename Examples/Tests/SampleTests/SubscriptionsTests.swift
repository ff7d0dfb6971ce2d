import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct Subscriptions {
    private static let reader = "com.example.magazine.reader"

    /// A reader in front of the magazine, on a device of their own.
    private static func reader(_ shop: Shop, _ device: String = "phone") throws -> Customer {
        try Customer(
            "Subscriptions",
            environment: shop.device(device, ["OPENSTORE_PROFILE": shop.magazineProfile.path]))
    }

    private static func subscribed(_ shop: Shop) async throws -> Customer {
        try await shop.sellMagazine()
        let customer = try reader(shop)
        try await customer.sees("You don't subscribe.")
        try await customer.sees("$2.99 for 1 month")
        try await customer.answers("q quits: ", "1\n")
        try await customer.answers("Email: ", "\(Shop.american)\n")
        try await customer.answers("Password: ", "\(Shop.password)\n")
        try await customer.answers("Subscribe? [y/n] ", "y\n")
        try await customer.sees("Thank you.")
        try await customer.sees("Reader. Renews on ")
        return customer
    }

    /// What the operator does about the subscription.
    private static func operate(_ words: [String], _ shop: Shop) async throws -> String {
        try await shop.openstore(words + ["--email", Shop.american])
    }

    @Test func `a reader goes over to the better level, and reads without a network`() async throws
    {
        let shop = try await Shop()
        let customer = try await Self.subscribed(shop)
        try await customer.answers("q quits: ", "a\n")
        try await customer.sees("Patrons read the archive.")
        try await customer.answers("q quits: ", "i\n")
        try await customer.sees("The Last Keeper.")
        try await customer.answers("q quits: ", "2\n")
        try await customer.answers("Subscribe? [y/n] ", "y\n")
        try await customer.sees("Patron. Renews on ")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)

        shop.line.close()
        let offline = try Self.reader(shop)
        try await offline.sees("Nothing can be bought now: ")
        try await offline.answers("q quits: ", "a\n")
        try await offline.sees("The Fog Bell.")
        try await offline.answers("q quits: ", "q\n")
        #expect(await offline.end() == 0)
    }

    @Test func `what changes elsewhere is seen at once`() async throws {
        let shop = try await Shop()
        let customer = try await Self.subscribed(shop)
        let list = try await Self.operate(["subscription", "list", "--json"], shop)
        let rows = try JSONDecoder().decode([Row].self, from: Data(list.utf8))
        let id = try #require(rows.first).originalTransactionId
        _ = try await Self.operate(["subscription", "cancel", id], shop)
        try await customer.sees("Then it ends.")
        _ = try await Self.operate(["subscription", "resume", id], shop)
        try await customer.sees("Reader. Renews on ")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `a refund is asked for, and ends what was paid back`() async throws {
        let shop = try await Shop()
        let customer = try await Self.subscribed(shop)
        try await customer.answers("q quits: ", "f\n")
        try await customer.answers("Return goes back: ", "2\n")
        try await customer.sees("The store has your request, and decides.")
        let list = try await shop.openstore(["refund", "list", "--json"])
        let requests = try JSONDecoder().decode([Request].self, from: Data(list.utf8))
        _ = try await shop.openstore([
            "refund", "approve", String(try #require(requests.first).id),
        ])
        try await customer.sees("was paid back.")
        try await customer.answers("q quits: ", "i\n")
        try await customer.sees("Subscribers read it.")
        try await customer.answers("q quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    private struct Row: Decodable { let originalTransactionId: String }
    private struct Request: Decodable { let id: Int }
}
