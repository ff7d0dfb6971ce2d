import Foundation
import FoundationNetworking
import StoreHTTP
import StoreKit

/// Carries requests to a store that this process has opened: no server is needed, and no key.
struct RouterTransport: RequestTransport {
    private static let pieceSize = 1 << 16

    let router: Router
    /// Scheme, host and port at which the store is reached when it runs, for links and profiles.
    let address: String

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (response, header) = try await answer(to: request)
        var data = Data()
        try Self.read(response.body) { data += $0 }
        return (data, header)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let (response, header) = try await answer(to: request)
        try accept(header)
        try Self.read(response.body, sink)
    }

    private func answer(
        to request: URLRequest
    ) async throws -> (HTTPResponse, HTTPURLResponse) {
        guard let url = request.url else { throw URLError(.badURL) }
        let sent = try Self.request(request, to: url, statedOrigin: address)
        let response: HTTPResponse
        // As a server does it: what the header says is looked at before the body.
        if let admit = router.admission(of: sent), let refusal = await admit() {
            response = refusal
        } else {
            switch router.respond(to: sent) {
            case .now(let answer): response = answer
            case .later(let work): response = await work()
            }
        }
        let fields = Dictionary(
            response.headers.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        guard
            let header = HTTPURLResponse(
                url: url, statusCode: response.status, httpVersion: "HTTP/1.1",
                headerFields: fields)
        else { throw URLError(.badServerResponse) }
        return (response, header)
    }

    private static func request(
        _ request: URLRequest, to url: URL, statedOrigin: String
    ) throws -> HTTPRequest {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw URLError(.badURL)
        }
        var headers = HTTPHeaders(
            (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) })
        headers["Host"] =
            (components.host ?? "localhost") + (components.port.map { ":\($0)" } ?? "")
        var sent = HTTPRequest(
            method: request.httpMethod ?? "GET", path: components.path,
            query: (components.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") },
            headers: headers, body: request.httpBody ?? Data())
        if let stream = request.httpBodyStream { sent.bodyFile = try file(of: stream) }
        sent.isTLS = components.scheme == "https"
        sent.statedOrigin = statedOrigin
        return sent
    }

    /// What a stream has, on disk, as a server keeps large bodies.
    private static func file(of stream: InputStream) throws -> AnonymousFile {
        let file = try AnonymousFile(in: FileManager.default.temporaryDirectory)
        stream.open()
        defer { stream.close() }
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let count = stream.read(&piece, maxLength: piece.count)
            guard count >= 0 else { throw stream.streamError ?? URLError(.cannotOpenFile) }
            guard count > 0 else { return file }
            try file.append(Data(piece[..<count]))
        }
    }

    private static func read(
        _ body: HTTPResponse.Body, _ sink: (Data) throws -> Void
    ) throws {
        switch body {
        case .data(let data):
            if !data.isEmpty { try sink(data) }
        case .file(let slice):
            guard let descriptor = slice.take() else { throw URLError(.cannotOpenFile) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.seek(toOffset: slice.offset)
            var left = Int(clamping: slice.length)
            while left > 0, let piece = try handle.read(upToCount: min(left, pieceSize)),
                !piece.isEmpty
            {
                left -= piece.count
                try sink(piece)
            }
        }
    }
}
