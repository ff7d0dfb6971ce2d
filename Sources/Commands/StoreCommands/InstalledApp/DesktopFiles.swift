import Foundation
import StoreKernel
import StoreKit
import StoreModel
import StorePackage

/// What an installed app has outside of its folder: an entry in the menu, icons, and a command.
///
/// All of it leads through the link `current`, so that it stays as it is when a version takes the
/// place of another. Files that somebody else has made stay.
struct DesktopFiles: Sendable {
    /// The files that are the app's, by path, written before the first of them is made.
    private struct Owned: Codable {
        var files: [String] = []
    }

    private struct File {
        let url: URL
        let data: Data
        var mode: mode_t = 0o644
    }

    let folders: AppFolders
    let app: AppFolder

    /// Makes the files of the version that counts, and removes those of earlier ones.
    ///
    /// - Returns: what somebody else's file has prevented, and what there is to do.
    func make(for installed: InstalledApp) throws -> [String] {
        let owned = Set(read().files)
        var notes: [String] = []
        var files: [File] = []
        for file in wanted(for: installed) {
            var status = stat()
            if lstat(file.url.path, &status) == 0, !owned.contains(file.url.path) {
                notes.append("\(file.url.path) is somebody else's, and stays as it is")
            } else {
                files.append(file)
            }
        }
        let paths = files.map(\.url.path)
        try write(Owned(files: owned.union(paths).sorted()))
        for file in files where (try? Data(contentsOf: file.url)) != file.data {
            // As others make them: DurableFile would keep a new folder from everybody else.
            try FileManager.default.createDirectory(
                at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try DurableFile.write(file.data, to: file.url, mode: file.mode)
        }
        for path in owned.subtracting(paths) { unlink(path) }
        try write(Owned(files: paths.sorted()))
        return notes
    }

    /// Removes all files of the app.
    func remove() {
        for path in read().files { unlink(path) }
    }

    /// The command that starts the app; nil where its name was taken.
    func command(of installed: InstalledApp) -> URL? {
        let file = launcher(of: installed)
        return read().files.contains(file.path) ? file : nil
    }

    private func read() -> Owned {
        (try? Data(contentsOf: app.desktopRecord)).flatMap {
            try? JSONDecoder().decode(Owned.self, from: $0)
        } ?? Owned()
    }

    private func write(_ owned: Owned) throws {
        try DurableFile.write(try JSONEncoder().encode(owned), to: app.desktopRecord, mode: 0o600)
    }

    // MARK: Files

    private func wanted(for installed: InstalledApp) -> [File] {
        let record = installed.record
        var files = [launcherFile(of: installed)]
        // Flatpak makes entries and icons itself.
        guard record.format != .flatpak else { return files }
        let icons = icons(of: installed)
        files += icons
        guard record.desktopEntry != nil || record.format == .appImage else { return files }
        let text = entry(of: installed, hasIcon: !icons.isEmpty)
        files.append(
            File(
                url: folders.applications.appendingPathComponent("\(app.id).desktop"),
                data: Data(text.utf8)))
        return files
    }

    /// The program as it is reached whichever version counts.
    private func program(of record: InstalledApp.Record) -> String? {
        record.program.map { app.link.appendingPathComponent($0).path }
    }

    private func launcher(of installed: InstalledApp) -> URL {
        let record = installed.record
        let last = app.id.text.split(scalar: ".").last.map(String.init) ?? app.id.text
        var name = last.lowercased()
        if record.format != .appImage, let program = record.program.flatMap({ ContentPath($0) }),
            let file = program.components.last
        {
            name = String(file)
        }
        return folders.programs.appendingPathComponent(name)
    }

    private func launcherFile(of installed: InstalledApp) -> File {
        let command =
            program(of: installed.record).map { shellWord($0) }
            ?? "flatpak run \(app.id)"
        let text = """
            #!/bin/sh
            # Made by openstore install for \(app.id).
            exec \(command) "$@"

            """
        return File(url: launcher(of: installed), data: Data(text.utf8), mode: 0o755)
    }

    private func entry(of installed: InstalledApp, hasIcon: Bool) -> String {
        let record = installed.record
        let own = record.desktopEntry
            .flatMap { try? Data(contentsOf: installed.folder.appendingPathComponent($0)) }
            .flatMap { DesktopEntry($0) }
        var lines = ["[Desktop Entry]", "Type=Application"]
        let descriptive = own?.descriptiveLines ?? []
        if !descriptive.contains(where: { $0.hasPrefix(scalars: "Name=") }) {
            lines.append("Name=\(record.name.terminalText())")
        }
        lines += descriptive
        if let program = program(of: record) {
            let arguments = own.map { $0.arguments.isEmpty ? "" : " \($0.arguments)" } ?? ""
            lines.append("TryExec=\(program)")
            lines.append("Exec=\(Self.quoted(program))\(arguments)")
        }
        if hasIcon { lines.append("Icon=\(app.id)") }
        lines.append("X-OpenStore-App=\(record.number)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// A path as an argument of `Exec`.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard !isPlain else { return path }
        var text = ""
        for scalar in path.unicodeScalars {
            switch scalar {
            // Once for the argument, and each of both once more for the value of the key.
            case "\"", "`", "$", "\\": text += "\\\\" + (scalar == "\\" ? "\\\\" : "\(scalar)")
            case "%": text += "%%"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    private func icons(of installed: InstalledApp) -> [File] {
        installed.record.icons.compactMap { path in
            guard let data = try? Data(contentsOf: installed.folder.appendingPathComponent(path)),
                data.count <= 4 << 20
            else { return nil }
            let isVector = path.hasSuffix(scalars: ".svg")
            let folder: String
            if let size = Self.sizeFolder(path) {
                folder = size
            } else {
                guard let size = isVector ? "scalable" : Self.pictureSize(data) else { return nil }
                folder = size
            }
            return File(
                url: folders.icons.appendingPathComponent(folder).appendingPathComponent("apps")
                    .appendingPathComponent("\(app.id).\(isVector ? "svg" : "png")"),
                data: data)
        }
    }

    /// The folder of hicolor's for a size, in a path such as `…/hicolor/48x48/apps/lamp.png`.
    private static func sizeFolder(_ path: String) -> String? {
        let parts = path.split(scalar: "/")
        guard parts.count > 3, parts[parts.count - 4] == "hicolor" else { return nil }
        let folder = String(parts[parts.count - 3])
        let isSize =
            folder.utf8.count <= 12
            && folder.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "x") || byte == UInt8(ascii: "@")
            }
        return isSize || folder == "scalable" || folder == "symbolic" ? folder : nil
    }

    /// The folder for a picture by its own size; nil where it is no square PNG.
    static func pictureSize(_ data: Data) -> String? {
        let head = [UInt8](data.prefix(24))
        guard head.count == 24,
            head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        else { return nil }
        let width = head[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let height = head[20..<24].reduce(0) { $0 << 8 | Int($1) }
        guard width == height, (16...1024).contains(width) else { return nil }
        return "\(width)x\(width)"
    }
}
