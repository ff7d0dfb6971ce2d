import Foundation
import StoreModel

/// Checks entries one after the other, in the order of the package, and collects what
/// breaks the rules.
final class PackageRules {
    private(set) var problems: [PackageProblem] = []
    private let limits: PackageLimits
    private var folded: [String: String] = [:]
    /// What is no folder, and the folders that something lies in.
    private var leaves: Set<ContentPath> = []
    private var folders: Set<ContentPath> = []
    private var entries = 0
    private var unpackedBytes: Int64 = 0

    init(limits: PackageLimits) {
        self.limits = limits
    }

    /// What an entry is, before anything of it is believed.
    enum RawKind {
        case file
        case directory
        case link(target: String)
        case hardLink(target: String)
        case special
    }

    /// The entry where it breaks no rule that its header can break; nil otherwise.
    ///
    /// - Throws: `PackageError` where going on would be pointless: limits are exceeded.
    func admit(
        path raw: String, kind: RawKind, mode: UInt32, size: Int64
    ) throws -> PackageEntry? {
        entries += 1
        guard entries <= limits.entries else {
            throw PackageError(.limits, "the package has more than \(limits.entries) entries")
        }
        try count(bytes: max(0, size))
        let trimmed = raw.hasSuffix("/") ? String(raw.dropLast()) : raw
        guard let path = ContentPath(trimmed) else {
            report(raw, .paths, "the path must be relative and stay inside the package")
            return nil
        }
        let top = path.components[0]
        guard path.text == ContentInfo.fileName || top == "Contents" else {
            report(
                path.text, .paths,
                "only \(ContentInfo.fileName) and the folder Contents belong into a package")
            return nil
        }
        let key = path.text.precomposedStringWithCanonicalMapping.lowercased()
        if let other = folded.updateValue(path.text, forKey: key) {
            report(
                path.text, .duplicates,
                other == path.text
                    ? "the path occurs twice"
                    : "a file system without case could not tell it from \(other.printable)")
            return nil
        }
        guard isBelowFolders(path, kind: kind) else {
            report(
                path.text, .paths,
                "only folders hold other entries; here a file or link and what lies below it meet")
            return nil
        }
        return entry(path, kind: kind, mode: mode, size: size)
    }

    /// Files below a file can't be unpacked, and files below a link would land where the
    /// link leads. Entries come in any order.
    private func isBelowFolders(_ path: ContentPath, kind: RawKind) -> Bool {
        var folder = path.parent
        while let above = folder, !folders.contains(above) {
            guard !leaves.contains(above) else { return false }
            folders.insert(above)
            folder = above.parent
        }
        if case .directory = kind { return true }
        leaves.insert(path)
        return !folders.contains(path)
    }

    private func entry(
        _ path: ContentPath, kind: RawKind, mode: UInt32, size: Int64
    ) -> PackageEntry? {
        if path.text == ContentInfo.fileName {
            guard case .file = kind else {
                report(path.text, .information, "it must be a file")
                return nil
            }
        }
        if path.text == "Contents" {
            guard case .directory = kind else {
                report(path.text, .paths, "it must be a folder")
                return nil
            }
        }
        switch kind {
        case .file:
            if mode & 0o111 != 0 {
                report(path.text, .executables, "it is marked as executable; clear the x bits")
                return nil
            }
            return PackageEntry(path: path, kind: .file, size: size)
        case .directory:
            return PackageEntry(path: path, kind: .directory, size: 0)
        case .link(let target):
            guard let resolved = path.resolving(link: target), resolved.components[0] == "Contents"
            else {
                report(path.text, .kinds, "the link leads out of Contents, to \(target.printable)")
                return nil
            }
            return PackageEntry(path: path, kind: .link(target: target), size: 0)
        case .hardLink(let target):
            report(
                path.text, .kinds,
                "hard links are not taken (to \(target.printable)); store the file twice")
            return nil
        case .special:
            report(path.text, .kinds, "only files, folders and symbolic links are taken")
            return nil
        }
    }

    /// Counts unpacked bytes that were announced or seen.
    func count(bytes: Int64) throws {
        unpackedBytes += bytes
        guard unpackedBytes <= limits.unpackedBytes else {
            throw PackageError(
                .limits, "the package unpacks to more than \(limits.unpackedBytes) bytes")
        }
    }

    /// Looks at the first bytes of a file for the marks of executable code.
    func inspect(start: Data, of path: ContentPath) {
        let magics: [([UInt8], String)] = [
            ([0x7f, 0x45, 0x4c, 0x46], "an ELF program"),
            ([0x4d, 0x5a], "a Windows program"),
            ([0x23, 0x21], "a script"),
            ([0xfe, 0xed, 0xfa, 0xce], "a Mach-O program"),
            ([0xfe, 0xed, 0xfa, 0xcf], "a Mach-O program"),
            ([0xce, 0xfa, 0xed, 0xfe], "a Mach-O program"),
            ([0xcf, 0xfa, 0xed, 0xfe], "a Mach-O program"),
            ([0xca, 0xfe, 0xba, 0xbe], "a Mach-O or Java program"),
        ]
        for (magic, what) in magics where start.starts(with: magic) {
            report(path.text, .executables, "it is \(what); content holds no executable code")
            return
        }
    }

    func report(_ path: String, _ rule: PackageProblem.Rule, _ advice: String) {
        // A package with a hundred problems is wrong enough.
        guard problems.count < 100 else { return }
        problems.append(PackageProblem(path: path, rule: rule, advice: advice))
    }

    func report(_ error: PackageError) {
        for problem in error.problems { report(problem.path, problem.rule, problem.advice) }
    }
}
