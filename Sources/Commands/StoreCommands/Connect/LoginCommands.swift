import Foundation
import StoreServer
import StoreWire

/// `openstore login`
enum Login: Command {
    static let spec = CommandSpec(
        words: ["login"], summary: "Sign in to Connect, for the commands on this device.",
        discussion: """
            Asks on the terminal for what is not given; the password is read from standard input
            where that is no terminal. The session is kept where only you can read it, ends when
            it is not used for twelve hours, and after fourteen days at the latest.
            """,
        options: [
            StoreAddress.option(
                otherwise: "that of the store which runs over $OPENSTORE_DATA or ./openstore-data"),
            .value("email", "ADDRESS", "Who you are.").asRequired,
            .value("team", "NAME", "The team to act for; your first one unless given."),
            .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let running = ServingNote.read(in: StoreOpening.directory(arguments))?.addresses.first
        let address = try StoreAddress.named(arguments) ?? running ?? StoreAddress.standard
        let email = try arguments.required("email")
        let password = try PasswordPrompt.read(arguments, "Password")
        let host = ProcessInfo.processInfo.hostName
        let session = try await ConnectAPI(address: address, credential: .none).create(
            "sessions", at: "/openstore/v1/sessions",
            [
                "email": .string(email), "password": .string(password),
                "client": .string("openstore on \(host)"), "teamName": .text(arguments["team"]),
            ])
        let saved = SavedSession(
            store: address, token: session.attribute("token"), id: session.id,
            email: session.attribute("email"),
            team: session["attributes"]?["teamName"]?.text)
        try await keep(saved) { await Logout.end($0) }
        if arguments.has("json") { return try output.json(SignedInPerson(saved)) }
        output.line(SignedInPerson(saved).sentence)
    }

    /// Saves a session in place of an earlier one. Of the two, the one that is not kept ends.
    ///
    /// - Throws: `CommandFailure` or `CocoaError` where it can't be saved; the earlier one goes
    ///   on then.
    static func keep(
        _ session: SavedSession, in file: URL = SavedSession.file(),
        ending end: (SavedSession) async -> Void
    ) async throws {
        let earlier = SavedSession.load(file)
        do { try session.save(file) } catch {
            await end(session)
            throw error
        }
        if let earlier { await end(earlier) }
    }
}

/// `openstore logout`
enum Logout: Command {
    static let spec = CommandSpec(
        words: ["logout"], summary: "End the session of openstore login.")

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        guard let saved = SavedSession.load() else { return output.line("Nobody is signed in.") }
        await end(saved)
        try SavedSession.forget()
        output.line("\(saved.email) is signed out of \(saved.store).")
    }

    /// Ends a session at its store; one that can't be reached lets it end by itself.
    static func end(_ saved: SavedSession) async {
        let api = ConnectAPI(address: saved.store, credential: .session(saved.token))
        try? await api.delete("/openstore/v1/sessions/\(saved.id)")
    }
}

/// `openstore whoami`
enum WhoAmI: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["whoami"], summary: "Show who is signed in, for which team, and with which roles.")

    static func run(_ connect: ConnectContext) async throws {
        let me = try await connect.api.show("/openstore/v1/me")
        connect.show.one(
            me,
            [
                .attribute("Name", "name"), .attribute("Email", "email"),
                .attribute("Team", "teamName"), .attribute("Roles", "roles"),
                .init("Store") { _ in connect.api.address },
            ])
    }
}

/// Who is signed in, as JSON and as a sentence.
private struct SignedInPerson: Encodable {
    let store: String
    let email: String
    let team: String?

    init(_ saved: SavedSession) {
        store = saved.store
        email = saved.email
        team = saved.team
    }

    var sentence: String {
        "\(email) is signed in to \(store)" + (team.map { ", for the team \($0)." } ?? ".")
    }
}
