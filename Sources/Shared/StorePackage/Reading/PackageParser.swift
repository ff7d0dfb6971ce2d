import Foundation
import StoreModel

/// One pass over a package, which `PackageReader` starts, with all that was found so far.
final class PackageParser {
    private let file: PackageFile
    private var source: FileSource
    private var reader: ArchiveReader?
    /// Times that the package was opened anew, behind contents that were not worth reading.
    private var returns = 0
    private let limits: PackageLimits
    private let expectation: PackageExpectation
    private let rules: PackageRules
    private let progress: (Int64, Int64) -> Void
    private var layout = PackageLayout()
    private var entries: [PackageEntry] = []
    private var information: Data?
    /// Whether something stands where the information belongs, good or not.
    private var hasInformation = false
    private var files = 0
    private var hardLinks = 0
    /// Whether all entries were seen, so that what is missing is known.
    private var isWhole = true
    private let table: Result<TableOfContents, any Error>

    /// Nothing more is to be read.
    private struct Enough: Error {}
    /// What a visitor threw, which may be a package's error as well.
    private struct VisitorError: Error {
        let error: any Error
    }

    init(
        _ file: PackageFile, limits: PackageLimits, expectation: PackageExpectation,
        problems: [PackageProblem], progress: @escaping (Int64, Int64) -> Void
    ) {
        self.file = file
        self.limits = limits
        self.expectation = expectation
        self.progress = progress
        rules = PackageRules(limits: limits, packedBytes: file.size)
        rules.report(problems)
        if file.size > limits.packedBytes {
            rules.exhaust(
                "",
                "the package has \(file.size) bytes; at most \(limits.packedBytes) are taken, so "
                    + "divide the content among several products")
        }
        let table = Result { try TableOfContents(of: file, limits: limits) }
        self.table = table
        source = FileSource(file)
    }

    /// Visits what keeps the rules, until something breaks one; checks everything.
    ///
    /// - Throws: `PackageError` with all problems; whatever `visit` throws.
    func run(
        _ visit: (PackageEntry, PackageContents) throws -> Void
    ) throws -> PackageReader.Summary {
        do {
            let findings = try table.get().findings
            rules.report(findings.problems)
            rules.expectDamage(to: findings.damaged)
            rules.expect(unpackedBytes: findings.unpackedBytes)
            try open()
            try readOuter(visit)
            compare(with: findings)
        } catch let error as PackageError {
            isWhole = false
            rules.report(error.problems)
        } catch is Enough {
            isWhole = false
        } catch let error as VisitorError {
            throw error.error
        }
        let info = conclude()
        guard rules.problems.isEmpty, let info else { throw PackageError(rules.problems) }
        return PackageReader.Summary(info: info, entries: entries, packedBytes: file.size)
    }

    // MARK: Entries

    private func open() throws {
        source = FileSource(file, head: try table.get().neutralHeader)
        reader = try ArchiveReader(.xar, source: source)
    }

    /// Opens the package anew and goes on behind the entry that was the last.
    private func abandonEntry() throws {
        returns += 1
        // Each takes as long as the table of contents.
        guard returns <= 8 else { throw Enough() }
        try open()
        for _ in 0..<files { _ = try reader?.next() }
    }

    private func readOuter(_ visit: (PackageEntry, PackageContents) throws -> Void) throws {
        while let header = try nextHeader(), let reader {
            if case .hardLink = header.kind { hardLinks += 1 }
            switch layout.place(header) {
            case .content: try take(header, from: reader, visit)
            case .ignored: break
            case .payload: try readPayload(in: reader, visit)
            case .refused(let rule, let advice): rules.report(header.path, rule, advice)
            }
            tellProgress()
        }
    }

    /// Reads the payload of an installer's component. Damage there does not hide what
    /// stands behind it.
    private func readPayload(
        in outer: ArchiveReader, _ visit: (PackageEntry, PackageContents) throws -> Void
    ) throws {
        let scanner = PayloadScanner(limits: limits) { [rules] problem in
            rules.report([problem])
        }
        let payload = PayloadSource(outer, scanner: scanner)
        var isDamaged = false
        do {
            let reader = try ArchiveReader(.cpio, source: payload)
            while !rules.isExhausted, case .entry(let header) = try reader.next() {
                guard !rules.isOver else { throw Enough() }
                guard let header = layout.insidePayload(header) else {
                    rules.count(header)
                    continue
                }
                isDamaged = try !take(header, from: reader, visit) || isDamaged
                tellProgress()
            }
            // What is not unpacked can't be passed over either.
            if rules.isExhausted { isWhole = false } else { try payload.finish() }
        } catch let error as PackageError {
            isWhole = false
            if !isDamaged { rules.report(error.problems) }
        }
        if !isWhole { try abandonEntry() }
    }

    /// The next header of the package itself, with those left out whose contents can't
    /// be had.
    private func nextHeader() throws -> ArchiveHeader? {
        while let reader {
            guard !rules.isOver else { throw Enough() }
            switch try reader.next() {
            case .end: return nil
            case .entry(let header):
                files += 1
                return header
            case .damaged(let header, let reason):
                files += 1
                if header.path == ContentInfo.fileName { hasInformation = true }
                if case .content = layout.place(header) { _ = try rules.admit(header) }
                rules.report(damage: ArchiveReader.advice(reason), to: header.path)
            }
        }
        return nil
    }

    private func tellProgress() {
        progress(min(source.position, file.size), file.size)
    }

    /// Checks an entry of the content, and says whether it could be read.
    @discardableResult
    private func take(
        _ header: ArchiveHeader, from reader: ArchiveReader,
        _ visit: (PackageEntry, PackageContents) throws -> Void
    ) throws -> Bool {
        if header.path == ContentInfo.fileName { hasInformation = true }
        guard let entry = try rules.admit(header) else { return true }
        let isInformation = entry.path.text == ContentInfo.fileName
        if isInformation, header.size > ContentInfo.sizeLimit {
            rules.report(
                entry.path.text, .limits,
                "it has more than \(ContentInfo.sizeLimit) bytes; keep other data in Contents")
            return true
        }
        entries.append(entry)
        guard entry.kind == .file else {
            try call(visit, entry, .none)
            return true
        }
        guard !rules.isExhausted || isInformation else { return true }
        let contents = PackageContents(of: entry, in: reader, limits: limits) { [self] in
            tellProgress()
            return source.position
        }
        do {
            if isInformation {
                let data = try contents.all()
                information = data
                try call(visit, entry, .bytes(data))
            } else {
                try call(visit, entry, contents)
                try contents.finish()
            }
        } catch  where contents.failure != nil {}
        switch contents.failure {
        case .damage(let advice): rules.report(damage: advice, to: entry.path.text)
        case .bomb: rules.exhaust(entry.path.text, limits.bombAdvice)
        case nil:
            if let kind = contents.executable { rules.report(executable: kind, at: entry.path) }
            return true
        }
        if contents.isAbandoned, reader === self.reader { try abandonEntry() }
        return false
    }

    private func call(
        _ visit: (PackageEntry, PackageContents) throws -> Void, _ entry: PackageEntry,
        _ contents: PackageContents
    ) throws {
        guard rules.problems.isEmpty else { return }
        do { try visit(entry, contents) } catch  where contents.failure == nil {
            throw VisitorError(error: error)
        }
    }

    // MARK: The whole

    /// Where libarchive saw other files than the table names, one of us was deceived.
    private func compare(with findings: TableScanner.Findings) {
        guard rules.problems.isEmpty else { return }
        if findings.hardLinks > hardLinks {
            rules.report("", .kinds, "hard links are not taken; store the files twice")
        } else if findings.files != files {
            rules.report(
                "", .readable, "its table of contents can be read in two ways; build it again")
        }
    }

    /// What is missing, and what the information says.
    private func conclude() -> ContentInfo? {
        var info: ContentInfo?
        if let information {
            do {
                let read = try ContentInfo(propertyList: information)
                rules.report(read.problems(expecting: expectation))
                info = read
            } catch {
                rules.report((error as? PackageError)?.problems ?? [])
            }
        } else if isWhole, !hasInformation {
            if let missing = layout.missing {
                rules.report("", .layout, missing)
            } else {
                rules.report(
                    ContentInfo.fileName, .information,
                    "it is missing from the top of the package; openstore content init makes one")
            }
        }
        // What stands in its place has been named already.
        if isWhole, rules.problems.isEmpty {
            if entries.contains(where: { $0.path.components[0] == "Contents" }) {
                rules.reportEmptiness(of: entries)
            } else {
                rules.report("Contents", .paths, "the folder is missing from the package")
            }
        }
        return info
    }
}
