import Foundation
import StoreCore
import StoreServer

/// `openstore operator create`
enum OperatorCreate: Command {
    static let spec = CommandSpec(
        words: ["operator", "create"],
        summary: "Make somebody who operates the store, on the store's own machine.",
        discussion: """
            The first one can also be made with the link that openstore serve prints. Operators
            make teams, and other operators and reviewers, in the portal.
            """,
        options: [
            .value("email", "ADDRESS", "The address to sign in with.").asRequired,
            .value("name", "NAME", "The name; the address unless given."),
            .value(
                "password", "PASSWORD", "The password; read from standard input unless given."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Result: Encodable {
        let email: String
        let name: String
        let role: String
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let email = try arguments.required("email")
        let password = try PasswordPrompt.read(arguments, "Password of \(email)")
        let person = try await StoreOpening.with(arguments) { store in
            try await store.services.people.firstOperator.create(
                email: email, name: arguments["name"] ?? email, password: password, by: .machine)
        }
        if arguments.has("json") {
            return try output.json(
                Result(email: person.email, name: person.name, role: "OPERATOR"))
        }
        output.line("\(person.email) operates the store.")
    }
}
