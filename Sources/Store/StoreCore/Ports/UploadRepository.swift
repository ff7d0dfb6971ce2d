import Foundation
import StoreModel

/// Packages on their way into the store.
package protocol UploadRepository {
    func upload(_ id: UploadID) throws -> PackageUpload?
    /// Those of a product or a build, the newest first.
    func uploads(of subject: UploadSubject, in app: AppID, limit: Int) throws -> [PackageUpload]
    /// How many uploads of a team wait for parts.
    func openCount(of team: Int64) throws -> Int
    /// Bytes that these were announced with.
    func openBytes(of team: Int64) throws -> Int64
    /// Bytes that uploads which wait for parts have not got yet.
    func promisedBytes() throws -> Int64
    func insert(_ draft: UploadDraft, partSize: Int64, app: AppID, at date: Date) throws
    /// Deletes an upload with its parts and problems.
    func delete(_ id: UploadID) throws
    /// Those that nothing has happened to since a date.
    func ids(in states: [UploadState], unchangedSince date: Date) throws -> [UploadID]
    /// Every upload, whatever its state.
    func ids() throws -> [UploadID]

    /// The parts that have arrived.
    func parts(of id: UploadID) throws -> [Int: ContentDigest]
    func record(part number: Int, digest: ContentDigest, of id: UploadID, at date: Date) throws
    func deleteParts(_ numbers: [Int], of id: UploadID, at date: Date) throws

    /// Lets an upload that waits for parts be processed.
    ///
    /// - Parameter earlierState: of its product; `nil` for builds.
    func close(_ id: UploadID, earlierState: ProductState?, at date: Date) throws
    /// Whether a file of the product or build is being processed.
    func isProcessing(_ subject: UploadSubject, in app: AppID) throws -> Bool
    /// The upload that has waited longest for being processed; nil where all that wait are
    /// being worked on.
    func waiting(at date: Date) throws -> PackageUpload?
    /// How many wait for being processed, or are.
    func waitingCount() throws -> Int
    /// Gives an upload to a process for some time, and counts the attempt.
    func lease(_ id: UploadID, to holder: String, until end: Date) throws
    /// Prolongs the time of the process that has it.
    ///
    /// - Returns: false where another one has it, or it is processed already.
    func renew(_ id: UploadID, by holder: String, until end: Date, processed: Int64) throws -> Bool
    /// Lets the upload be taken again from a date on.
    ///
    /// - Parameter countsAttempt: whether the attempt that ends here counts.
    func giveBack(
        _ id: UploadID, by holder: String, until date: Date, countsAttempt: Bool) throws
    func isLeased(_ id: UploadID, to holder: String) throws -> Bool
    /// Records what became of it.
    func complete(_ id: UploadID, as version: ContentVersion, at date: Date) throws
    func fail(_ id: UploadID, problems: [ContentProblem], at date: Date) throws
    func problems(of id: UploadID) throws -> [ContentProblem]
}

/// Where the bytes of packages lie until they are processed.
package protocol UploadStore: ByteStore {
    /// Opens the file of an upload, and makes it where there is none.
    ///
    /// Being alone is a help, not a promise: where several machines take parts, nobody is.
    /// What is handed over is looked at by its digests, once more when it is processed.
    ///
    /// - Parameter isAlone: whether nobody else may have it open; else all others must be
    ///   content with not being alone. Waits for it only where it must be alone.
    /// - Returns: nil where somebody has it alone.
    func open(_ id: UploadID, isAlone: Bool) throws -> (any UploadFile)?
    /// Takes the bytes away; nothing happens where there are none.
    func remove(_ id: UploadID) throws
    /// The uploads that have bytes.
    func list() throws -> [UploadID]
    /// Bytes that there is room for.
    func freeBytes() throws -> Int64
    /// Whether a part that was written has been compared with its digest, and survives a loss of
    /// power: then nobody reads the whole before it is processed.
    var keepsCheckedParts: Bool { get }
    /// The package as a file of this machine, whose name ends in `.pkg`, to be read only.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 that it has to have.
    ///   - folder: takes it where it lies elsewhere.
    ///   - proceed: ends the work by an error.
    /// - Throws: `OtherUploadFile` where it has another digest.
    func wholeFile(
        of id: UploadID, digest: ContentDigest, in folder: URL, proceed: () throws -> Void
    ) throws -> URL
}

extension UploadStore {
    package var keepsCheckedParts: Bool { false }
}

/// The parts that were handed over don't make the file that was announced.
package struct OtherUploadFile: Error, Sendable, Hashable {
    package init() {}
}

/// The file of an upload, open until it is let go.
package protocol UploadFile: Sendable {
    func write(_ bytes: Data, at offset: Int64) throws
    /// Bytes that were written at once, fewer where there were fewer.
    func read(_ range: Range<Int64>) throws -> Data
    /// Returns when all that was written is on disk.
    func synchronize() throws
}

/// Bytes could not be written or read.
package struct UploadStoreError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether space is what is missing.
    package let isDiskFull: Bool

    package init(description: String, isDiskFull: Bool) {
        self.description = description
        self.isDiskFull = isDiskFull
    }
}
