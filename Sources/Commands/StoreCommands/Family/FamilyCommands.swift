import Foundation
import StoreCore
import StoreModel

/// `openstore family add`
enum FamilyAdd: Command {
    static let spec = CommandSpec(
        words: ["family", "add"], summary: "Take an account into another one's family.",
        discussion: """
            Each has what the others buy, as far as its publisher lets families share it. A family
            has \(Family.sizeLimit) people at most, with whoever organizes it.
            """,
        options: [
            AccountSubject.email,
            .value("organizer", "ADDRESS", "Whose family it is; begins one where there is none.")
                .asRequired,
            AccountSubject.environment, StoreOpening.option, StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let email = try arguments.required("email")
        let organizer = try arguments.required("organizer")
        let environment = try FamilySubject.environment(arguments)
        let family = try await StoreOpening.with(arguments) { store in
            try await store.services.families.add(
                email, toFamilyOf: organizer, in: environment)
        }
        output.line("\(email) is in the family of \(organizer), \(family.everybody.count) people")
    }
}

/// `openstore family remove`
enum FamilyRemove: Command {
    static let spec = CommandSpec(
        words: ["family", "remove"], summary: "Take an account out of its family.",
        discussion: """
            It loses what it got there, and the others what they got from it: apps and publishers'
            servers hear of it. With the organizer the family ends.
            """,
        options: [
            AccountSubject.email, AccountSubject.environment, StoreOpening.option,
            StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let email = try arguments.required("email")
        let environment = try FamilySubject.environment(arguments)
        try await StoreOpening.with(arguments) { store in
            try await store.services.families.remove(email, in: environment)
        }
        output.line("\(email) is in no family")
    }
}

/// `openstore family list`
enum FamilyList: Command {
    static let spec = CommandSpec(
        words: ["family", "list"], summary: "List families, the organizer first.",
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Row: Encodable {
        let environment: String
        let people: [String]
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            try await store.services.families.families()
        }.map { Row(environment: $0.family.environment.word, people: $0.people) }
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("There is no family.") }
        var table = Table(["ENVIRONMENT", "PEOPLE"])
        table.rows = rows.map { [$0.environment, $0.people.joined(separator: ", ")] }
        output.write(table.text(on: output))
    }
}

private enum FamilySubject {
    static func environment(_ arguments: ParsedArguments) throws -> StoreEnvironment {
        try arguments.value("environment", "sandbox or production") { StoreEnvironment(word: $0) }
            ?? .sandbox
    }
}
