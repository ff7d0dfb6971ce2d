import Foundation
import StoreCore
import StoreHTTP
import StoreWire

/// The answer to an import, written to disk product by product: with thousands of them it is
/// long.
final class ImportDocument: ImportRecord {
    private let file: AnonymousFile
    private let beginning: Data

    /// - Parameter id: a name for what was done.
    init(id: String, in folder: URL) throws {
        file = try AnonymousFile(in: folder)
        beginning = Data(
            "{\"data\":{\"type\":\"\(Self.type)\",\"id\":\"\(id)\",\"attributes\":{\"changes\":["
                .utf8)
    }

    static let type = "productImports"

    func begin() throws {
        try file.clear()
        try file.append(beginning)
    }

    func add(_ outcome: ImportOutcome) throws {
        var members: [String: JSONValue] = [
            "productId": .string(outcome.productID.text), "kind": .string(outcome.kind.rawValue),
            "state": .string(outcome.state.rawValue),
            "differences": .array(
                outcome.differences.map { difference in
                    var members: [String: JSONValue] = ["field": .string(difference.field)]
                    members["before"] = difference.before.map(JSONValue.string)
                    members["after"] = difference.after.map(JSONValue.string)
                    return .object(members)
                }),
        ]
        members["line"] = outcome.line.map(JSONValue.integer)
        if file.count > UInt64(beginning.count) { try file.append(Data(",".utf8)) }
        try file.append(JSONValue.object(members).encoded())
    }

    /// Ends the document.
    func answer(
        _ counts: ImportCounts, isRehearsal: Bool, notTaken: [String], address: String
    ) throws -> HTTPResponse {
        let attributes: JSONValue = [
            "dryRun": .bool(isRehearsal), "added": .integer(counts.added),
            "changed": .integer(counts.changed), "unchanged": .integer(counts.unchanged),
            "notTaken": .texts(notTaken),
        ]
        let links: JSONValue = ["self": .string(address)]
        // The other attributes follow the list: without their own bracket.
        try file.append(Data("],".utf8))
        try file.append(Data(attributes.encoded().dropFirst()))
        try file.append(Data("},\"links\":".utf8))
        try file.append(links.encoded())
        try file.append(Data("}".utf8))
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            file: try file.slice())
    }
}
