import Foundation
import StoreModel
import StoreServer

/// `openstore profile create`
enum ProfileCreate: Command {
    static let spec = CommandSpec(
        words: ["profile", "create"], summary: "Make a provisioning profile for an app.",
        discussion: """
            The profile tells an app its store. Put it next to the executable as
            embedded.storeprofile, or name it in OPENSTORE_PROFILE. With --type, Connect makes it
            and remembers it; without, it is made here, of the store in --data, and sends devices
            to --store.
            """,
        options: [
            .value("bundle-id", "ID", "The app."),
            .value(
                "environment", "sandbox|production", "What the app talks to; sandbox unless given."),
            .value(
                "application-identifier", "ID",
                "What the profile is made for; the bundle identifier unless given."),
            .value("days", "N", "How long it is valid; 365 unless given."),
            .value("output", "FILE", "The file to write (-o); embedded.storeprofile unless given."),
        ] + ProfileRegistration.options + ConnectOptions.all)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        if arguments["type"] != nil {
            return try await ProfileRegistration.run(arguments, output: output)
        }
        _ = try arguments.required("bundle-id")
        let bundleID = try arguments.value("bundle-id", "a bundle identifier") { BundleID($0) }!
        let environment =
            try arguments.value("environment", "sandbox or production") {
                StoreEnvironment(word: $0)
            } ?? .sandbox
        let identifier = try arguments.value(
            "application-identifier", "an application identifier"
        ) { ApplicationIdentifier($0) }
        let days =
            try arguments.value("days", "a number of days from 1 to 3650") { text in
                Int(text).flatMap { (1...3650).contains($0) ? $0 : nil }
            } ?? 365
        let url = try StoreAddress.named(arguments) ?? StoreAddress.standard
        let text = try await StoreOpening.with(arguments, begins: true) { store in
            try await store.makeProfile(
                bundleID: bundleID, applicationIdentifier: identifier, environment: environment,
                address: url, days: days)
        }
        let file = ParsedArguments.url(arguments["output"] ?? "embedded.storeprofile")
        try Data((text + "\n").utf8).write(to: file, options: .atomic)
        output.line("\(file.path): \(bundleID), \(environment.word) at \(url)")
    }
}
