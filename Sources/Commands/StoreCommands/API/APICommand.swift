import Foundation
import StoreModel
import StoreWire

/// `openstore api`
enum APICommand: ConnectCommand {
    static let spec = CommandSpec(
        words: ["api"], summary: "Send any request to the API, and show the JSON of its answer.",
        discussion: """
            GET takes parameters of the query: openstore api GET /v1/apps limit=5. Other methods
            take attributes of the resource that the path names, as text (name=value) or as JSON
            (name:=true), or the whole document of a file: openstore api POST /v1/bundleIds
            --input new.json.
            """,
        arguments: [
            .init(name: "METHOD", help: "GET, POST, PATCH, PUT or DELETE."),
            .init(name: "PATH", help: "Below /connect, for example /v1/apps."),
            .init(
                name: "NAME=VALUE ...", help: "Parameters or attributes.", isOptional: true,
                isRepeatable: true),
        ],
        options: [
            .value(
                "input", "FILE|-", "Send the JSON of this file, or of standard input for -."),
            .flag("paginate", "Get all pages of a list, as one document."),
        ] + ConnectOptions.all.filter { !["json", "quiet"].contains($0.name) })

    private static let methods = ["GET", "POST", "PATCH", "PUT", "DELETE"]
    /// The largest file that is sent, bytes.
    private static let inputLimit = 8 << 20

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let method = arguments.argument(0).uppercased()
        guard methods.contains(method) else {
            throw UsageError(
                description: "\"\(arguments.argument(0))\" is none of "
                    + methods.joined(separator: ", "))
        }
        var (path, query) = try target(arguments.argument(1))
        let fields = try arguments.repeatedArguments.map(field)
        var body: Data?
        if method == "GET" {
            for (name, value) in fields { query[name] = value.plainText }
        } else if let input = arguments["input"] {
            guard fields.isEmpty else {
                throw UsageError(
                    option: "input", "attributes stand in the file; leave out NAME=VALUE")
            }
            body = try contents(of: input)
        } else if !fields.isEmpty {
            body = document(method, path, fields).encoded()
        }
        if arguments.has("paginate") {
            guard method == "GET" else {
                throw UsageError(option: "paginate", "only GET has pages")
            }
            return connect.output.json(text: try await pages(path, query, connect.api).pretty())
        }
        let answer = try await connect.api.data(
            method, path, query, body, type: body == nil ? nil : "application/json")
        guard !answer.isEmpty else { return }
        if let value = try? JSONValue(reading: answer, depth: 64) {
            connect.output.json(text: value.pretty())
        } else {
            connect.output.data(String(decoding: answer, as: UTF8.self))
        }
    }

    /// Path and parameters of what people write, with or without `/connect`.
    ///
    /// - Throws: `UsageError`.
    static func target(_ text: String) throws -> (path: String, query: [String: String]) {
        let rooted = text.hasPrefix(scalars: "/") ? text : "/\(text)"
        guard let components = URLComponents(string: rooted), components.host == nil,
            components.scheme == nil
        else { throw UsageError(description: "\"\(text)\" is not a path, such as /v1/apps") }
        let path = components.path
        var query: [String: String] = [:]
        for item in components.queryItems ?? [] { query[item.name] = item.value ?? "" }
        return (path.dropping(prefix: "/connect/").map { "/\($0)" } ?? path, query)
    }

    /// - Throws: `UsageError` for what has no name, or no JSON behind `:=`.
    static func field(_ text: String) throws -> (name: String, value: JSONValue) {
        let sides = text.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty, sides[0] != ":" else {
            throw UsageError(description: "\"\(text)\" is not NAME=VALUE")
        }
        guard let name = sides[0].dropping(suffix: ":") else {
            return (String(sides[0]), .string(String(sides[1])))
        }
        guard let value = try? JSONValue(reading: Data(sides[1].utf8), depth: 64) else {
            throw UsageError(description: "\"\(sides[1])\" of \(name) is not JSON")
        }
        return (String(name), value)
    }

    /// The document of a resource that is made at a path, or changed where it is.
    static func document(
        _ method: String, _ path: String, _ fields: [(name: String, value: JSONValue)]
    ) -> JSONValue {
        let parts = path.split(scalar: "/").map(String.init)
        let attributes = Dictionary(fields, uniquingKeysWith: { $1 })
        var data: [String: JSONValue] = ["attributes": .object(attributes)]
        let isNew = method == "POST" || parts.count < 2
        data["type"] = (isNew ? parts.last : parts.dropLast().last).map(JSONValue.string)
        if !isNew { data["id"] = parts.last.map(JSONValue.string) }
        return ["data": .object(data)]
    }

    /// All pages of a list.
    private static func pages(
        _ path: String, _ query: [String: String], _ api: ConnectAPI
    ) async throws -> JSONValue {
        var query = query
        if query["limit"] == nil { query["limit"] = "200" }
        var (data, included): ([JSONValue], [JSONValue]) = ([], [])
        var trail = PageTrail(api.address)
        while true {
            let page = try await api.send("GET", path, query)
            guard let elements = page["data"]?.elements else { return page }
            data += elements
            included += page["included"]?.elements ?? []
            guard let next = try trail.next(after: page) else { break }
            query["cursor"] = next
        }
        var document: [String: JSONValue] = ["data": .array(data)]
        if !included.isEmpty { document["included"] = .array(included) }
        return .object(document)
    }

    private static func contents(of path: String) throws -> Data {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else {
            do { handle = try FileHandle(forReadingFrom: ParsedArguments.url(path)) } catch {
                throw UsageError(option: "input", "\(path) can't be read")
            }
        }
        let data = (try? handle.read(upToCount: inputLimit + 1)) ?? Data()
        guard data.count <= inputLimit, (try? JSONValue(reading: data, depth: 64)) != nil else {
            throw UsageError(
                option: "input",
                "\(path == "-" ? "standard input" : path) holds no JSON of at most 8 MB")
        }
        return data
    }
}
