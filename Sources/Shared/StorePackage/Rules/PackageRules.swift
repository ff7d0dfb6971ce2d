import Foundation
import StoreModel

/// Checks entries one after the other, in the order of the package, and collects what
/// breaks the rules.
final class PackageRules {
    /// What a package is for.
    enum Purpose {
        /// `ContentInfo.plist` and the folder `Contents`; nothing that runs.
        case content
        /// The files of an app for Linux, all below one folder.
        case app
    }

    /// A package with so many problems is wrong enough.
    static let problemLimit = 100

    private(set) var problems: [PackageProblem] = []
    /// Whether a limit was exceeded, so that no more contents are to be unpacked.
    private(set) var isExhausted = false
    private let limits: PackageLimits
    private let purpose: Purpose
    /// Bytes of the package; nil while it is made.
    private let packedBytes: Int64?
    private var paths: PathTable
    private var entries = 0
    private var pathBytes = 0
    private var unpackedBytes: Int64 = 0
    /// Paths with damage that was reported.
    private var damaged: Set<String> = []

    init(limits: PackageLimits, packedBytes: Int64? = nil, purpose: Purpose = .content) {
        self.limits = limits
        self.packedBytes = packedBytes
        self.purpose = purpose
        // The folders Contents and above of an entry that is one too many.
        let most = limits.entries + limits.depth
        paths =
            switch purpose {
            case .content: PathTable(limit: most)
            // File systems of Linux tell apart whatever differs.
            case .app: PathTable(limit: most) { $0 }
            }
    }

    /// Whether there is no use in looking for more.
    var isOver: Bool { problems.count >= Self.problemLimit }

    /// The entry where it breaks no rule that its header can break; nil otherwise.
    ///
    /// - Throws: `PackageError` where going on would cost too much.
    func admit(_ header: ArchiveHeader) throws -> PackageEntry? {
        count(header)
        entries += 1
        guard entries <= limits.entries else {
            throw PackageError(
                .limits,
                "the package has more than \(limits.entries) entries; "
                    + "put many small files into fewer larger ones")
        }
        let trimmed = header.path.dropping(suffix: "/").map { String($0) } ?? header.path
        pathBytes += trimmed.utf8.count
        guard pathBytes <= limits.allPathBytes else {
            throw PackageError(
                .limits,
                "the paths of all entries together have more than \(limits.allPathBytes) bytes; "
                    + "shorten the names of folders")
        }
        guard let path = contentPath(trimmed, of: header) else { return nil }
        var isFolder = false
        if case .directory = header.kind { isFolder = true }
        switch paths.insert(path, isFolder: isFolder) {
        case nil: return entry(path, header)
        case .twice: report(path.text, .duplicates, "the path occurs twice; keep one of them")
        case .resembles(let other):
            report(
                path.text, .duplicates,
                "a file system could not tell it from \(other.printable); rename one of them")
        case .belowLeaf:
            report(
                path.text, .paths,
                "only folders hold other entries; here a file or link and what lies below it meet")
        case .tooMany:
            throw PackageError(
                .limits,
                "the package has more than \(limits.entries) folders; nest files less deeply")
        }
        return nil
    }

    /// The path where it is one that content may have.
    private func contentPath(_ text: String, of header: ArchiveHeader) -> ContentPath? {
        guard header.isText else {
            report(text, .paths, "the name is not UTF-8; rename the file")
            return nil
        }
        guard !text.unicodeScalars.contains(where: Self.isUnprintable) else {
            report(text, .paths, "the name holds characters that don't show; rename the file")
            return nil
        }
        let names = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= limits.pathBytes, names.count <= limits.depth,
            names.allSatisfy({ $0.count <= 255 })
        else {
            report(
                String(text.prefix(200)), .limits,
                "the path is longer than \(limits.pathBytes) bytes, a name in it than 255, or it "
                    + "lies more than \(limits.depth) folders deep; shorten it")
            return nil
        }
        guard let path = ContentPath(text) else {
            report(header.path, .paths, "the path must be relative and stay inside the package")
            return nil
        }
        guard
            purpose == .app || path.text == ContentInfo.fileName
                || path.components[0] == "Contents"
        else {
            report(
                path.text, .paths,
                "only \(ContentInfo.fileName) and the folder Contents belong into a package")
            return nil
        }
        return path
    }

    /// Control characters, ends of lines, and what turns the direction of writing: names
    /// with them say one thing and are another.
    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7f: false
        case 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x61c: true
        default:
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
                scalar.properties.generalCategory != .unassigned
                    || scalar.properties.isNoncharacterCodePoint
            default: false
            }
        }
    }

    private func entry(_ path: ContentPath, _ header: ArchiveHeader) -> PackageEntry? {
        let isFile = if case .file = header.kind { true } else { false }
        let isFolder = if case .directory = header.kind { true } else { false }
        if purpose == .content, path.text == ContentInfo.fileName, !isFile {
            report(path.text, .information, "it must be a file")
            return nil
        }
        if purpose == .content, path.text == "Contents", !isFolder {
            report(path.text, .paths, "it must be a folder")
            return nil
        }
        switch header.kind {
        case .file:
            if header.mode & 0o7000 != 0 {
                report(
                    path.text, .executables,
                    "it is marked to run as another user; clear the bits setuid and setgid")
                return nil
            }
            if purpose == .content, header.mode & 0o111 != 0 {
                report(path.text, .executables, "it is marked as executable; clear the x bits")
                return nil
            }
            return PackageEntry(path: path, kind: .file, size: header.size)
        case .directory:
            return PackageEntry(path: path, kind: .directory, size: 0)
        case .link(let target):
            guard target.utf8.count <= limits.pathBytes, let place = path.resolving(link: target),
                purpose == .app || place.components[0] == "Contents",
                !target.unicodeScalars.contains(where: Self.isUnprintable)
            else {
                let inside = purpose == .app ? "the package" : "Contents"
                report(
                    path.text, .kinds,
                    "the link leads out of \(inside), to \(String(target.prefix(200)).printable); "
                        + "link to a relative path inside")
                return nil
            }
            return PackageEntry(path: path, kind: .link(target: target), size: 0)
        case .hardLink(let target):
            report(
                path.text, .kinds,
                "hard links are not taken (to \(String(target.prefix(200)).printable)); "
                    + "store the file twice")
            return nil
        case .special:
            report(path.text, .kinds, "only files, folders and symbolic links are taken")
            return nil
        }
    }

    /// Counts the announced bytes of an entry, also of one that is refused or skipped: skipping it in a compressed
    /// archive unpacks it.
    func count(_ header: ArchiveHeader) {
        // A link's size is the length of its target, which is in the header: nothing is unpacked.
        if case .link = header.kind { return }
        let (sum, hasOverflow) = unpackedBytes.addingReportingOverflow(max(0, header.size))
        unpackedBytes = hasOverflow ? .max : sum
        expect(unpackedBytes: unpackedBytes)
    }

    /// Looks whether so many bytes may be unpacked, before any of them is.
    func expect(unpackedBytes: Int64) {
        guard !isExhausted else { return }
        if unpackedBytes > limits.unpackedBytes {
            exhaust(
                "",
                "the package unpacks to more than \(limits.unpackedBytes) bytes; "
                    + (purpose == .app
                        ? "leave out what the app does not need"
                        : "divide the content among several products"))
        } else if let packedBytes, limits.isBomb(unpackedBytes, from: packedBytes) {
            exhaust("", limits.bombAdvice)
        }
    }

    /// Reports a limit that was exceeded: what follows is looked at, but not unpacked.
    func exhaust(_ path: String, _ advice: String) {
        isExhausted = true
        report(path, .limits, advice)
    }

    /// Looks at the first bytes of a file for the marks of executable code.
    func inspect(start: Data, of path: ContentPath) {
        guard let kind = ExecutableMark.kind(of: start) else { return }
        report(executable: kind, at: path)
    }

    func report(executable kind: String, at path: ContentPath) {
        report(path.text, .executables, "it is \(kind); content holds no executable code")
    }

    /// Reports content without a file: a buyer would get nothing.
    func reportEmptiness(of entries: [PackageEntry]) {
        let hasFile = entries.contains { $0.kind == .file && $0.path.components[0] == "Contents" }
        if !hasFile {
            report("Contents", .paths, "there is no file in it; put what buyers get there")
        }
    }

    /// Reports damage to a path, once.
    func report(damage advice: String, to path: String) {
        guard damaged.insert(path).inserted else { return }
        report(path, .readable, advice)
    }

    /// Leaves out damage to these paths, which was reported in one go.
    func expectDamage(to paths: Set<String>) {
        damaged.formUnion(paths)
    }

    func report(_ path: String, _ rule: PackageProblem.Rule, _ advice: String) {
        guard !isOver else { return }
        problems.append(PackageProblem(path: path, rule: rule, advice: advice))
    }

    func report(_ problems: [PackageProblem]) {
        for problem in problems { report(problem.path, problem.rule, problem.advice) }
    }
}
