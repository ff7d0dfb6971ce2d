import Foundation
import StoreModel

/// One pass over an app's package, which `AppPackageReader` starts, with all that was found so far.
final class AppPackageParser {
    /// Nothing more is to be read.
    private struct Enough: Error {}
    /// What a visitor threw, which may be a package's error as well.
    private struct VisitorError: Error {
        let error: any Error
    }

    typealias Visit = (AppPackageEntry, PackageContents) throws -> Void

    /// The most control files of a Debian package; real ones have fewer than ten.
    private static let mostControlFiles = 1000

    private let file: PackageFile
    private let limits: PackageLimits
    private let expectation: AppPackageExpectation
    private let progress: (Int64, Int64) -> Void
    private let rules: PackageRules
    private let source: FileSource
    private var entries: [AppPackageEntry] = []
    private var texts: [ContentPath: Data] = [:]
    private var control: DebianControl?

    init(
        _ file: PackageFile, limits: PackageLimits, expectation: AppPackageExpectation,
        progress: @escaping (Int64, Int64) -> Void
    ) {
        self.file = file
        self.limits = limits
        self.expectation = expectation
        self.progress = progress
        rules = PackageRules(limits: limits, packedBytes: file.size, purpose: .app)
        source = FileSource(file, canSeek: true)
    }

    /// Visits what keeps the rules, until something breaks one; checks everything.
    ///
    /// - Throws: `PackageError` with all problems; whatever `visit` throws.
    func run(_ visit: Visit) throws -> AppPackageSummary {
        do {
            let format = try checkedFormat()
            let description = try description(format, visit)
            compare(description)
            guard rules.problems.isEmpty else { throw PackageError(rules.problems) }
            return AppPackageSummary(
                format: format, description: description, entries: entries,
                packedBytes: file.size)
        } catch let error as VisitorError {
            throw error.error
        } catch let error as PackageError {
            for problem in error.problems where !rules.problems.contains(problem) {
                rules.report([problem])
            }
        } catch is Enough {}
        throw PackageError(rules.problems.map(Self.withoutRoot))
    }

    private func checkedFormat() throws -> AppPackageFormat {
        guard file.size <= limits.packedBytes else {
            throw PackageError(
                .limits,
                "the package has \(file.size) bytes; at most \(limits.packedBytes) are taken, so "
                    + "leave out what the app does not need")
        }
        let format = try AppPackageFormat(of: file)
        if let name = expectation.fileName, AppPackageFormat(fileName: name) != format {
            rules.report(
                "", .fileName,
                "\(name.printable) is a \(format.title) and is not called so; its name has to end in "
                    + AppPackageFormat.endings)
        }
        return format
    }

    private func description(_ format: AppPackageFormat, _ visit: Visit) throws -> AppDescription {
        switch format {
        case .appImage, .flatpak: return try readSingleFile(format, visit)
        case .tarZstd: try readEntries(of: try ArchiveReader(.tar, source: source), visit)
        case .zip:
            try ZipTable.check(file, limits: limits)
            try readEntries(of: try ArchiveReader(.zip, source: source), visit)
        case .debian: try readDebian(visit)
        }
        guard rules.problems.isEmpty else { throw Enough() }
        var reader = AppDescriptionReader(format, entries: entries, texts: texts)
        reader.control = control
        let description = reader.describe(expecting: expectation.bundleID)
        rules.report(reader.problems)
        return description
    }

    // MARK: One file

    private func readSingleFile(
        _ format: AppPackageFormat, _ visit: Visit
    ) throws -> AppDescription {
        var description = AppDescription()
        let name: String
        if format == .appImage {
            if let problem = try ELFHeader.problem(of: file) {
                throw PackageError(.readable, problem)
            }
            name = "App.AppImage"
        } else {
            let bundle = try FlatpakBundle(file)
            guard let id = bundle.identifier.flatMap({ BundleID($0) }) else {
                throw PackageError(
                    .information,
                    "the bundle is of no app (\((bundle.ref ?? "no reference").printable)); bundle an "
                        + "app with flatpak build-bundle")
            }
            let metainfo = try? bundle.metainfo.map { try AppMetainfo($0) }
            description.bundleID = id
            description.version = metainfo?.version
            description.name = metainfo?.name
            name = "App.flatpak"
        }
        guard let path = ContentPath("\(AppPackageReader.root)/\(name)") else { throw Enough() }
        if format == .appImage { description.program = path }
        let entry = AppPackageEntry(
            path: path, kind: .file, size: file.size, isExecutable: format == .appImage)
        entries = [entry]
        try call(visit, entry, PackageContents(file))
        progress(file.size, file.size)
        return description
    }

    // MARK: Archives

    private func readEntries(
        of reader: ArchiveReader, _ visit: Visit, isDebian: Bool = false
    ) throws {
        while true {
            guard !rules.isOver else { throw Enough() }
            switch try reader.next() {
            case .end: return
            case .entry(let header): try take(header, from: reader, isDebian: isDebian, visit)
            case .damaged(let header, let reason):
                throw PackageError(
                    .readable, "it is damaged (\(reason.printable))", path: header.path)
            }
            tellProgress()
        }
    }

    /// Reads a Debian package: an archive of `ar` with the archives `control.tar` and `data.tar`.
    private func readDebian(_ visit: Visit) throws {
        let outer = try ArchiveReader(.ar, source: source)
        var (hasControl, hasData) = (false, false)
        while case .entry(let header) = try outer.next() {
            let name = header.path.dropping(suffix: "/").map { String($0) } ?? header.path
            guard name.hasPrefix(scalars: "control.tar") || name.hasPrefix(scalars: "data.tar")
            else { continue }
            let isData = name.hasPrefix(scalars: "data.tar")
            guard isData ? !hasData : !hasControl else {
                throw PackageError(
                    .layout,
                    "it has two archives of \(isData ? "data" : "control files"); build it again")
            }
            let inner = EntrySource(outer)
            let reader = try ArchiveReader(.tar, source: inner)
            if isData {
                hasData = true
                try readEntries(of: reader, visit, isDebian: true)
            } else {
                hasControl = true
                try readControl(reader)
            }
            try inner.finish()
        }
        guard hasData, control != nil else {
            throw PackageError(
                .layout, "it lacks its archive of control files or of data; build it again")
        }
    }

    /// Of control files one is read: what the others would run or ask is never looked at.
    private func readControl(_ reader: ArchiveReader) throws {
        var (count, bytes): (Int, Int64) = (0, 0)
        while case .entry(let header) = try reader.next() {
            count += 1
            bytes += min(max(0, header.size), limits.bombBytes)
            guard count <= Self.mostControlFiles, bytes <= limits.bombBytes else {
                throw PackageError(
                    .limits,
                    "it has more than \(Self.mostControlFiles) control files, or they have more than "
                        + "\(limits.bombBytes) bytes; leave out what is not needed")
            }
            let name = header.path.dropping(prefix: "./").map { String($0) } ?? header.path
            guard name == "control", case .file = header.kind else { continue }
            guard header.size <= DebianControl.sizeLimit,
                let path = ContentPath("control")
            else {
                throw PackageError(
                    .limits, "it has more than \(DebianControl.sizeLimit) bytes", path: "control")
            }
            let entry = PackageEntry(path: path, kind: .file, size: header.size)
            let contents = PackageContents(of: entry, in: reader, limits: limits) { [source] in
                source.position
            }
            control = DebianControl(try contents.all())
        }
    }

    private func take(
        _ header: ArchiveHeader, from reader: ArchiveReader, isDebian: Bool, _ visit: Visit
    ) throws {
        var entry: PackageEntry?
        if let placed = placed(header, isDebian: isDebian) {
            entry = try rules.admit(placed)
        } else {
            rules.count(header)
        }
        // Passing over an entry unpacks it: stop here if that would be too much.
        guard !rules.isExhausted else { throw Enough() }
        guard let entry else { return }
        let isFile = entry.kind == .file
        let app = AppPackageEntry(
            path: entry.path, kind: entry.kind, size: entry.size,
            isExecutable: isFile && header.mode & 0o111 != 0)
        entries.append(app)
        guard isFile else { return try call(visit, app, .none) }
        let contents = PackageContents(of: entry, in: reader, limits: limits) { [self] in
            tellProgress()
            return source.position
        }
        do {
            if let limit = AppDescription.sizeLimit(of: entry.path) {
                guard entry.size <= limit else {
                    throw PackageError(
                        .limits, "it has more than \(limit) bytes; shorten it",
                        path: entry.path.text)
                }
                let data = try contents.all()
                texts[entry.path] = data
                try call(visit, app, .bytes(data))
            } else {
                try call(visit, app, contents)
                try contents.finish()
            }
        } catch  where contents.failure != nil {}
        switch contents.failure {
        case nil: return
        case .damage(let advice): rules.report(damage: advice, to: entry.path.text)
        case .bomb: rules.exhaust(entry.path.text, limits.bombAdvice)
        }
        throw Enough()
    }

    /// The entry below the folder of the app; nil for the top of the archive itself.
    private func placed(_ header: ArchiveHeader, isDebian: Bool) -> ArchiveHeader? {
        var path = header.path[...]
        while let rest = path.dropping(prefix: "./") { path = rest }
        guard !path.isEmpty, path != "." else { return nil }
        let placed = header.renamed("\(AppPackageReader.root)/\(path)")
        guard isDebian, case .link(let target) = header.kind,
            let absolute = target.dropping(prefix: "/")
        else { return placed }
        // A Debian package's links begin at the root of the system, which here is its folder.
        let depth = max(0, path.split(scalar: "/").count - 1)
        let relative = String(repeating: "../", count: depth) + absolute
        return ArchiveHeader(
            path: placed.path, kind: .link(target: relative), mode: header.mode, size: 0,
            isText: header.isText)
    }

    private func call(
        _ visit: Visit, _ entry: AppPackageEntry, _ contents: PackageContents
    ) throws {
        guard rules.problems.isEmpty else { return }
        do { try visit(entry, contents) } catch  where contents.failure == nil {
            throw VisitorError(error: error)
        }
    }

    private func tellProgress() {
        progress(min(source.position, file.size), file.size)
    }

    // MARK: The whole

    private func compare(_ description: AppDescription) {
        if let wanted = expectation.bundleID, let named = description.bundleID,
            wanted.text.lowercased() != named.text.lowercased()
        {
            rules.report(
                "", .product,
                "the package is of \(named), and the app is \(wanted); choose the app that it is of"
            )
        }
        if let wanted = expectation.version, let named = description.version, wanted != named {
            rules.report(
                "", .version,
                "the package is of version \(named), and this is version \(wanted); build it with "
                    + "this version, or make one of version \(named)")
        }
    }

    /// Publishers know their files without the folder that the store puts above them.
    private static func withoutRoot(_ problem: PackageProblem) -> PackageProblem {
        let path = problem.path.dropping(prefix: "\(AppPackageReader.root)/").map { String($0) }
        return PackageProblem(
            path: path ?? problem.path, rule: problem.rule, advice: problem.advice)
    }
}
