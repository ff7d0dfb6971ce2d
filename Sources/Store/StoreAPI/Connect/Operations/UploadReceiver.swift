import Foundation
import StoreCore
import StoreKernel
import StoreModel
import StoreSecurity

/// Writes the parts of packages into their files, and looks at the whole before it is handed
/// over.
struct UploadReceiver: Sendable {
    let uploads: UploadService
    let files: any UploadStore

    /// Takes a part whose bytes belong to their digest; a part that is there is not written
    /// again.
    func take(
        _ bytes: Data, digest: ContentDigest, as number: Int, of id: UploadID, team: Int64?
    ) async throws {
        let upload = try await uploads.upload(id, team: team)
        guard upload.state == .awaitingUpload else {
            throw UploadRefusal.closed(id, upload.state)
        }
        guard let range = upload.parts.range(of: number) else {
            throw UploadRefusal.noSuchPart(number, count: upload.parts.count)
        }
        guard bytes.count == range.count else {
            throw UploadRefusal.partLength(number, expected: range.count)
        }
        // Shared with other parts; nobody has it while the whole is looked at.
        guard let file = try files.open(id, isAlone: false) else {
            throw UploadRefusal.busy(id)
        }
        let known = try await uploads.digest(ofPart: number, of: id, team: team)
        if known == digest { return }
        if known != nil { try await uploads.forget(parts: [number], of: id, team: team) }
        try await files.apart { try file.write(bytes, at: range.lowerBound) }
        try await uploads.record(part: number, digest: digest, of: id, team: team)
        withExtendedLifetime(file) {}
    }

    /// Looks at the whole file, and hands it over to be processed.
    ///
    /// Parts were recorded before they were on disk: those that a loss of power has taken are
    /// missing again. What keeps only parts that were compared has none of them, and does not read
    /// the whole, which may take minutes; who processes it compares it.
    ///
    /// - Throws: `UploadRefusal` with the parts that are missing.
    func commit(_ id: UploadID, team: Int64?) async throws -> UploadService.Status {
        let status = try await uploads.status(id, team: team)
        guard status.upload.state == .awaitingUpload else {
            return try await uploads.commit(id, team: team)
        }
        guard status.missing.isEmpty else { throw UploadRefusal.missing(status.missing) }
        if files.keepsCheckedParts { return try await uploads.commit(id, team: team) }
        let file = try await BlockingPool.uploads.run { try files.open(id, isAlone: true) }
        guard let file else { throw UploadRefusal.busy(id) }
        let parts = try await uploads.parts(of: id)
        let upload = status.upload
        let findings = try await BlockingPool.uploads.run {
            try Self.inspect(file, parts, of: upload)
        }
        guard findings.bad.isEmpty else {
            try await uploads.forget(parts: findings.bad, of: id, team: team)
            let present = Set(parts.keys).subtracting(findings.bad)
            throw UploadRefusal.missing(upload.parts.missing(without: present))
        }
        guard findings.digest == upload.digest else {
            try await uploads.forget(parts: Array(parts.keys), of: id, team: team)
            throw UploadRefusal.otherFile
        }
        let committed = try await uploads.commit(id, team: team)
        withExtendedLifetime(file) {}
        return committed
    }

    /// The parts whose bytes are not those of their digests, and the digest of the whole.
    private static func inspect(
        _ file: any UploadFile, _ digests: [Int: ContentDigest], of upload: PackageUpload
    ) throws -> (bad: [Int], digest: ContentDigest?) {
        try file.synchronize()
        let whole = SHA256Digest()
        var bad: [Int] = []
        for number in 0..<upload.parts.count {
            guard let range = upload.parts.range(of: number) else { continue }
            let bytes = try file.read(range)
            whole.update(bytes)
            if SHA256Digest.hex(bytes) != digests[number]?.text { bad.append(number) }
        }
        return (bad, ContentDigest(SHA256Digest.hexadecimal(whole.finish())))
    }
}
