import Foundation
import StoreCore
import StoreKernel
import StoreSecurity

/// The file of a private key, which only its holder has.
package struct APIKeyFile: Sendable {
    package let url: URL
    package let id: APIKeyID
    package let key: SigningKey

    /// Reads a private key whose identifier is in the file's name.
    ///
    /// - Throws: `APIKeyFileError`.
    package init(_ url: URL) throws {
        let name = url.deletingPathExtension().lastPathComponent
        guard let id = name.dropping(prefix: APIKeyID.filePrefix).flatMap({ APIKeyID(String($0)) })
        else {
            throw APIKeyFileError(
                description: "\(url.lastPathComponent) is not named "
                    + "\(APIKeyID.filePrefix)<key identifier>\(APIKeyID.fileSuffix)")
        }
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw APIKeyFileError(description: "the key file \(url.path) can't be read")
        }
        do { self.key = try SigningKey(pem: text) } catch {
            throw APIKeyFileError(
                description: "\(url.path) holds no private key of an API (P-256, PKCS #8)")
        }
        self.url = url
        self.id = id
    }

    /// Makes a key and writes it, on disk, readable by its owner only. A file that is there
    /// is never replaced.
    static func make(in folder: URL) throws -> APIKeyFile {
        let id = try APIKeyID(random: SecureRandom.bytes)
        let url = folder.appendingPathComponent(id.fileName)
        let text = Data(try SigningKey.generate().pem().utf8)
        do {
            try DurableFile.write(text, to: url, mode: 0o600, replaces: false, isAlone: true)
        } catch let error as NSError {
            throw APIKeyFileError(description: error.localizedDescription)
        }
        return try APIKeyFile(url)
    }

    /// The keys in a folder, the newest first.
    static func all(in folder: URL) -> [APIKeyFile] {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
        func date(_ url: URL) -> Date {
            (try? url.resourceValues(forKeys: [.contentModificationDateKey]))?
                .contentModificationDate ?? .distantPast
        }
        return files.filter { APIKeyID.isFileName($0.lastPathComponent) }
            .sorted { date($0) > date($1) }.compactMap { try? APIKeyFile($0) }
    }
}

/// A key's file can't be read or written.
package struct APIKeyFileError: Error, Sendable, CustomStringConvertible {
    package let description: String
}

extension Store {
    /// Makes the operator's first key where the operator has never had one.
    ///
    /// The file is written first: one that is left by a start that ended in between is taken.
    ///
    /// - Returns: nil where there is a key already.
    package func makeFirstAPIKey() async throws -> (key: APIKey, file: APIKeyFile)? {
        let known = try await services.apiKeys.keys()
        guard known.allSatisfy({ $0.team != nil }) else { return nil }
        let left = APIKeyFile.all(in: directory).first { file in
            !known.contains { $0.id == file.id }
        }
        let file = try left ?? APIKeyFile.make(in: directory)
        let first = APIKeyDraft(
            id: file.id, team: nil, role: .admin, name: "The operator's first key",
            publicKey: try file.key.publicPEM())
        return try await services.apiKeys.addFirst(first, issuer: IssuerID(UUID()))
            .map { ($0, file) }
    }

    /// A key whose private half lies in the store's folder: one of the operator before those of
    /// teams, the newest first.
    package func localAPIKey() async throws -> (key: APIKey, file: APIKeyFile)? {
        let known = try await services.apiKeys.keys()
        let local = APIKeyFile.all(in: directory).compactMap { file in
            known.first { $0.id == file.id && $0.revoked == nil }.map { (key: $0, file: file) }
        }
        return local.first { $0.key.team == nil } ?? local.first
    }
}
