import Foundation
import StoreModel
import StoreWire

/// The commands about submissions, reviews and sale.
enum ReviewCommands {
    static let all: [any Command.Type] = [
        SubmissionList.self, SubmissionShow.self, SubmissionCreate.self,
        SubmissionWithdraw.self, ReviewList.self, ReviewShow.self, ReviewClaim.self,
        ReviewApprove.self, ReviewReject.self, ReviewAsk.self, ProductSubmit.self,
        ProductWithdraw.self, ProductRemove.self, ProductReturn.self, ProductTakeDown.self,
        ProductReinstate.self,
    ]
}

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
            ReviewSubject.app, .value("state", "STATE", "Only those in a state."), .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        var query = connect.query(["state": "filter[state]"])
        if connect.arguments["app"] != nil {
            query["filter[app]"] = try await ReviewSubject.app(connect)
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
        discussion: "Products that go with a version wait for its approval.",
        options: [
            .value("products", "A,B,…", "The products, by identifier or number."),
            .value("version", "ID", "The version of the app."), ReviewSubject.app,
        ])

    static func run(_ connect: ConnectContext) async throws {
        var products: [String] = []
        for text in (connect.arguments["products"] ?? "").split(scalar: ",") {
            products.append(
                try await ReviewSubject.product(
                    text.trimmingCharacters(in: .whitespaces), connect))
        }
        let made = try await submit(products, version: connect.arguments["version"], connect)
        connect.show.done(made, "Submission \(made.id) waits for review.")
    }

    static func submit(
        _ products: [String], version: String?, _ connect: ConnectContext
    ) async throws -> JSONValue {
        var relationships: [String: JSONValue] = [
            "inAppPurchases": [
                "data": .array(products.map { ["type": "inAppPurchases", "id": .string($0)] })
            ]
        ]
        if let version {
            relationships["appStoreVersion"] = [
                "data": ["type": "appStoreVersions", "id": .string(version)]
            ]
        }
        let answer = try await connect.api.send(
            "POST", "/openstore/v1/reviewSubmissions", [:],
            [
                "data": [
                    "type": "reviewSubmissions", "relationships": .object(relationships),
                ]
            ])
        return answer["data"] ?? .null
    }
}

/// `openstore submission withdraw`
enum SubmissionWithdraw: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["submission", "withdraw"], summary: "Take back a submission that nobody reviews yet.",
        arguments: [.init(name: "ID", help: "The submission.")])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        let gone = try await connect.api.update(
            "reviewSubmissions", at: "/openstore/v1/reviewSubmissions/\(id)", id: id,
            ["canceled": true])
        connect.show.done(gone, "Submission \(id) is taken back.")
    }
}
