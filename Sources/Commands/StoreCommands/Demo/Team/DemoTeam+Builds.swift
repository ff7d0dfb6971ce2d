import Foundation
import StoreCore
import StoreModel
import StorePackage
import StoreServer

/// Files of builds.
extension DemoTeam {
    /// The file of a build: a folder as `.tar.zst`, with a program that says what it is, and with
    /// data of which each build changes a little.
    ///
    /// - Returns: a file in a temporary folder, which is the caller's to remove.
    func makeFile(
        of app: App, version: String, build: Int
    ) throws -> (file: URL, folder: URL) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-demo-\(UUID().uuidString)")
        let source = folder.appendingPathComponent("app")
        let name = app.name.lowercased().replacing(scalar: " ", with: "-")
        let metainfo = """
            <?xml version="1.0" encoding="UTF-8"?>
            <component type="desktop-application">
              <id>\(app.bundleID)</id>
              <name>\(app.name)</name>
              <releases>
                <release version="\(version)" date="2026-01-01"/>
              </releases>
            </component>

            """
        let desktopEntry = """
            [Desktop Entry]
            Type=Application
            Name=\(app.name)
            Exec=\(name)
            Terminal=true

            """
        let program = "#!/bin/sh\necho '\(app.name) \(version), build \(build)'\n"
        var data = Data()
        // The same for all builds of an app: an update fetches what is new only.
        var pages = DemoRandom(seed: UInt64(app.id.number.magnitude))
        for _ in 0..<32_768 { withUnsafeBytes(of: pages.next()) { data.append(contentsOf: $0) } }
        data.append(contentsOf: "Build \(build) of \(version)\n".utf8)
        let files: [(path: String, bytes: Data)] = [
            ("bin/\(name)", Data(program.utf8)),
            ("share/metainfo/\(app.bundleID).metainfo.xml", Data(metainfo.utf8)),
            ("share/applications/\(app.bundleID).desktop", Data(desktopEntry.utf8)),
            ("share/\(name)/pages.data", data),
        ]
        for (path, bytes) in files {
            let file = source.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: source.appendingPathComponent("bin/\(name)").path)
        let package = folder.appendingPathComponent("\(name)-\(version).tar.zst")
        try AppFolderBuilder(folder: source).build(to: package)
        return (package, folder)
    }
}
