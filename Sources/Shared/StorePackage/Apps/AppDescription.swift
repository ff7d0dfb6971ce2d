import Foundation
import StoreModel

/// What an app says about itself, by the files that Linux's desktops read: AppStream's metainfo,
/// the desktop entry, icons.
package struct AppDescription: Sendable {
    /// Nil where the format does not say it.
    package var bundleID: BundleID?
    /// Nil where the format does not say it.
    package var version: ContentVersion?
    package var name: String?
    /// What is started; nil for a Flatpak bundle.
    package var program: ContentPath?
    /// The file of the desktop entry; nil for a program of the terminal.
    package var desktopEntry: ContentPath?
    /// Pictures by the name that the desktop entry gives, in hicolor's folders or in pixmaps.
    package var icons: [ContentPath] = []

    /// Whether a file is one of those that are read, and not too large.
    package static func reads(_ path: ContentPath, bytes: Int64) -> Bool {
        sizeLimit(of: path).map { bytes <= $0 } ?? false
    }

    /// The most bytes of a file that is read; nil for others.
    static func sizeLimit(of path: ContentPath) -> Int64? {
        guard let parent = path.parent?.text else { return nil }
        if parent.hasSuffix(scalars: "share/metainfo") || parent.hasSuffix(scalars: "share/appdata")
        {
            let isMetainfo =
                path.text.hasSuffix(scalars: ".metainfo.xml")
                || path.text.hasSuffix(scalars: ".appdata.xml")
            return isMetainfo ? AppMetainfo.sizeLimit : nil
        }
        guard parent.hasSuffix(scalars: "share/applications") else { return nil }
        return path.text.hasSuffix(scalars: ".desktop") ? DesktopEntry.sizeLimit : nil
    }
}

/// Works out what an app says, from the list of its entries and the few files that are read.
package struct AppDescriptionReader {
    let format: AppPackageFormat
    let entries: [ContentPath: AppPackageEntry]
    let texts: [ContentPath: Data]
    var control: DebianControl?
    private(set) var problems: [PackageProblem] = []

    /// - Parameter texts: the files that ``AppDescription/reads(_:bytes:)`` names.
    package init(
        _ format: AppPackageFormat, entries: [AppPackageEntry], texts: [ContentPath: Data]
    ) {
        self.format = format
        self.entries = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
        self.texts = texts
    }

    /// What the app says; what is missing or contradicts another thing is in `problems`.
    ///
    /// - Parameter bundleID: of the app that it should be, which decides where a package has the
    ///   metainfo of several; nil where nobody knows.
    package mutating func describe(expecting bundleID: BundleID?) -> AppDescription {
        var description = AppDescription()
        let metainfo = chosenMetainfo(bundleID)
        description.name = metainfo?.name
        if let metainfo { describe(metainfo, &description) } else { describeWithout(&description) }
        let entry = desktopEntry(metainfo, description.bundleID)
        if let (path, entry) = entry {
            description.desktopEntry = path
            description.name = description.name ?? entry["Name"]
            description.icons = icons(named: entry["Icon"], below: path)
        }
        description.program = program(entry)
        return description
    }

    // MARK: Identifier and version

    private mutating func describe(_ metainfo: AppMetainfo, _ description: inout AppDescription) {
        description.bundleID = metainfo.identifier.flatMap { BundleID($0) }
        if description.bundleID == nil {
            report(
                .information,
                "its metainfo names no identifier in <id>; name the app's bundle identifier")
        }
        description.version = metainfo.version
        if description.version == nil {
            report(
                .information,
                metainfo.releases.isEmpty
                    ? "its metainfo has no <release>; name the version that this is"
                    : "none of its metainfo's releases is a version of numbers, such as 1.2.0")
        }
    }

    private mutating func describeWithout(_ description: inout AppDescription) {
        guard let control else {
            return report(
                .information,
                "there is no metainfo; put usr/share/metainfo/IDENTIFIER.metainfo.xml, with <id> "
                    + "and <release version=\"…\">, into the package")
        }
        // A name such as "lamp" is no bundle identifier and says nothing about one.
        let name = control.name.flatMap { $0.contains(scalar: ".") ? BundleID($0) : nil }
        description.bundleID = name
        description.version = control.upstreamVersion.flatMap { ContentVersion($0) }
        description.name = control.name
        if description.version == nil {
            report(
                .information,
                "the version in its control file is none of numbers, such as 1.2.0-1")
        }
    }

    /// The metainfo of the app, where there is some.
    private mutating func chosenMetainfo(_ bundleID: BundleID?) -> AppMetainfo? {
        var all: [AppMetainfo] = []
        for (path, data) in texts.sorted(by: { $0.key < $1.key })
        where path.text.hasSuffix(scalars: ".xml") {
            do { all.append(try AppMetainfo(data)) } catch {
                report(.information, "it can't be read: \(error)", path)
            }
        }
        guard all.count > 1 else { return all.first }
        let wanted = bundleID?.text.lowercased()
        if let found = all.first(where: { $0.identifier?.lowercased() == wanted }) { return found }
        report(
            .information,
            "it has the metainfo of several apps, and none is that of the app; leave out the others"
        )
        return nil
    }

    // MARK: Program

    private func desktopEntry(
        _ metainfo: AppMetainfo?, _ bundleID: BundleID?
    ) -> (path: ContentPath, entry: DesktopEntry)? {
        let all = texts.sorted { $0.key < $1.key }.compactMap { path, data in
            path.text.hasSuffix(scalars: ".desktop")
                ? DesktopEntry(data).map { (path: path, entry: $0) } : nil
        }
        let names =
            (metainfo?.launchables ?? [])
            + [bundleID, control?.name.flatMap { BundleID($0) }]
            .compactMap { $0.map { "\($0.text).desktop" } }
        for name in names {
            let found = all.first {
                ($0.path.components.last ?? "").lowercased() == name.lowercased()
            }
            if let found { return found }
        }
        return all.first { $0.entry["NoDisplay"] != "true" }
    }

    private mutating func program(
        _ desktop: (path: ContentPath, entry: DesktopEntry)?
    ) -> ContentPath? {
        if let (path, entry) = desktop {
            guard let name = entry.program else {
                report(.information, "it names no program in Exec", path)
                return nil
            }
            let folder = prefix(of: path)
            let root = AppPackageReader.root
            let places =
                if let absolute = name.dropping(prefix: "/") {
                    // Below the package, or below the folder that the package holds.
                    ["\(root)/\(absolute)"]
                        + (ContentPath(folder)?.parent.map { ["\($0)/\(absolute)"] } ?? [])
                } else {
                    ["\(folder)/bin/\(name)", "\(folder)/games/\(name)", "\(folder)/\(name)"]
                }
            if let found = places.lazy.compactMap({ ContentPath($0) }).first(where: isProgram) {
                return found
            }
            report(
                .information,
                "it starts \(name.printable), which is no executable file of the package", path)
            return nil
        }
        let programs = entries.keys.filter { path in
            path.parent?.components.last == "bin" && isProgram(path)
        }
        guard programs.count == 1, let program = programs.first else {
            report(
                .information,
                "nothing says which program is started; put usr/share/applications/IDENTIFIER"
                    + ".desktop with Exec into the package, or exactly one program into usr/bin")
            return nil
        }
        return program
    }

    /// Whether a path is an executable file, or a link to one.
    private func isProgram(_ path: ContentPath) -> Bool {
        var path = path
        for _ in 0..<8 {
            guard let entry = entries[path] else { return false }
            switch entry.kind {
            case .file: return entry.isExecutable
            case .directory: return false
            case .link(let target):
                guard let next = path.resolving(link: target) else { return false }
                path = next
            }
        }
        return false
    }

    /// The folder in which `share/applications` lies.
    private func prefix(of desktopEntry: ContentPath) -> String {
        desktopEntry.components.dropLast(3).joined(separator: "/")
    }

    private func icons(named name: String?, below desktopEntry: ContentPath) -> [ContentPath] {
        guard var name else { return [] }
        if name.hasPrefix(scalars: "/") {
            let path = ContentPath(AppPackageReader.root + name)
            return path.map { entries[$0] != nil ? [$0] : [] } ?? []
        }
        name = String(
            name.dropping(suffix: ".png") ?? name.dropping(suffix: ".svg") ?? name[...])
        let share = "\(prefix(of: desktopEntry))/share"
        let files: Set<String> = ["\(name).png", "\(name).svg"]
        return entries.values.filter { entry in
            guard entry.kind == .file, let file = entry.path.components.last,
                files.contains(String(file)), let folder = entry.path.parent?.text
            else { return false }
            let isThemed =
                folder.hasPrefix(scalars: "\(share)/icons/hicolor/")
                && folder.hasSuffix(scalars: "/apps")
            return isThemed || folder == "\(share)/pixmaps"
        }.map(\.path).sorted()
    }

    private mutating func report(
        _ rule: PackageProblem.Rule, _ advice: String, _ path: ContentPath? = nil
    ) {
        problems.append(PackageProblem(path: path?.text ?? "", rule: rule, advice: advice))
    }
}
