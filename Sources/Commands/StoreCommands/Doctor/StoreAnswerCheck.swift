import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreSecurity
import StoreServer

/// Looks whether a store answers at an address, and whether it is the one whose folder was looked at.
struct StoreAnswerCheck {
    /// SHA-256 of the root certificate, hexadecimal.
    let root: String
    var transport: any RequestTransport = HTTPTransport()

    /// Where one reaches what listens at `HOST:PORT`.
    static func address(listening: String, isSecure: Bool) throws -> String {
        let (host, port) = try ServeCommand.listening(listening)
        let place = ReachableAddress.text(host: host, port: port)
        return "\(isSecure ? "https" : "http")://\(place)"
    }

    /// Who answers at an address.
    enum Answerer {
        case thisStore
        case other
        case nobody(String)
    }

    func answerer(at address: String) async -> Answerer {
        guard let url = URL(string: address + "/.well-known/openstore/root.der") else {
            return .nobody("it is not an address")
        }
        do {
            let (data, response) = try await transport.send(
                URLRequest(url: url, timeoutInterval: 10))
            return response.statusCode == 200 && SHA256Digest.hex(data) == root
                ? .thisStore : .other
        } catch {
            return .nobody(visibleError(error).localizedDescription)
        }
    }

    /// - Parameter mustAnswer: whether somebody said that there is a store at the address.
    func look(at address: String, mustAnswer: Bool, _ report: inout DiagnosticsReport) async {
        switch await answerer(at: address) {
        case .thisStore: report.passed("answer", address)
        case .other:
            report.add(
                mustAnswer ? .broken : .warning, "answer",
                "what answers is not this store, but something else", at: address,
                "see which folder the store there runs over; --store names another address")
        case .nobody(let reason):
            report.add(
                mustAnswer ? .broken : .note, "answer", "nobody answers: \(reason)", at: address,
                mustAnswer
                    ? "see whether openstore serve runs, and the way to it; over HTTPS, whether its "
                        + "certificate is for this name and of an authority that this machine trusts"
                    : "nothing, if the store is not meant to run; --store names another address")
        }
    }
}
