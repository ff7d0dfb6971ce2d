import Foundation
import StoreModel

/// What an app's package has to be beyond being a good one.
package struct AppPackageExpectation: Sendable, Hashable {
    /// The identifier that the package must name, where its format names one; nil for any.
    package var bundleID: BundleID?
    /// The version that the package must name, where its format names one; nil for any.
    package var version: ContentVersion?
    /// The name that the publisher gave the file, whose ending says the format; nil where that
    /// does not matter.
    package var fileName: String?

    package init(
        bundleID: BundleID? = nil, version: ContentVersion? = nil, fileName: String? = nil
    ) {
        self.bundleID = bundleID
        self.version = version
        self.fileName = fileName
    }
}

/// A file, folder or link of an app.
package struct AppPackageEntry: Sendable, Hashable {
    /// Below ``AppPackageReader/root``.
    package let path: ContentPath
    package let kind: PackageEntry.Kind
    /// Unpacked bytes; 0 for folders and links.
    package let size: Int64
    package let isExecutable: Bool

    package init(path: ContentPath, kind: PackageEntry.Kind, size: Int64, isExecutable: Bool) {
        self.path = path
        self.kind = kind
        self.size = size
        self.isExecutable = isExecutable
    }
}

/// What an app's package holds.
package struct AppPackageSummary: Sendable {
    package let format: AppPackageFormat
    /// What the package says about the app.
    package let description: AppDescription
    package let entries: [AppPackageEntry]
    package let packedBytes: Int64

    /// Nil where the format does not say it.
    package var bundleID: BundleID? { description.bundleID }
    /// Nil where the format does not say it.
    package var version: ContentVersion? { description.version }
    package var name: String? { description.name }
    /// Bytes of all files together.
    package var unpackedBytes: Int64 { entries.reduce(0) { $0 + $1.size } }
}

/// Reads the package of an app: a `.tar.zst` or `.zip` of a folder, a Debian package, an AppImage
/// or a Flatpak bundle.
///
/// Nothing of the package is trusted, and nothing of it is run: a Debian package's scripts are not
/// even looked at. A visitor sees only entries that keep the rules, and must not act on what it
/// saw before `read` has returned.
package struct AppPackageReader: Sendable {
    /// The folder below which all of an app lies, so that links lead to any place of it and to
    /// none outside.
    package static let root = "app"

    private enum Origin {
        case file(URL)
        case memory([UInt8])
    }

    private let origin: Origin
    private let limits: PackageLimits
    private let expectation: AppPackageExpectation

    package init(
        file: URL, limits: PackageLimits = .app,
        expectation: AppPackageExpectation = AppPackageExpectation()
    ) {
        origin = .file(file)
        self.limits = limits
        self.expectation = expectation
    }

    package init(
        bytes: [UInt8], limits: PackageLimits = .app,
        expectation: AppPackageExpectation = AppPackageExpectation()
    ) {
        origin = .memory(bytes)
        self.limits = limits
        self.expectation = expectation
    }

    /// What the package holds.
    ///
    /// - Parameter progress: hears of the bytes of the package read so far, and of all.
    /// - Throws: `PackageError` with all problems found; a POSIX error where the file can't be read.
    package func summary(
        progress: @escaping (Int64, Int64) -> Void = { _, _ in }
    ) throws -> AppPackageSummary {
        try read(progress: progress) { _, _ in }
    }

    /// Visits each entry in order; for files, `contents` gives the bytes piece by piece.
    ///
    /// An AppImage and a Flatpak bundle are one entry, the others as many as they hold.
    ///
    /// - Returns: what the package holds, once all of it proved right.
    /// - Throws: `PackageError` with all problems found; a POSIX error where the file can't be read;
    ///   whatever `visit` throws.
    @discardableResult
    package func read(
        progress: @escaping (Int64, Int64) -> Void = { _, _ in },
        _ visit: (AppPackageEntry, _ contents: PackageContents) throws -> Void
    ) throws -> AppPackageSummary {
        let file: PackageFile =
            switch origin {
            case .file(let url): try PackageFile(opening: url)
            case .memory(let bytes): PackageFile(bytes: bytes)
            }
        let parser = AppPackageParser(
            file, limits: limits, expectation: expectation,
            progress: progress)
        return try withUTF8Names { try parser.run(visit) }
    }
}
