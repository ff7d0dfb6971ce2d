import Foundation
import StoreModel

/// What a package is for that comes from a person's browser.
package enum PackageTarget: Sendable, Hashable {
    /// Content of a product.
    case product(ProductNumber)
    /// The file of a build of a version. A file that no build of the version was recorded with makes
    /// a new one, with the next number.
    case version(AppVersionID)
}

/// Takes packages of content, and files of builds, from people's browsers.
///
/// Errors of the rules are `ConnectRefusal`s.
package protocol PackageReceiver: Sendable {
    /// As many bytes as a package may have that comes in one piece.
    var largestWhole: Int { get }
    /// Begins an upload, or finds the one of the same file that was begun.
    ///
    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - digest: SHA-256 of the file, hexadecimal.
    func begin(
        fileName: String, size: Int64, digest: String, for target: PackageTarget,
        by actor: ConnectActor
    ) async throws -> UploadService.Status
    /// Takes a part.
    ///
    /// - Parameter digest: SHA-256 of the bytes, hexadecimal.
    func take(
        _ bytes: Data, digest: String, part: Int, of id: UploadID, for target: PackageTarget,
        by actor: ConnectActor
    ) async throws
    /// Hands a package over whose parts are all there.
    func commit(
        _ id: UploadID, for target: PackageTarget, by actor: ConnectActor
    ) async throws -> UploadService.Status
    /// Takes a small package in one piece.
    func takeWhole(
        _ bytes: Data, fileName: String, for target: PackageTarget, by actor: ConnectActor
    ) async throws -> UploadService.Status
    func status(
        _ id: UploadID, for target: PackageTarget, by actor: ConnectActor
    ) async throws -> UploadService.Status
    /// The uploads of a product, or of a version's builds, the newest first.
    func uploads(
        for target: PackageTarget, by actor: ConnectActor
    ) async throws -> [UploadService.Status]
    /// Gives up an upload whose parts are not all there.
    func cancel(_ id: UploadID, for target: PackageTarget, by actor: ConnectActor) async throws
}
