import Foundation
import StoreModel

/// Takes packages of content from people's browsers, for products by their numbers.
///
/// Errors of the rules are `ConnectRefusal`s.
package protocol PackageIntake: Sendable {
    /// As many bytes as a package may have that comes in one piece.
    var largestWhole: Int { get }
    /// Begins an upload, or finds the one of the same file that was begun.
    ///
    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - digest: SHA-256 of the file, hexadecimal.
    func begin(
        fileName: String, size: Int64, digest: String, of product: ProductNumber,
        by actor: ConnectActor
    ) async throws -> UploadService.Status
    /// Takes a part.
    ///
    /// - Parameter digest: SHA-256 of the bytes, hexadecimal.
    func take(
        _ bytes: Data, digest: String, part: Int, of id: UploadID, product: ProductNumber,
        by actor: ConnectActor
    ) async throws
    /// Hands a package over whose parts are all there.
    func commit(
        _ id: UploadID, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> UploadService.Status
    /// Takes a small package in one piece.
    func takeWhole(
        _ bytes: Data, fileName: String, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> UploadService.Status
    func status(
        _ id: UploadID, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> UploadService.Status
    /// The uploads of a product, the newest first.
    func uploads(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> [UploadService.Status]
    /// Gives up an upload whose parts are not all there.
    func cancel(_ id: UploadID, of product: ProductNumber, by actor: ConnectActor) async throws
}
