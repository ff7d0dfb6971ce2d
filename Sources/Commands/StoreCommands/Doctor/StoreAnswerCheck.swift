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
    var transport: any StoreTransport = HTTPTransport()

    /// Where one reaches what listens at `HOST:PORT`.
    static func address(listening: String, isSecure: Bool) throws -> String {
        let (host, port) = try ServeCommand.listening(listening)
        let place = ReachableAddress.text(host: host, port: port)
        return "\(isSecure ? "https" : "http")://\(place)"
    }

    /// - Parameter mustAnswer: whether somebody said that there is a store at the address.
    func look(at address: String, mustAnswer: Bool, _ report: inout CheckupReport) async {
        guard let url = URL(string: address + "/.well-known/openstore/root.der") else { return }
        let answer: (Data, HTTPURLResponse)
        do {
            answer = try await transport.send(URLRequest(url: url, timeoutInterval: 10))
        } catch {
            report.add(
                mustAnswer ? .broken : .note, "answer",
                "nobody answers: \(visibleError(error).localizedDescription)", at: address,
                mustAnswer
                    ? "see whether openstore serve runs, and the way to it; over HTTPS, whether its "
                        + "certificate is for this name and of an authority that this machine trusts"
                    : "nothing, if the store is not meant to run; --store names another address")
            return
        }
        guard answer.1.statusCode == 200, SHA256Digest.hex(answer.0) == root else {
            report.add(
                mustAnswer ? .broken : .warning, "answer",
                "what answers is not this store, but something else", at: address,
                "see which folder the store there runs over; --store names another address")
            return
        }
        report.passed("answer", address)
    }
}
