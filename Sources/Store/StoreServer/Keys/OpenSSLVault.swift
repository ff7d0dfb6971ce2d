import Foundation
import StoreCore
import StoreKernel
import StoreSecurity

/// Passwords by scrypt, tokens from the system's random numbers, both through OpenSSL.
package struct OpenSSLVault: CredentialVault {
    private let logN: Int
    private let threads: BlockingPool?

    /// - Parameters:
    ///   - logN: the cost of a password's hash.
    ///   - threads: compute it; `nil` for whoever asks.
    package init(logN: Int = PasswordHash.standardLogN, threads: BlockingPool? = .passwords) {
        self.logN = logN
        self.threads = threads
    }

    package func hash(password: String) async throws -> String {
        let logN = logN
        guard let threads else { return try PasswordHash.make(password, logN: logN) }
        return try await threads.run { try PasswordHash.make(password, logN: logN) }
    }

    package func verify(password: String, against hash: String) async throws -> Bool {
        guard let threads else { return PasswordHash.verify(password, against: hash) }
        return try await threads.run { PasswordHash.verify(password, against: hash) }
    }

    package func makeDecoyHash() throws -> String { try PasswordHash.makeDecoy(logN: logN) }

    package func makeToken() throws -> String { Base64URL.encode(try SecureRandom.bytes(32)) }

    package func makeIdentifier() -> String { UUID().uuidString.lowercased() }

    package func digest(of token: String) -> Data { SHA256Digest.of(Data(token.utf8)) }
}

extension BlockingPool {
    /// Threads on which passwords are hashed: few, because each hash takes 16 MiB and a core for
    /// 50 ms, and apart from those that answer other requests.
    package static let passwords = passwords(
        threads: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

    /// Hashes that wait for one thread before another is refused: a few seconds' worth, which
    /// is as long as anybody waits for an answer.
    package static let waitingPasswords = 64

    /// - Parameters:
    ///   - threads: hashes at a time; others wait.
    ///   - queueLimit: how many may wait; `nil` for `waitingPasswords` each thread.
    package static func passwords(threads: Int, queueLimit: Int? = nil) -> BlockingPool {
        BlockingPool(
            "passwords", threads: threads, queueLimit: queueLimit ?? threads * waitingPasswords,
            full: PasswordsBusy())
    }
}

extension APIKeyPair {
    /// A new pair of P-256 keys for the API.
    package static func generate() throws -> APIKeyPair {
        let key = try SigningKey.generate()
        return APIKeyPair(
            id: try APIKeyID(random: SecureRandom.bytes), issuer: IssuerID(UUID()),
            privateKey: try key.pem(),
            publicKey: try key.publicPEM())
    }
}
