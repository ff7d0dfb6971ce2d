import StoreWire

/// `openstore tester list`
enum TesterList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "list"], summary: "List the sandbox testers of a team.",
        options: [
            .value("search", "TEXT", "Only those with it in the address or the name."), .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let testers = try await connect.api.list(
            ConnectContext.testers, connect.query(["search": "filter[search]"]),
            limit: connect.limit())
        connect.show.list(testers, ConnectRenderer.Column.testers, empty: "There are no testers.")
    }
}

/// `openstore tester show`
enum TesterShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "show"], summary: "Show a sandbox tester.", arguments: [.tester])

    static func run(_ connect: ConnectContext) async throws {
        connect.show.one(try await connect.tester(), ConnectRenderer.Column.testerDetails)
    }
}

/// `openstore tester update`
enum TesterUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "update"], summary: "Change how a sandbox tester buys.",
        discussion: """
            Address, name and password of a tester can't be changed; make another one. With
            --payment-failure next, the next payment is declined and those behind it go through.
            """,
        arguments: [.tester],
        options: [
            TesterChoice.storefront,
            .value("ask-to-buy", "on|off", "Whether somebody else approves what it buys."),
            .value(
                "guardian", "TESTER|none",
                "Which tester approves what it buys, on a page of the store; whoever has the page's "
                    + "address unless given."),
            .value("interrupt", "on|off", "Whether its purchases are interrupted."),
            .value("payment-failure", "none|next|all", "Which payments are declined."),
            .value(
                "month", "3|5|15|30|60", "How many minutes a month of a subscription lasts."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let changes: [String: JSONValue] = [
            "territory": try TesterChoice.territory(arguments),
            "askToBuy": try TesterChoice.flag(arguments, "ask-to-buy"),
            "interruptPurchases": try TesterChoice.flag(arguments, "interrupt"),
            "paymentFailure": try TesterChoice.paymentFailure(arguments),
            "subscriptionRenewalRate": try TesterChoice.renewalRate(arguments),
        ].filter { $0.value != .null }
        let guardian = arguments["guardian"]
        guard !changes.isEmpty || guardian != nil else {
            throw UsageError(description: "nothing is to be changed\nUsage: \(spec.usage)")
        }
        let tester = try await connect.tester()
        var data: [String: JSONValue] = [
            "type": "sandboxTesters", "id": .string(tester.id), "attributes": .object(changes),
        ]
        if let guardian {
            let link: JSONValue =
                guardian == "none"
                ? .null
                : [
                    "type": "sandboxTesters",
                    "id": .string(try await connect.tester(guardian).id),
                ]
            data["relationships"] = ["guardian": ["data": link]]
        }
        let changed = try await connect.api.send(
            "PATCH", "\(ConnectContext.testers)/\(tester.id)", [:], ["data": .object(data)])
        connect.show.done(
            changed["data"] ?? .null, "\(tester.attribute("email")) is changed.")
    }
}

/// `openstore tester delete`
enum TesterDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "delete"], summary: "Delete a sandbox tester, for good.",
        discussion: "The address can't be used for another tester, ever.", arguments: [.tester])

    static func run(_ connect: ConnectContext) async throws {
        let tester = try await connect.tester()
        try await connect.api.delete("\(ConnectContext.testers)/\(tester.id)")
        connect.show.done(id: tester.id, "\(tester.attribute("email")) is deleted.")
    }
}

/// `openstore tester clear`
enum TesterClear: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "clear"], summary: "Clear a sandbox tester's purchase history.",
        discussion: "Apps see nothing any more of what the tester has bought until now.",
        arguments: [.tester])

    static func run(_ connect: ConnectContext) async throws {
        let tester = try await connect.tester()
        let type = "sandboxTestersClearPurchaseHistoryRequest"
        _ = try await connect.api.send(
            "POST", "/v2/\(type)", [:],
            [
                "data": [
                    "type": .string(type),
                    "relationships": [
                        "sandboxTesters": [
                            "data": [["type": "sandboxTesters", "id": .string(tester.id)]]
                        ]
                    ],
                ]
            ])
        connect.show.done(
            id: tester.id, "The purchase history of \(tester.attribute("email")) is cleared.")
    }
}

/// `openstore tester purchases`
enum TesterPurchases: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "purchases"],
        summary: "List what a sandbox tester has bought in the team's apps.",
        arguments: [.tester], options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        let tester = try await connect.tester()
        let purchases = try await connect.api.list(
            "\(ConnectContext.testers)/\(tester.id)/purchases", limit: connect.limit())
        connect.show.list(
            purchases,
            [
                ConnectRenderer.Column("TRANSACTION") { $0.id },
                .attribute("APP", "bundleId"), .attribute("PRODUCT", "productId"),
                .attribute("QTY", "quantity"),
                ConnectRenderer.Column("PRICE") {
                    "\($0.attribute("price")) \($0.attribute("currency"))"
                },
                .attribute("BOUGHT", "purchaseDate"), .attribute("REFUNDED", "refundedDate"),
                .attribute("CLEARED", "cleared"),
            ], empty: "Nothing was bought yet.")
    }
}

/// `openstore tester refund`
enum TesterRefund: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["tester", "refund"],
        summary: "Take a sandbox tester's purchase back; the app hears of it.",
        arguments: [
            .init(name: "TRANSACTION", help: "As openstore tester purchases shows it.")
        ])

    static func run(_ connect: ConnectContext) async throws {
        let refund = try await connect.api.create(
            "sandboxRefunds", at: "/openstore/v1/sandboxRefunds",
            ["transactionId": .string(connect.arguments.argument(0))])
        connect.show.done(refund, "\(refund.attribute("productId")) is refunded.")
    }
}
