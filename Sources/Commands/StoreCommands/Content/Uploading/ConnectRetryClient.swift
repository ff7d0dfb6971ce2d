import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreWire

/// Sends requests to a store's API, again and again where the connection is lost or the store
/// is not there.
struct ConnectRetryClient: Sendable {
    /// How long a store may be away before its client gives up, seconds.
    static let patience: TimeInterval = 300
    private static let longestPause: TimeInterval = 10

    let address: String
    let credential: ConnectCredential
    let transport: any RequestTransport
    /// Hears that a request is tried again, with the reason.
    let retrying: @Sendable (String) -> Void

    /// Sends a request and gives the body of a success.
    ///
    /// - Throws: `JSONAPIErrors` for a refusal, `ConnectError` where the store can't be
    ///   reached.
    func send(
        _ method: String, _ path: String, _ body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> Data {
        guard let url = URL(string: address + path) else {
            throw ConnectError(description: "\(address)\(path) is not an address")
        }
        let start = ContinuousClock.now
        var pause: TimeInterval = 0.25
        while true {
            let failure: String
            do {
                var request = URLRequest(url: url)
                request.httpMethod = method
                request.httpBody = body
                request.setValue(
                    body == nil ? nil : "application/octet-stream",
                    forHTTPHeaderField: "Content-Type")
                for (name, value) in headers {
                    request.setValue(value, forHTTPHeaderField: name)
                }
                // A fresh one each time: some uploads outlast a token.
                if let token = try credential.token(at: Date()) {
                    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
                }
                let (data, response) = try await transport.send(request)
                switch Self.answer(response.statusCode, data) {
                case .success(let data): return data
                case .refusal(let errors): throw errors
                case .again(let reason): failure = reason
                }
            } catch let error as URLError {
                if error.code == .cancelled { throw CancellationError() }
                failure = error.localizedDescription
                // Time does not mend it.
                if error.code == .serverCertificateUntrusted {
                    throw ConnectError(
                        description: "\(address) is not to be trusted: \(failure). The "
                            + "certificates that this system trusts decide.")
                }
            }
            guard ContinuousClock.now - start < .seconds(Self.patience) else {
                throw ConnectError(
                    description: "The store at \(address) can't be reached (\(failure)). What was "
                        + "sent is kept; run the command again to go on.")
            }
            retrying(failure)
            try await Task.sleep(for: .seconds(pause * Double.random(in: 0.75...1.25)))
            pause = min(Self.longestPause, pause * 2)
        }
    }

    private enum Answer {
        case success(Data)
        case refusal(JSONAPIErrors)
        case again(String)
    }

    private static func answer(_ status: Int, _ data: Data) -> Answer {
        if (200..<300).contains(status) { return .success(data) }
        let errors = try? WireCoding.decode(JSONAPIErrors.self, from: data)
        let first = errors?.errors.first
        // Another part is being looked at, or was changed on its way.
        let isPassing = ["STATE_ERROR.UPLOAD_BUSY", "ENTITY_ERROR.DIGEST"].contains(first?.code)
        if isPassing || status == 429 || (status >= 500 && status != 507) {
            return .again(first?.detail ?? "status \(status)")
        }
        if let errors { return .refusal(errors) }
        // Not a store's answer: a proxy's, or that of something else at this address.
        let wire = try? WireCoding.decode(WireError.self, from: data)
        return .refusal(
            JSONAPIErrors([
                JSONAPIError(
                    status: status, code: wire?.code.rawValue ?? "UNEXPECTED_ANSWER",
                    title: "Unexpected answer",
                    detail: wire?.message
                        ?? "What answers there with status \(status) is no OpenStore; check --store."
                )
            ]))
    }
}

/// The store can't be reached, or does not behave.
struct ConnectError: Error, Sendable, CustomStringConvertible {
    let description: String
}
