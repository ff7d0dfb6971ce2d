import Foundation
import StoreKernel
import StoreKit
import StoreModel
import StorePackage

/// The program `flatpak`, which installs what only it can: for the user, never for the system.
enum FlatpakProgram {
    /// - Throws: `CommandFailure` where there is none.
    static func require() throws {
        guard found() else {
            throw CommandFailure(
                description: "this app is a Flatpak bundle, which the program flatpak installs; "
                    + "install flatpak, and start again", exitCode: .noProgram)
        }
    }

    private static func found() -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(scalar: ":").contains { access("\($0)/flatpak", X_OK) == 0 }
    }

    /// Installs a version's bundle, and has its program see the profile.
    ///
    /// - Throws: `CommandFailure` where flatpak refuses it.
    static func install(_ installed: InstalledApp, profile: URL) async throws {
        let bundle = Self.bundle(of: installed)
        let name = try name(of: installed)
        let isThere = try await run(["info", "--user", name], quietly: true) == 0
        // Written when flatpak has this very version, whatever ended the program before.
        let mark = installed.folder.appendingPathComponent("flatpak-has-it")
        if !isThere || access(mark.path, F_OK) != 0 {
            try await check(["install", "--user", "--noninteractive", "--reinstall", bundle.path])
            try DurableFile.write(Data(), to: mark, mode: 0o644)
        }
        try await check([
            "override", "--user", "--env=OPENSTORE_PROFILE=\(profile.path)",
            "--filesystem=\(profile.path):ro", name,
        ])
    }

    /// Removes an app of the user; one that is not there is removed already.
    static func uninstall(_ installed: InstalledApp) async throws {
        let name = try name(of: installed)
        guard found(), try await run(["info", "--user", name], quietly: true) == 0 else { return }
        try await check(["uninstall", "--user", "--noninteractive", name])
        try await check(["override", "--user", "--reset", name])
    }

    private static func bundle(of installed: InstalledApp) -> URL {
        installed.folder.appendingPathComponent("\(AppPackageReader.root)/App.flatpak")
    }

    /// What flatpak knows the app by: what its bundle says of itself.
    private static func name(of installed: InstalledApp) throws -> String {
        let id = installed.record.bundleID
        let summary = try AppPackageReader(
            file: bundle(of: installed), expectation: AppPackageExpectation(bundleID: id)
        ).summary()
        return summary.bundleID?.text ?? id.text
    }

    private static func check(_ arguments: [String]) async throws {
        let code = try await run(arguments)
        guard code == 0 else {
            throw CommandFailure(
                description:
                    "flatpak \(arguments[0]) has ended with \(code); start again when what "
                    + "it said is mended")
        }
    }

    private static func run(_ arguments: [String], quietly: Bool = false) async throws -> Int32 {
        // What only asks says nothing; standard output is this program's.
        let script = quietly ? "exec \"$@\" >/dev/null 2>&1" : "exec \"$@\" >&2"
        let words = ["sh", "-c", script, "flatpak", "flatpak"] + arguments
        return try await CommandProcess(
            words, environment: ProcessInfo.processInfo.environment
        ).end()
    }
}
