import Foundation
import StoreModel
import StoreWire

extension ConnectRenderer.Column {
    static let submission: [ConnectRenderer.Column] = [
        .id, .attribute("APP", "bundleId"), .attribute("STATE", "state"),
        .attribute("SUBMITTED", "submittedDate"), .attribute("BY", "submitter"),
        .attribute("REVIEWER", "reviewer"),
    ]
    static let item: [ConnectRenderer.Column] = [
        .id, .attribute("WHAT", "name"), .attribute("STATE", "state"),
        .attribute("CONTENT", "contentVersion"), .attribute("MESSAGE", "message"),
    ]
}

/// `openstore submission list`
enum SubmissionList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["submission", "list"], summary: "List what was submitted, the newest first.",
        options: [
            .app, .value("state", "STATE", "Only those in a state."), .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        var query = connect.query(["state": "filter[state]"])
        if connect.arguments["app"] != nil {
            query["filter[app]"] = try await connect.app().id
        }
        let found = try await connect.api.list(
            "/openstore/v1/reviewSubmissions", query, limit: connect.limit())
        connect.show.list(
            found, ConnectRenderer.Column.submission, empty: "Nothing was submitted yet.")
    }
}

/// `openstore submission show`
enum SubmissionShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["submission", "show"], summary: "Show what is in a submission, and what was decided.",
        arguments: [.init(name: "ID", help: "The submission.")])

    static func run(_ connect: ConnectContext) async throws {
        let items = try await connect.api.list(
            "/openstore/v1/reviewSubmissions/\(connect.arguments.argument(0))/items")
        connect.show.list(items, ConnectRenderer.Column.item, empty: "There is nothing in it.")
    }
}

/// `openstore submission create`
enum SubmissionCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["submission", "create"], summary: "Submit products, a version of the app, or both.",
        discussion: """
            A product goes with whatever is new of it: texts, hosted content, or both. Products that
            go with a version wait for its approval.
            """,
        options: [
            .app,
            .value(
                "product", "PRODUCT",
                "A product, by identifier or number; once for each of several.", isRepeatable: true),
            .value("version", "VERSION", "A version of the app, for example 1.2."), platformOption,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        guard !arguments.all("product").isEmpty || arguments["version"] != nil else {
            throw UsageError(
                description: "nothing is to be submitted: name products with --product, a version "
                    + "with --version, or both")
        }
        var products: [JSONValue] = []
        for text in arguments.all("product") {
            let number = try await connect.productNumber(text)
            products.append(["type": "inAppPurchases", "id": .string(number)])
        }
        var relationships: [String: JSONValue] = ["inAppPurchases": ["data": .array(products)]]
        if let text = arguments["version"] {
            let version = try await connect.version(text, of: connect.app())
            relationships["appStoreVersion"] = [
                "data": ["type": "appStoreVersions", "id": .string(version.id)]
            ]
        }
        let answer = try await connect.api.send(
            "POST", "/openstore/v1/reviewSubmissions", [:],
            [
                "data": [
                    "type": "reviewSubmissions", "relationships": .object(relationships),
                ]
            ])
        let made = answer["data"] ?? .null
        connect.show.done(
            made,
            "Submission \(made.id) waits for review. A reviewer begins with openstore review claim "
                + "\(made.id).")
        if let product = products.first { try await connect.showObstacle(to: product.id) }
    }
}

/// `openstore submission withdraw`
enum SubmissionWithdraw: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["submission", "withdraw"],
        summary: "Take back a submission, or a product of one, that nobody reviews yet.",
        arguments: [
            .init(
                name: "ID", help: "The submission's number, unless --product is given.",
                isOptional: true)
        ],
        options: [
            .app, .value("product", "PRODUCT", "Only this product, by identifier or number."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        switch (connect.arguments.optionalArgument(0), connect.arguments["product"]) {
        case (let id?, nil):
            let gone = try await connect.api.update(
                "reviewSubmissions", at: "/openstore/v1/reviewSubmissions/\(id)", id: id,
                ["canceled": true])
            connect.show.done(gone, "Submission \(id) is taken back.")
        case (nil, let product?): try await withdraw(product: product, connect)
        case (_?, _?), (nil, nil):
            throw UsageError(
                description: "name a submission by its number, or a product with --product\n"
                    + "Usage: \(spec.usage)")
        }
    }

    private static func withdraw(product text: String, _ connect: ConnectContext) async throws {
        let product = try await connect.productNumber(text)
        let items = try await connect.api.list(
            "/openstore/v1/reviewSubmissionItems", ["filter[inAppPurchase]": product], limit: 1)
        guard let item = items.first else {
            throw ConnectFailure.notFound("The product \"\(text)\" was never submitted.")
        }
        try await connect.api.delete("/openstore/v1/reviewSubmissionItems/\(item.id)")
        connect.show.done(id: item.id, "\(item.attribute("name")) is taken back.")
    }
}
