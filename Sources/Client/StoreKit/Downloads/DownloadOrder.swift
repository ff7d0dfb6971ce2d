import StoreKernel
import StoreModel
import StoreWire

/// What an app has asked the download agent for, in the download's folder. It holds what the
/// content takes, and nothing that buys, signs in, or names a customer.
struct DownloadOrder: Codable, Sendable, Hashable {
    /// Tells this order from the one before it, at random.
    var number: String
    var transaction: TransactionID
    var content: DownloadRequest
    /// The text of the app's profile.
    var profile: String
    /// The identifier of the device, for which the token was made.
    var device: String
    /// The first grant, and the token that gets the next ones.
    var answer: DownloadAnswer
    /// The app's content libraries, which may have chunks already.
    var libraries: [String]

    /// More bytes than any order has.
    static let sizeLimit = 1 << 20
}

extension DownloadFolder {
    private var orderFile: URL { file("order.json") }
    private var finishedFile: URL { file("finished") }

    /// The order that is to be done; nil where there is none, or a damaged one.
    var order: DownloadOrder? {
        guard let data = Self.read(orderFile, limit: DownloadOrder.sizeLimit) else { return nil }
        return try? WireCoding.decode(DownloadOrder.self, from: data)
    }

    /// Whether an order is to be done: cheap enough to be asked for often.
    var hasOrder: Bool { access(orderFile.path, F_OK) == 0 }

    /// Writes an order down; it is on disk before the agent hears of it.
    func begin(_ order: DownloadOrder) throws {
        unlink(finishedFile.path)
        try DurableFile.write(try WireCoding.encode(order), to: orderFile, mode: 0o600)
    }

    /// Whether the agent has finished an order, and the app was not told yet.
    var isFinished: Bool {
        access(finishedFile.path, F_OK) == 0 && access(files.content.path, F_OK) == 0
    }

    /// Whether this order was finished.
    func isFinished(_ order: DownloadOrder) -> Bool {
        isFinished && Self.read(finishedFile, limit: 256) == Data(order.number.utf8)
    }

    /// Says that an order was done. Only for who holds the folder's lock.
    func finish(_ order: DownloadOrder) throws {
        try DurableFile.write(Data(order.number.utf8), to: finishedFile, mode: 0o600)
    }

    /// Takes an order back, done or not.
    func endOrder() {
        // What was finished stays finished till the order is gone.
        unlink(orderFile.path)
        unlink(finishedFile.path)
    }

    /// Does something as soon as nobody else fetches into the folder.
    ///
    /// - Throws: an error of the file system, also where there is no such folder;
    ///   `CancellationError`; what `body` throws.
    func whileAlone<Answer>(
        _ retry: RetryPolicy, _ body: () async throws -> Answer
    ) async throws -> Answer {
        while true {
            if let lock = try FolderLock.take(file("lock")) {
                defer { withExtendedLifetime(lock) {} }
                return try await body()
            }
            try Task.checkCancellation()
            try await retry.sleep(.milliseconds(200))
        }
    }

    private static func read(_ file: URL, limit: Int) -> Data? {
        let descriptor = Glibc.open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) <= limit
        else { return nil }
        return try? handle.read(upToCount: limit)
    }
}
