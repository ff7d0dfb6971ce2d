import Foundation
import StoreModel
import StoreWire

/// What a store has refused, or why it can't be asked.
struct ConnectFailure: ExitCoded, CustomStringConvertible {
    /// The HTTP status; 0 where there was no answer.
    let status: Int
    let errors: [JSONAPIError]

    /// - Parameter body: of an answer that is no success.
    init(status: Int, body: Data, address: String) {
        self.status = status
        if let errors = try? WireCoding.decode(JSONAPIErrors.self, from: body).errors,
            !errors.isEmpty
        {
            self.errors = errors
        } else {
            self.errors = Self.noStore(at: address, status: status).errors
        }
    }

    private init(status: Int, _ code: String, _ detail: String) {
        self.status = status
        errors = [
            JSONAPIError(status: status, code: code, title: "The store", detail: detail)
        ]
    }

    /// What a name does not lead to: the same as where the store says so of an identifier.
    static func notFound(_ sentence: String) -> ConnectFailure {
        ConnectFailure(status: 404, "NOT_FOUND", sentence)
    }

    static func unreachable(_ address: String, _ reason: String) -> ConnectFailure {
        ConnectFailure(
            status: 0, "UNREACHABLE", "The store at \(address) can't be reached (\(reason)).")
    }

    static func noStore(at address: String, status: Int) -> ConnectFailure {
        ConnectFailure(
            status: status, "UNEXPECTED_ANSWER",
            "What answers at \(address) with status \(status) is no OpenStore; check --store.")
    }

    /// What answers at an address that was named with a folder, and is none of its store.
    static func otherStore(at address: String, _ folder: String) -> ConnectFailure {
        ConnectFailure(
            status: 0, "OTHER_STORE",
            "What answers at \(address) is not the store in \(folder): check --store and --data.")
    }

    static func endlessList(at address: String) -> ConnectFailure {
        ConnectFailure(
            status: 200, "UNEXPECTED_ANSWER",
            "The list that the store at \(address) sends has no end; check --store.")
    }

    /// One line for each thing that is wrong, with its place in the request.
    var description: String {
        errors.map { error in
            let place =
                (error.source?.pointer ?? error.source?.parameter.map(Self.option))
                .map { " (\($0))" } ?? ""
            // Apple's sentence for 401 is made for programs; ours says what to do.
            let text =
                status == 401
                ? error.meta?.reason.map { "\($0) Use openstore login, or --key." }
                    ?? error.detail ?? error.title
                : error.detail ?? error.title
            // Some sentences name their place themselves.
            let name = place.dropping(prefix: " (")?.dropping(suffix: ")") ?? ""
            return text.range(scalars: String(name)) == nil ? text + place : text
        }.joined(separator: "\n")
    }

    /// A parameter of a request as people give it to commands.
    private static func option(_ parameter: String) -> String {
        parameter.dropping(prefix: "filter[")?.dropping(suffix: "]").map { "--\($0)" } ?? parameter
    }

    var exitCode: ExitCode {
        switch status {
        case 0: .unreachable
        case 401, 403: .notAllowed
        case 404: .notFound
        case 429: .later
        case 500...: .storeFailed
        default: .refused
        }
    }
}
