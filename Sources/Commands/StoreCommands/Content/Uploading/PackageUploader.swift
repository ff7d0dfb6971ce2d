import Foundation
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Brings a package into the store: begins or finds the upload, sends what is missing, commits,
/// and follows the processing.
struct PackageUploader: Sendable {
    /// So many parts are on their way at once.
    private static let parallelParts = 4
    /// The most times that the file is sent, while the store says that parts are missing.
    private static let rounds = 5
    /// The most answers in a row in which processing has made no progress: those of an hour.
    private static let standstill = 7200

    let session: ConnectRetryClient
    let file: UploadSource
    let creation: UploadCreation
    /// Hears of the bytes that are there, of all, and of those that were there before.
    let sent: @Sendable (_ done: Int64, _ total: Int64, _ before: Int64) -> Void
    /// Hears of the bytes that were processed.
    let processed: @Sendable (Int64) -> Void
    /// Waits until the store is asked again.
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(500)) }

    typealias Upload = JSONAPIResource<UploadAttributes>

    /// - Returns: the upload in one of its last states, and how many bytes were sent.
    /// - Throws: `JSONAPIErrors`, `ConnectError`.
    func run() async throws -> (upload: Upload, sentBytes: Int64) {
        var upload = try await begin()
        let before = upload.attributes.receivedBytes
        let count = SentBytes(before)
        var round = 0
        while upload.attributes.state == "AWAITING_UPLOAD" {
            round += 1
            guard round <= Self.rounds else {
                throw ConnectError(
                    description: "the store was sent \(file.url.path) \(Self.rounds) times, and "
                        + "still waits for it; ask its operator")
            }
            do {
                try await send(upload, count: count, before: before)
                upload = try await commit(upload)
            } catch let errors as JSONAPIErrors {
                let code = errors.errors.first?.code
                switch code {
                case "STATE_ERROR.PARTS_MISSING" where round < Self.rounds:
                    upload = try await show(upload)
                // Another process has committed it, or it was deleted meanwhile.
                case "STATE_ERROR.UPLOAD_CLOSED", "NOT_FOUND":
                    guard round < Self.rounds else { throw errors }
                    upload = try await begin()
                case "STATE_ERROR.OTHER_FILE":
                    throw ConnectError(
                        description: "\(file.url.path) was changed while it was sent; run the "
                            + "command again")
                default: throw errors
                }
                count.reset(to: upload.attributes.receivedBytes)
            }
        }
        var waits = 0
        while upload.attributes.state == "UPLOAD_COMPLETE" {
            let done = upload.attributes.processedBytes
            processed(done)
            try await pause()
            upload = try await show(upload)
            waits = upload.attributes.processedBytes == done ? waits + 1 : 0
            guard waits < Self.standstill else {
                throw ConnectError(
                    description: "the store has all of \(file.url.path), and has processed no more "
                        + "of it for an hour; run the command again later")
            }
        }
        return (upload, max(0, count.value - before))
    }

    private func begin() async throws -> Upload {
        try resource(
            await session.send(
                "POST", UploadRoute.uploads,
                WireCoding.encode(JSONAPIRequest(type: UploadRoute.type, attributes: creation))))
    }

    private func show(_ upload: Upload) async throws -> Upload {
        try resource(await session.send("GET", UploadRoute.upload(upload.id)))
    }

    private func commit(_ upload: Upload) async throws -> Upload {
        try resource(
            await session.send(
                "PATCH", UploadRoute.upload(upload.id),
                WireCoding.encode(
                    JSONAPIRequest(
                        type: UploadRoute.type, id: upload.id,
                        attributes: UploadCommitment(uploaded: true)))))
    }

    private func resource(_ data: Data) throws -> Upload {
        do {
            let upload = try WireCoding.decode(JSONAPIDocument<UploadAttributes>.self, from: data)
                .data
            try upload.attributes.check()
            return upload
        } catch let error as WireFormatError {
            throw ConnectError(
                description: "what answers there is no store that this program knows: "
                    + error.description)
        }
    }

    /// Sends the parts that are missing, several at a time.
    private func send(
        _ upload: Upload, count: SentBytes, before: Int64
    ) async throws {
        let attributes = upload.attributes
        guard attributes.fileSize == file.size else {
            throw ConnectError(
                description: "the store takes \(file.url.path) for a file of "
                    + "\(attributes.fileSize) bytes; it has \(file.size)")
        }
        let numbers = attributes.missingParts.flatMap { Array($0.first...$0.last) }
        let queue = PartQueue(numbers)
        sent(count.value, file.size, before)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.parallelParts {
                group.addTask {
                    while let number = queue.next() {
                        let start = Int64(number) * attributes.partSize
                        let bytes = try file.read(
                            start..<min(file.size, start + attributes.partSize))
                        let digest = SHA256Digest.of(bytes).base64EncodedString()
                        _ = try await session.send(
                            "PUT", UploadRoute.part(number, of: upload.id), bytes,
                            headers: [UploadRoute.digestHeader: "sha-256=:\(digest):"])
                        sent(count.add(Int64(bytes.count)), file.size, before)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The numbers of parts that nobody has taken yet.
private final class PartQueue: Sendable {
    private let left: Mutex<ArraySlice<Int>>

    init(_ numbers: [Int]) {
        left = Mutex(numbers[...])
    }

    func next() -> Int? { left.withLock { $0.popFirst() } }
}

/// How many bytes are there.
private final class SentBytes: Sendable {
    private let bytes: Mutex<Int64>

    init(_ count: Int64) {
        bytes = Mutex(count)
    }

    var value: Int64 { bytes.withLock { $0 } }

    func reset(to count: Int64) {
        bytes.withLock { $0 = count }
    }

    func add(_ count: Int64) -> Int64 {
        bytes.withLock { bytes in
            bytes += count
            return bytes
        }
    }
}
