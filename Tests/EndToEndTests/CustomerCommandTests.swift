import Foundation
import StoreCore
import StoreTestSupport
import Testing

/// What an operator does for customers with commands only: refunds, subscriptions, families.
struct CustomerCommandTests {
    private func run(_ words: [String], _ shop: Shop) async throws -> Program.Result {
        try await Program.run("openstore", words + ["--data", shop.data])
    }

    /// The rows that a command writes with `--json`.
    private func rows(_ words: [String], _ shop: Shop) async throws -> [[String: Any]] {
        let text = try await shop.command(words + ["--json", "--data", shop.data])
        return try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    /// A shop whose tester has bought something, and where it is served.
    private func shop(selling product: String) async throws -> (Shop, Program) {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        let bought = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(product):1"],
            environment: try await shop.device("phone", address: address))
        #expect(bought.code == 0, "\(bought.errors)")
        return (shop, server)
    }

    @Test func `a refund is asked for, granted, declined and reversed`() async throws {
        let (shop, server) = try await shop(selling: SampleShop.badge)
        defer { server.send(SIGTERM) }
        let id = try #require(try await shop.ledger().first).entry.id.description
        #expect(
            try await run(["refund", "list"], shop).output
                == "There is no request for a refund.\n")
        for (words, code) in [
            (["request", "x"], 64), (["request", id, "--reason", "MOON"], 64),
            (["request", "999"], 66),
            (["request", id, "--comment", String(repeating: "a", count: 5000)], 65),
            (["approve", "x"], 64), (["approve", "99"], 66), (["decline", "99"], 66),
            (["reverse", id], 65),
        ] as [([String], Int32)] {
            let refused = try await run(["refund"] + words, shop)
            #expect(refused.code == code, "\(words.prefix(2)): \(refused.errors)")
        }
        #expect(try await rows(["refund", "list"], shop).isEmpty)

        let asked = try await run(
            ["refund", "request", id, "--reason", "UNINTENDED_PURCHASE"], shop)
        #expect(asked.code == 0, "\(asked.errors)")
        #expect(try await run(["refund", "request", id], shop).code == 65)
        let waiting = try #require(try await rows(["refund", "list", "--waiting"], shop).first)
        #expect(waiting["state"] as? String == "waiting")
        #expect(waiting["transactionId"] as? String == id)
        let first = String(try #require(waiting["id"] as? Int))
        #expect(try await run(["refund", "decline", first, "--grounds", "No."], shop).code == 0)
        #expect(try await run(["refund", "approve", first], shop).code == 65)
        #expect(try await rows(["refund", "list", "--waiting"], shop).isEmpty)

        // By the number of the order, as a customer has it.
        let order = try #require(waiting["orderId"] as? String)
        _ = try await shop.command(["refund", "request", order, "--data", shop.data])
        let second = try #require(try await rows(["refund", "list", "--waiting"], shop).first)
        let number = String(try #require(second["id"] as? Int))
        #expect(try await run(["refund", "approve", number, "--percent", "101"], shop).code == 64)
        #expect(
            try await run(["refund", "approve", number, "--percent", "50"], shop).output
                == "Refunded \(id)\n")
        let all = try await rows(["refund", "list"], shop)
        try #require(all.map { $0["state"] as? String } == ["refunded", "declined"])
        #expect(all[0]["percentage"] as? Double == 50)
        #expect(all[1]["grounds"] as? String == "No.")

        let reversed = try await run(["refund", "reverse", id], shop)
        #expect(reversed.code == 0 && reversed.output.contains(SampleShop.badge))
        #expect(try await run(["refund", "reverse", id], shop).code == 65)
    }

    @Test func `a subscription is listed, cancelled, resumed, and changed within its group`()
        async throws
    {
        let (shop, server) = try await shop(selling: SampleShop.monthly)
        defer { server.send(SIGTERM) }
        let who = ["--email", Shop.email]
        func listed() async throws -> [String: Any] {
            let rows = try await rows(["subscription", "list"] + who, shop)
            #expect(rows.count == 1)
            return try #require(rows.first)
        }
        let bought = try await listed()
        #expect(bought["productId"] as? String == SampleShop.monthly)
        #expect(bought["renews"] as? Bool == true)
        let id = try #require(bought["originalTransactionId"] as? String)
        #expect(try await run(["subscription", "list"] + who, shop).output.contains(id))

        let cancelled = try await run(["subscription", "cancel", id] + who, shop)
        #expect(cancelled.code == 0 && cancelled.output.hasPrefix("It ends on "))
        #expect(try await listed()["renews"] as? Bool == false)
        #expect(try await run(["subscription", "list"] + who, shop).output.contains("ends"))
        #expect(try await run(["subscription", "resume", id] + who, shop).code == 0)
        #expect(try await listed()["renews"] as? Bool == true)

        for (words, code) in [
            (["cancel", "x"] + who, 64), (["cancel", "999"] + who, 66), (["cancel", id], 64),
            (["cancel", id, "--email", "nobody@example.com"], 66),
            (["change", id] + who, 64),
            (["change", id, "--product-id", SampleShop.badge] + who, 65),
        ] as [([String], Int32)] {
            let refused = try await run(["subscription"] + words, shop)
            #expect(refused.code == code, "\(words): \(refused.errors)")
        }
        #expect(try await listed()["renewsWith"] as? String == SampleShop.monthly)
    }

    /// The sample shop with a better product in the group of its subscription.
    private static func withPremium(_ product: String) throws -> Data {
        var shop = try #require(
            try JSONSerialization.jsonObject(with: SampleShop.configuration) as? [String: Any])
        var groups = try #require(shop["subscriptionGroups"] as? [[String: Any]])
        var monthly = try #require((groups.first?["subscriptions"] as? [[String: Any]])?.first)
        var premium = monthly
        premium["productID"] = product
        premium["internalID"] = "55555555"
        premium["displayPrice"] = "9.99"
        monthly["groupNumber"] = 2
        groups[0]["subscriptions"] = [premium, monthly]
        shop["subscriptionGroups"] = groups
        return try JSONSerialization.data(withJSONObject: shop)
    }

    @Test func `a better product begins at once, and the one before is told as upgraded`()
        async throws
    {
        let (shop, server) = try await shop(selling: SampleShop.monthly)
        defer { server.send(SIGTERM) }
        let premium = "com.example.shop.premium"
        let file = try shop.folder.write("premium.storekit", Self.withPremium(premium))
        try await shop.command([
            "catalog", "import", file.path, "--bundle-id", SampleShop.bundleID.text, "--data",
            shop.data,
        ])
        let first = try #require(try await shop.ledger().first).entry.id
        let changed = try await run(
            [
                "subscription", "change", first.description, "--product-id", premium, "--email",
                Shop.email,
            ], shop)
        #expect(
            changed.output.hasPrefix("It is \(premium) now, and renews on "),
            "\(changed.output) \(changed.errors)")
        let rows = try await rows(["subscription", "list", "--email", Shop.email], shop)
        #expect(rows.map { $0["productId"] as? String } == [premium])
        let database = try SQLiteDatabase(path: "\(shop.data)/store.sqlite")
        defer { database.close() }
        let record = try await database.read { try $0.transactions.record(first) }
        #expect(record?.facts.isUpgraded == true)
    }

    @Test func `a family is begun, listed, and left`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let members = (1...Family.sizeLimit).map { "member\($0)@example.com" }
        for email in members {
            try await shop.command([
                "tester", "create", "--email", email, "--password", Shop.password, "--storefront",
                "USA", "--data", shop.data,
            ])
        }
        func add(_ email: String) async throws -> Program.Result {
            try await run(
                ["family", "add", "--email", email, "--organizer", Shop.email], shop)
        }
        #expect(try await run(["family", "list"], shop).output == "There is no family.\n")
        for (number, email) in members.dropLast().enumerated() {
            let added = try await add(email)
            #expect(added.output.contains("\(number + 2) people"), "\(added.errors)")
        }
        // One too many, one who is there already, nobody, and oneself.
        for email in [members.last!, members[0], "nobody@example.com", Shop.email] {
            let refused = try await add(email)
            let code: Int32 = email == "nobody@example.com" ? 66 : 65
            #expect(refused.code == code && !refused.errors.isEmpty, "\(email)")
        }
        let listed = try await rows(["family", "list"], shop)
        try #require(listed.count == 1)
        #expect(listed[0]["people"] as? [String] == [Shop.email] + members.dropLast())
        #expect(listed[0]["environment"] as? String == "sandbox")

        #expect(try await run(["family", "remove", "--email", members[0]], shop).code == 0)
        #expect(try await run(["family", "remove", "--email", members[0]], shop).code == 65)
        #expect(try await add(members.last!).code == 0)
        #expect(try await run(["family", "remove", "--email", Shop.email], shop).code == 0)
        #expect(try await rows(["family", "list"], shop).isEmpty)
        #expect(try await run(["family", "add", "--email", members[0]], shop).code == 64)
        #expect(
            try await run(["family", "remove", "--email", "x", "--environment", "moon"], shop).code
                == 64)
    }
}
