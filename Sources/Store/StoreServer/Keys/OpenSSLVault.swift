import Foundation
import StoreCore
import StoreSecurity

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

    package func verify(password: String, against hash: String) async -> Bool {
        guard let workers else { return PasswordHash.verify(password, against: hash) }
        return await workers.run { PasswordHash.verify(password, against: hash) }
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

    private let queue: OperationQueue

    /// - Parameter count: hashes at a time; others wait.
    package init(count: Int) {
        queue = OperationQueue()
        queue.name = "passwords"
        queue.maxConcurrentOperationCount = count
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: work()) }
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
