import Foundation

/// What a backup holds: the last file that is written into it, and what a restore believes.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// The form of backups that this program writes, and the newest that it reads.
    package static let currentFormat = 1
    package static let fileName = "manifest.json"
    /// The longest one that is read, bytes.
    static let sizeLimit: Int64 = 1 << 30

    /// A file of the backup.
    package struct File: Codable, Sendable, Equatable {
        /// Below the backup's folder.
        package let path: String
        /// Bytes.
        package let size: Int64
        /// Hexadecimal.
        package let sha256: String

        package init(path: String, size: Int64, sha256: String) {
            (self.path, self.size, self.sha256) = (path, size, sha256)
        }
    }

    package let format: Int
    /// The version of the program that wrote it.
    package let program: String
    /// When the snapshot of the database was taken.
    package let date: Date
    /// SHA-256 of the root certificate: whose backup it is.
    package let store: String
    /// The number of the database's schema.
    package let schema: Int64
    /// Where the rows were, without a password.
    package let database: String
    /// Where the content is that the backup leaves where it was; nil where it holds it.
    package let contentPlace: String?
    package let files: [File]

    package init(
        program: String, date: Date, store: String, schema: Int64, database: String,
        contentPlace: String?, files: [File]
    ) {
        format = Self.currentFormat
        (self.program, self.date, self.store, self.schema) = (program, date, store, schema)
        (self.database, self.contentPlace, self.files) = (database, contentPlace, files)
    }

    package var bytes: Int64 { files.reduce(0) { $0 + $1.size } }

    /// - Throws: `BackupError` where it is none, or is of a newer program.
    package init(json: Data, at place: String) throws {
        struct Form: Decodable { let format: Int }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let form = try? decoder.decode(Form.self, from: json) else {
            throw BackupError("\(place): the manifest is damaged; take another backup")
        }
        guard form.format <= Self.currentFormat else {
            throw BackupError(
                "\(place) has the form \(form.format), and this program knows "
                    + "\(Self.currentFormat); restore it with the newer program")
        }
        guard let manifest = try? decoder.decode(BackupManifest.self, from: json),
            manifest.files.allSatisfy({ BackupPath.isAllowed($0.path) && $0.size >= 0 }),
            Set(manifest.files.map(\.path)).count == manifest.files.count,
            Self.canBeAdded(manifest.files)
        else { throw BackupError("\(place): the manifest is damaged; take another backup") }
        self = manifest
    }

    private static func canBeAdded(_ files: [File]) -> Bool {
        var sum: Int64 = 0
        return files.allSatisfy { file in
            let (next, isTooMuch) = sum.addingReportingOverflow(file.size)
            sum = next
            return !isTooMuch
        }
    }

    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

/// A backup can't be made or read.
package struct BackupError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// What the system said last.
    static func system(_ path: String) -> BackupError {
        BackupError("\(path): \(String(cString: strerror(errno)))")
    }
}

/// Paths of a backup's files: below `store/`, which looks like the folder of a store.
package enum BackupPath {
    package static let store = "store/"
    package static let database = store + "store.sqlite"
    package static let keys = store + "keys/"

    package static func content(_ digest: String) -> String {
        store + "content/\(digest.prefix(2))/\(digest)"
    }

    package static func media(_ digest: String) -> String {
        store + "assets/kept/\(digest.prefix(2))/\(digest)"
    }

    package static func upload(_ id: String) -> String { store + "uploads/\(id)/content.pkg" }

    /// Whether a file may have the path. What a manifest or an archive says is not believed: the
    /// path stays in its folder, whatever it is joined to.
    static func isAllowed(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map {
                String(Substring($0))
            }
        guard path.utf8.count <= 400, parts.count > 1, parts[0] == "store" else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty && part.first != "."
                && part.unicodeScalars.allSatisfy { scalar in
                    scalar.isASCII
                        && (scalar.properties.isAlphabetic
                            || "0123456789._-".unicodeScalars
                                .contains(scalar))
                }
        }
    }
}
