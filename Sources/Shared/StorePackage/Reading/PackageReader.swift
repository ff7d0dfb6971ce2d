import Foundation

/// Reads a content package from front to back: a flat xar archive, or one that
/// `productbuild --content` made.
///
/// Nothing of the package is trusted. A visitor sees only entries that keep the rules,
/// and must not act on what it saw before `read` has returned: a later entry can still
/// turn out to break them.
package struct PackageReader: Sendable {
    private enum Origin {
        case file(URL)
        case memory([UInt8])
    }

    private let origin: Origin
    private let limits: PackageLimits
    private let expectation: PackageExpectation

    package init(
        file: URL, limits: PackageLimits = .store, expectation: PackageExpectation = .init()
    ) {
        origin = .file(file)
        self.limits = limits
        self.expectation = expectation
    }

    package init(
        bytes: [UInt8], limits: PackageLimits = .store, expectation: PackageExpectation = .init()
    ) {
        origin = .memory(bytes)
        self.limits = limits
        self.expectation = expectation
    }

    /// What a package holds.
    package struct Summary: Sendable {
        package let info: ContentInfo
        package let entries: [PackageEntry]
        package let packedBytes: Int64

        /// Bytes of all files together.
        package var unpackedBytes: Int64 { entries.reduce(0) { $0 + $1.size } }
    }

    /// The package's information and list of entries.
    ///
    /// - Parameter progress: hears of the bytes of the package read so far, and of all.
    /// - Throws: `PackageError` with all problems found; a POSIX error where the file can't be read.
    package func summary(
        progress: @escaping (Int64, Int64) -> Void = { _, _ in }
    ) throws -> Summary {
        try read(progress: progress) { _, _ in }
    }

    /// Visits each entry in order; for files, `contents` gives the bytes piece by piece.
    ///
    /// Once a problem was found no more is visited, but all of the package is checked.
    ///
    /// - Returns: what the package holds, once all of it proved right.
    /// - Throws: `PackageError` with all problems found; a POSIX error where the file can't be read;
    ///   whatever `visit` throws.
    @discardableResult
    package func read(
        progress: @escaping (Int64, Int64) -> Void = { _, _ in },
        _ visit: (PackageEntry, _ contents: PackageContents) throws -> Void
    ) throws -> Summary {
        var problems: [PackageProblem] = []
        if let name = expectation.fileName, !PackageExpectation.isPackageName(name) {
            problems.append(
                PackageProblem(
                    path: "", rule: .fileName,
                    advice: "\(name.printable) does not end in .pkg; rename the file"))
        }
        do {
            let parser = PackageParser(
                try open(), limits: limits, expectation: expectation, problems: problems,
                progress: progress)
            return try withUTF8Names { try parser.run(visit) }
        } catch let error as PackageError where !problems.isEmpty {
            throw PackageError(problems + error.problems.filter { !problems.contains($0) })
        }
    }

    /// The package's file.
    func open() throws -> PackageFile {
        switch origin {
        case .file(let url): try PackageFile(opening: url)
        case .memory(let bytes): PackageFile(bytes: bytes)
        }
    }
}
