import Foundation
import StoreKit

/// How the commands of `account` find the store: as apps do, by a provisioning profile.
private enum DeviceOpening {
    static let options: [CommandSpec.Option] = [
        .value(
            "profile", "FILE",
            "A provisioning profile of any app of the store; $OPENSTORE_PROFILE unless given."),
        .json,
    ]

    static func device(_ arguments: ParsedArguments) throws -> StoreDevice {
        var environment = ProcessInfo.processInfo.environment
        if let path = arguments["profile"] { environment["OPENSTORE_PROFILE"] = path }
        do {
            return try StoreDevice(profile: try DeviceProfile.current(environment: environment))
        } catch let error as SKError {
            throw CommandFailure(description: error.localizedDescription)
        }
    }

    /// Turns what apps would see into a sentence.
    static func readably(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as UsageError {
            throw error
        } catch {
            throw CommandFailure(description: visibleError(error).localizedDescription)
        }
    }
}

/// An account on this device, as JSON.
private struct SignedInAccount: Encodable {
    let email: String?
    let storefront: String?
    let environment: String

    init(_ device: StoreDevice) {
        email = device.sessions.session?.email
        storefront = device.sessions.session?.storefront
        environment = device.profile.payload.environment.word
    }

    func write(_ arguments: ParsedArguments, _ output: Output) throws {
        if arguments.has("json") { return try output.json(self) }
        guard let email, let storefront else {
            return output.line("Nobody is signed in (\(environment)).")
        }
        output.line("\(email): \(environment), storefront \(storefront)")
    }
}

/// `openstore account sign-in`
enum AccountSignIn: Command {
    static let spec = CommandSpec(
        words: ["account", "sign-in"],
        summary: "Sign in, on this device, for all apps of the store.",
        discussion: """
            Asks on the terminal for what is not given. With --email, the password is read from
            standard input where that is no terminal. An account that is signed in already is
            signed out first; running apps notice.
            """,
        options: [.value("email", "ADDRESS", "The account.")] + DeviceOpening.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let device = try DeviceOpening.device(arguments)
        try await DeviceOpening.readably {
            if let email = arguments["email"], isatty(STDIN_FILENO) == 0 {
                guard let password = readLine() else {
                    throw UsageError(
                        description: "there is no password; give one line on standard input")
                }
                try await device.signIn(email: email, password: password)
            } else {
                try await device.switchAccount(to: arguments["email"])
            }
        }
        try SignedInAccount(device).write(arguments, output)
    }
}

/// `openstore account sign-out`
enum AccountSignOut: Command {
    static let spec = CommandSpec(
        words: ["account", "sign-out"], summary: "End the session on this device.",
        options: DeviceOpening.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let device = try DeviceOpening.device(arguments)
        try await DeviceOpening.readably { try await device.signOut() }
        try SignedInAccount(device).write(arguments, output)
    }
}

/// `openstore account show`
enum AccountShow: Command {
    static let spec = CommandSpec(
        words: ["account", "show"], summary: "Show who is signed in on this device.",
        options: DeviceOpening.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        try SignedInAccount(try DeviceOpening.device(arguments)).write(arguments, output)
    }
}
