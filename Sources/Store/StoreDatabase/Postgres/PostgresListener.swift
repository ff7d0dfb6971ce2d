import CStorePostgres
import Foundation
import StoreKernel
import Synchronization

/// Hears of the commits of other programs, on a connection and a thread of its own.
///
/// Where the connection is lost, it is made again; until then the change feed knows that it
/// hears nothing, and whoever asks it looks into the database.
final class PostgresListener: Sendable {
    /// Milliseconds between two attempts to reach a server that is away.
    private static let pause: Int32 = 1_000
    static let channel = "openstore"

    private let address: PostgresAddress
    private let changeFeed: PostgresChangeFeed
    /// Whose messages are its own program's, which has heard of them already.
    private let sender: String
    /// Milliseconds without a message after which one looks for oneself.
    private let silence: Int32
    private let wakeDescriptor: Int32
    private let isClosed = Mutex(false)
    private let first: Mutex<Socket?>
    private let ended = DispatchSemaphore(value: 0)

    /// libpq's connection on its way to the thread.
    private struct Socket: @unchecked Sendable {
        // Sendable: taken out once, by the thread that uses it from then on.
        let handle: OpaquePointer
    }

    /// Listens from now on.
    init(
        _ address: PostgresAddress, _ changeFeed: PostgresChangeFeed, sender: String, silence: Int32
    ) throws {
        self.address = address
        self.changeFeed = changeFeed
        self.sender = sender
        self.silence = silence
        wakeDescriptor = cstore_wake_make()
        first = Mutex(Socket(handle: try Self.listen(address)))
        changeFeed.setHearing(true)
        let thread = Thread { [self] in
            loop()
            ended.signal()
        }
        thread.name = "store-changes"
        thread.start()
    }

    deinit { cstore_wake_close(wakeDescriptor) }

    private static func listen(_ address: PostgresAddress) throws -> OpaquePointer {
        let handle = try address.connect()
        guard let result = PQexec(handle, "LISTEN \(channel)").map(PostgresResult.init),
            result.outcome == CSTORE_PQ_DONE
        else {
            PQfinish(handle)
            throw SQLError(code: .other, "the database \(address) refuses to tell of changes")
        }
        return handle
    }

    /// Ends the thread; returns at once.
    func stop() {
        isClosed.withLock { $0 = true }
        cstore_wake_send(wakeDescriptor)
    }

    /// Waits until the thread has ended.
    func wait() {
        ended.wait()
        // For whoever waits next.
        ended.signal()
    }

    private func loop() {
        var handle = first.withLock { $0.take() }?.handle
        while !isClosed.withLock({ $0 }) {
            guard let connection = handle else {
                handle = try? Self.listen(address)
                if handle != nil {
                    changeFeed.setHearing(true)
                    // Something may have been left to be sent.
                    changeFeed.ring()
                } else {
                    _ = cstore_pq_wait(nil, wakeDescriptor, Self.pause)
                }
                continue
            }
            if cstore_pq_wait(connection, wakeDescriptor, silence) == 0 {
                // Whoever commits may be killed before it tells.
                changeFeed.heard(nil)
                changeFeed.ring()
            }
            guard PQconsumeInput(connection) == 1, cstore_pq_is_open(connection) else {
                changeFeed.setHearing(false)
                PQfinish(connection)
                handle = nil
                continue
            }
            while let message = PQnotifies(connection) {
                hear(String(cString: message.pointee.extra))
                PQfreemem(message)
            }
        }
        if let handle { PQfinish(handle) }
    }

    private func hear(_ message: String) {
        let words = message.split(scalar: " ")
        guard words.first.map(String.init) != sender else { return }
        // The counters, and 1 where the commit is announced.
        let numbers = words.dropFirst().compactMap { Int64($0) }
        changeFeed.heard(Array(numbers.dropLast()))
        if numbers.last == 1 { changeFeed.ring() }
    }
}
