import Foundation
import StoreKit
import StoreModel
import StoreWire

/// `openstore install`
enum InstallCommand: Command {
    static let spec = CommandSpec(
        words: ["install"], summary: "Install an app from a store, for you alone.",
        discussion: """
            The app lies below $XDG_DATA_HOME/openstore/apps, is in the menu, and has a command in
            ~/.local/bin where that name is free. It sells from the store that it came from, without
            a setting. An app that costs something is bought first, if you agree. What was cut off
            goes on where it was; an app that is installed already is brought up to date.
            Nothing of the package is run, and nothing needs root.
            """,
        arguments: [
            .init(
                name: "APP",
                help: "Its name, bundle identifier or number, or the address of its page.")
        ],
        options: [
            CustomerOptions.store, CustomerOptions.environment, CustomerOptions.email,
            .flag("buy", "Buy it without asking, where it costs something."), .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let folders = AppFolders()
        let wanted = WantedApp(arguments.argument(0))
        let base = try CustomerOptions.baseURL(
            arguments, page: wanted.store, installed: folders.installed)
        let customer = try CustomerOptions.customer(arguments, at: base, folders)
        do {
            let found = try await find(wanted, customer)
            let app = try await owned(found, customer, arguments)
            guard let id = BundleID(app.bundleId) else {
                throw CommandFailure(
                    description: "\(app.bundleId) is no bundle identifier", exitCode: .refused)
            }
            guard app.build != nil else {
                throw CommandFailure(
                    description: "\(app.name) has no version that can be delivered",
                    exitCode: .notFound)
            }
            let bar = ProgressBar(app.name, output: output)
            let shows = !arguments.has("json")
            let installer = AppInstaller(folders: folders, customer: customer) { done, total in
                if shows { bar.show(done, of: total, remaining: -1) }
            }
            let outcome = try await installer.install(
                app.number, id, name: app.name, artwork: app.artwork)
            try InstallReport(outcome, folders).write(arguments, output)
        } catch {
            output.replaceLine()
            throw customerFailure(error, base)
        }
    }

    private static func find(_ wanted: WantedApp, _ customer: Customer) async throws -> AppAnswer {
        if let number = wanted.number {
            return try await customer.withAnySession { session in
                try await customer.api.app(number, session: session)
            }
        }
        let apps = try await customer.withAnySession { session in
            try await customer.api.apps(named: wanted.name, session: session)
        }
        guard !apps.isEmpty else {
            throw CommandFailure(
                description: "the store at \(customer.api.baseURL) has no app \"\(wanted.name)\"",
                exitCode: .notFound)
        }
        let name = wanted.name.lowercased()
        let same = apps.filter { app in
            app.name.lowercased() == name || app.bundleId.lowercased() == name
        }
        guard same.count != 1 else { return same[0] }
        let lines = (same.isEmpty ? apps : same).map { app in
            "  \(app.number)  \(app.name), by \(app.publisher)"
        }
        let word = same.isEmpty ? "no app is" : "several apps are"
        throw CommandFailure(
            description: "\(word) called \"\(wanted.name)\"; install one of these by its number:\n"
                + lines.joined(separator: "\n"), exitCode: .notFound)
    }

    /// The app, once the account has it: free ones are got, others bought with consent.
    private static func owned(
        _ app: AppAnswer, _ customer: Customer, _ arguments: ParsedArguments
    ) async throws -> AppAnswer {
        // Without a session the store can't know.
        let session = try await customer.signedIn()
        let app = try await customer.withSession { session in
            try await customer.api.app(app.number, session: session)
        }
        guard !app.isOwned else { return app }
        if let obstacle = app.obstacle {
            throw CommandFailure(description: obstacle, exitCode: .refused)
        }
        if app.price > 0, !arguments.has("buy") {
            guard isatty(STDIN_FILENO) == 1 else {
                throw CommandFailure(
                    description: "\(app.name) costs \(app.displayPrice). Buy it at \(app.page), or "
                        + "with --buy.", exitCode: .notAllowed)
            }
            Output.prompt(
                "Buy \(app.name.terminalText()) for \(app.displayPrice.terminalText()) as "
                    + "\(session.email.terminalText())? [y/N] ")
            guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
                throw CommandFailure(description: "nothing was bought", exitCode: .notAllowed)
            }
        }
        return try await customer.withSession { try await customer.api.buy(app, session: $0) }
    }
}

/// `openstore update`
enum UpdateCommand: Command {
    static let spec = CommandSpec(
        words: ["update"], summary: "Bring installed apps up to date.",
        discussion: """
            Fetches what has changed, from the store that each app came from, and only that. The
            version that was installed runs until the new one is whole, and stays until the next
            update. Profiles that are about to end are replaced too.
            """,
        arguments: [
            .init(
                name: "APP", help: "Its name, bundle identifier or number; all unless given.",
                isOptional: true)
        ],
        options: [CustomerOptions.email, .json])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let folders = AppFolders()
        var apps = folders.installed
        if let name = arguments.optionalArgument(0) {
            apps = [try folders.installed(named: name)]
        }
        guard !apps.isEmpty else { return output.line("No app is installed.") }
        var reports: [InstallReport] = []
        var code: ExitCode?
        for app in apps {
            do {
                let report = try await update(app, folders, arguments, output)
                if arguments.has("json") {
                    reports.append(report)
                } else {
                    try report.write(arguments, output)
                }
            } catch {
                // The others can be updated all the same.
                output.replaceLine()
                let failure = customerFailure(error, app.record.store)
                output.error("\(app.record.name): \(failure)")
                code = code ?? (failure as? any ExitCoded)?.exitCode ?? .failure
            }
        }
        if arguments.has("json") { try output.json(reports) }
        if let code { throw ReportedFailure(exitCode: code) }
    }

    private static func update(
        _ app: InstalledApp, _ folders: AppFolders, _ arguments: ParsedArguments, _ output: Output
    ) async throws -> InstallReport {
        let record = app.record
        let customer = try CustomerOptions.customer(arguments, at: record.store, folders)
        let bar = ProgressBar(record.name, output: output)
        let shows = !arguments.has("json")
        let installer = AppInstaller(folders: folders, customer: customer) { done, total in
            if shows { bar.show(done, of: total, remaining: -1) }
        }
        // An app that is not sold any more is still its owners', under the name that it had.
        let answer = try? await customer.withAnySession { session in
            try await customer.api.app(record.number, session: session)
        }
        let outcome = try await installer.install(
            record.number, record.bundleID, name: answer?.name ?? record.name,
            artwork: answer?.artwork)
        return InstallReport(outcome, folders)
    }
}

/// `openstore uninstall`
enum UninstallCommand: Command {
    static let spec = CommandSpec(
        words: ["uninstall"], summary: "Remove an app that openstore install has installed.",
        discussion: """
            Removes all its versions, its entry in the menu, its icons and its command. What the app
            has saved stays, and so does the purchase: it can be installed again.
            """,
        arguments: [.init(name: "APP", help: "Its name, bundle identifier or number.")])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let folders = AppFolders()
        let app = try folders.installed(named: arguments.argument(0))
        let id = app.record.bundleID
        try await folders.whileLocked(id) {
            if app.record.format == .flatpak { try await FlatpakProgram.uninstall(app) }
            let folder = folders.app(id)
            DesktopFiles(folders: folders, app: folder).remove()
            try folder.remove()
        }
        output.line("\(app.record.name) \(app.record.version) is removed.")
    }
}

/// `openstore list`
enum ListCommand: Command {
    static let spec = CommandSpec(
        words: ["list"], summary: "List the apps that openstore install has installed.",
        options: [.json, .quiet])

    private struct Line: Encodable {
        let name: String
        let version: String
        let bundleId: String
        let number: Int64
        let format: String
        let store: String
        let folder: String

        init(_ app: InstalledApp) {
            name = app.record.name
            version = app.record.version.text
            bundleId = app.record.bundleID.text
            number = app.record.number
            format = app.record.format.rawValue
            store = app.record.store
            folder = app.folder.path
        }
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let lines = AppFolders().installed.map { Line($0) }
        if arguments.has("json") { return try output.json(lines) }
        if arguments.has("quiet") { return lines.forEach { output.line($0.bundleId) } }
        guard !lines.isEmpty else { return output.line("No app is installed.") }
        var table = Table(["Name", "Version", "Identifier", "Number", "Store"])
        table.rows = lines.map {
            [$0.name, $0.version, $0.bundleId, String($0.number), $0.store]
        }
        output.write(table.text(on: output))
    }
}

/// What has become of an app, in sentences or as JSON.
private struct InstallReport: Encodable {
    let name: String
    let bundleId: String
    let version: String
    let versionBefore: String?
    let isNew: Bool
    let fetchedBytes: Int64
    let folder: String
    let command: String?
    let notes: [String]

    init(_ outcome: AppInstaller.Outcome, _ folders: AppFolders) {
        let record = outcome.app.record
        name = record.name
        bundleId = record.bundleID.text
        version = record.version.text
        versionBefore = outcome.before?.record.version.text
        isNew = outcome.isNew
        fetchedBytes = outcome.fetched
        folder = outcome.app.folder.path
        let app = folders.app(record.bundleID)
        command = DesktopFiles(folders: folders, app: app).command(of: outcome.app)?.path
        notes = outcome.notes
    }

    func write(_ arguments: ParsedArguments, _ output: Output) throws {
        if arguments.has("json") { return try output.json(self) }
        output.replaceLine()
        let size = formattedBytes(fetchedBytes)
        switch (isNew, versionBefore) {
        case (false, _): output.line("\(name) \(version) is up to date.")
        case (true, let before?):
            output.line(
                "\(name) \(version) is installed in the place of \(before): \(size) fetched.")
        case (true, nil):
            output.line("\(name) \(version) is installed: \(size) fetched.")
        }
        for note in notes { output.line(note) }
        guard versionBefore == nil else { return }
        output.line("Start it from the menu" + (command.map { ", or with \($0)." } ?? "."))
    }
}

extension AppFolders {
    /// An app that is installed.
    ///
    /// - Parameter name: a name, a bundle identifier or a number.
    /// - Throws: `CommandFailure` where none is called so, or several are.
    func installed(named name: String) throws -> InstalledApp {
        let wanted = name.lowercased()
        let found = installed.filter { app in
            app.record.bundleID.text.lowercased() == wanted || String(app.record.number) == wanted
                || app.record.name.lowercased() == wanted
        }
        guard let first = found.first else {
            throw CommandFailure(
                description: "no app \"\(name)\" is installed; openstore list has those that are",
                exitCode: .notFound)
        }
        guard found.count == 1 else {
            let identifiers = found.map(\.record.bundleID.text)
            throw CommandFailure(
                description: "several apps are called \"\(name)\": name one of "
                    + identifiers.formatted(as: "and"), exitCode: .refused)
        }
        return first
    }
}
