import Foundation
import StoreCore
import StoreSecurity
import Synchronization

/// Passwords by scrypt, tokens from the system's random numbers, both through OpenSSL.
package struct OpenSSLVault: CredentialVault {
    private let logN: Int
    private let workers: PasswordWorkers?

    /// - Parameters:
    ///   - logN: the cost of a password's hash.
    ///   - workers: who computes it; nil for whoever asks.
    package init(
        logN: Int = PasswordHash.standardLogN, workers: PasswordWorkers? = .shared
    ) {
        self.logN = logN
        self.workers = workers
    }

    package func hash(password: String) async throws -> String {
        let logN = logN
        guard let workers else { return try PasswordHash.make(password, logN: logN) }
        return try await workers.run {
            Result { try PasswordHash.make(password, logN: logN) }
        }.get()
    }

    package func verify(password: String, against hash: String) async throws -> Bool {
        guard let workers else { return PasswordHash.verify(password, against: hash) }
        return try await workers.run { PasswordHash.verify(password, against: hash) }
    }

    package func makeDecoyHash() throws -> String { try PasswordHash.makeDecoy(logN: logN) }

    package func makeToken() throws -> String { Base64URL.encode(try SecureRandom.bytes(32)) }

    package func makeIdentifier() -> String { UUID().uuidString.lowercased() }

    package func digest(of token: String) -> Data { SHA256Digest.of(Data(token.utf8)) }
}

/// Threads on which passwords are hashed: few, because each hash takes 16 MiB and a core for
/// 50 ms, and apart from those that answer other requests.
package final class PasswordWorkers: Sendable {
    package static let shared = PasswordWorkers(
        count: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

    /// Hashes that wait for one worker before another is refused: a few seconds' worth, which
    /// is as long as anybody waits for an answer.
    package static let waitingForEach = 64

    private let queue: OperationQueue
    private let limit: Int
    private let admitted = Mutex(0)

    /// - Parameters:
    ///   - count: hashes at a time; others wait.
    ///   - waiting: how many may wait; nil for `waitingForEach` worker.
    package init(count: Int, waiting: Int? = nil) {
        queue = OperationQueue()
        queue.name = "passwords"
        queue.maxConcurrentOperationCount = count
        limit = count + (waiting ?? count * Self.waitingForEach)
    }

    /// Does a piece of work when a worker is free.
    ///
    /// - Throws: `PasswordsBusy` where too many wait already.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        let hasRoom = admitted.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard hasRoom else { throw PasswordsBusy() }
        return await withCheckedContinuation { continuation in
            queue.addOperation { [self] in
                let value = work()
                admitted.withLock { $0 -= 1 }
                continuation.resume(returning: value)
            }
        }
    }
}

/// Pairs of P-256 keys for the API.
package struct OpenSSLKeyMaker: APIKeyMaker {
    package init() {}

    package func makePair() throws -> APIKeyPair {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        let name = String(try SecureRandom.bytes(10).map { letters[Int($0 & 31)] })
        guard let id = APIKeyID(name), let issuer = IssuerID(UUID().uuidString) else {
            preconditionFailure("ten capitals and digits, and a UUID")
        }
        let key = try SigningKey.generate()
        return APIKeyPair(
            id: id, issuer: issuer, privateKey: try key.pem(), publicKey: try key.publicPEM())
    }
}
