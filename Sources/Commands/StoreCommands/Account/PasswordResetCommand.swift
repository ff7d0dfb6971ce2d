import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore password reset`
enum PasswordResetCommand: Command {
    static let spec = CommandSpec(
        words: ["password", "reset"],
        summary: "Make a link by which somebody sets a new password, on the store's own machine.",
        discussion: """
            For whoever has lost theirs: somebody who uses Connect, or with --environment a customer
            or a tester. The link works once, for an hour, and takes the place of an earlier one.
            Who sets a password by it is signed out everywhere else. Operators do the same in the
            portal, under Staff.
            """,
        options: [
            .value("email", "ADDRESS", "Whose password it is.").asRequired,
            .value(
                "environment", "sandbox|production",
                "Where a tester or a customer signs in; Connect unless given."),
            StoreAddress.option(otherwise: "none, for a path"),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Result: Encodable {
        let email: String
        let link: String
        let ends: Date
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let email = try arguments.required("email")
        let environment = try arguments.value("environment", "sandbox or production") {
            StoreEnvironment(word: $0)
        }
        let issued = try await StoreOpening.with(arguments) { store in
            try await store.services.people.passwordResets.issue(
                email: email, in: environment, by: .machine)
        }
        let base = try StoreAddress.named(arguments) ?? ""
        let link = base + issued.path
        if arguments.has("json") {
            return try output.json(Result(email: issued.email, link: link, ends: issued.end))
        }
        output.line(link)
        output.line(
            "For \(issued.email)\(base.isEmpty ? ", below the store's address" : ""). It works "
                + "once, until \(issued.end.formatted(.iso8601)).")
    }
}
