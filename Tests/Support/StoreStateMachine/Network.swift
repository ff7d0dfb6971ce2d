import Foundation
import FoundationNetworking
import StoreHTTP
import StoreKit

/// A request on its way.
final class Flight: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    enum Stage {
        case sent
        case served
        case answered(HTTPResponse)
        /// Nobody waits for the answer any more.
        case over
    }

    let number: Int
    let request: HTTPRequest
    let url: URL
    let owner: JobOwner
    fileprivate var continuation: UnsafeContinuation<(Data, HTTPURLResponse), any Error>?
    fileprivate(set) var stage = Stage.sent
    /// Whether its request takes its time, and whether the answer does.
    fileprivate var slowness = (request: false, answer: false)

    init(
        number: Int, request: HTTPRequest, url: URL, owner: JobOwner,
        continuation: UnsafeContinuation<(Data, HTTPURLResponse), any Error>
    ) {
        self.number = number
        self.request = request
        self.url = url
        self.owner = owner
        self.continuation = continuation
    }

    var isSent: Bool { if case .sent = stage { true } else { false } }
    var isAnswered: Bool { if case .answered = stage { true } else { false } }
    /// Whether what is under way now takes its time.
    var isSlow: Bool { isAnswered ? slowness.answer : slowness.request }
    var name: String { "\(number) \(request.method) \(request.path.split(separator: "/").last!)" }
}

/// What lies between device and store. Steps decide what becomes of each request.
final class Network: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    let pool: JobPool
    let shop: Shop
    private(set) var flights: [Flight] = []
    /// Requests that were sent a second time, or whose sender has died; they arrive whenever
    /// they like, and their answers go nowhere.
    private(set) var stray: [HTTPRequest] = []
    var isDown = false
    /// Says of each request to a path whether it takes its time, and so of its answer.
    var isSlow: (_ path: String) -> Bool = { _ in false }
    /// What was ordered under which key, and what the store said to it.
    let orders = Orders()
    private var count = 0

    init(shop: Shop) {
        self.shop = shop
        self.pool = shop.pool
    }

    // MARK: The device's side

    /// - Parameter onSent: called when the request is on its way.
    func send(
        _ request: URLRequest, onSent: @escaping () -> Void
    ) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, let converted = HTTPRequest(request) else {
            throw URLError(.badURL)
        }
        orders.leave(converted)
        count += 1
        let number = count
        let owner = pool.owner
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                guard !Task.isCancelled else {
                    continuation.resume(throwing: URLError(.cancelled))
                    return
                }
                let flight = Flight(
                    number: number, request: converted, url: url, owner: owner,
                    continuation: continuation)
                flight.slowness = (isSlow(converted.path), isSlow(converted.path))
                flights.append(flight)
                onSent()
            }
        } onCancel: {
            if let flight = flights.first(where: { $0.number == number }) {
                fail(flight, .cancelled)
            }
        }
    }

    // MARK: Steps

    /// The request reaches the store.
    func deliver(_ flight: Flight) {
        flight.stage = .served
        serve(flight.request) { response in
            if case .served = flight.stage { flight.stage = .answered(response) }
        }
    }

    /// The request reaches the store, and once more whenever it likes.
    func duplicate(_ flight: Flight) {
        stray.append(flight.request)
        deliver(flight)
    }

    func deliverStray(at index: Int) {
        serve(stray.remove(at: index)) { _ in }
    }

    /// The answer reaches the device.
    func answer(_ flight: Flight) {
        guard case .answered(let response) = flight.stage, case .data(let data) = response.body
        else { return }
        var headers: [String: String] = [:]
        for (name, value) in response.headers.fields { headers[name] = value }
        end(flight, .success((data, flight.response(response.status, headers))))
    }

    /// Something between device and store answers in the store's place.
    func answerByGateway(_ flight: Flight) {
        let page = Data("<h1>502 Bad Gateway</h1>".utf8)
        end(flight, .success((page, flight.response(502, ["Content-Type": "text/html"]))))
    }

    /// The request, or the answer to it, is lost.
    func fail(_ flight: Flight, _ code: URLError.Code) {
        end(flight, .failure(URLError(code)))
    }

    /// The sender has died. What it has sent may arrive all the same.
    func forget(_ owner: JobOwner, arrives: (Flight) -> Bool) {
        for flight in flights where flight.owner == owner {
            if flight.isSent, arrives(flight) { stray.append(flight.request) }
            flight.stage = .over
        }
        flights.removeAll { $0.owner == owner }
    }

    private func end(_ flight: Flight, _ result: Result<(Data, HTTPURLResponse), any Error>) {
        flight.stage = .over
        flights.removeAll { $0 === flight }
        pool.acting(as: flight.owner) { flight.continuation?.resume(with: result) }
        flight.continuation = nil
    }

    private func serve(
        _ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        let served: @Sendable (HTTPResponse) -> Void = { [orders] response in
            orders.hear(response, to: request)
            answer(response)
        }
        pool.acting(as: .store) {
            switch shop.router.respond(to: request) {
            case .now(let response): served(response)
            case .later(let work): Task { served(await work()) }
            }
        }
    }
}

extension Flight {
    fileprivate func response(_ status: Int, _ headers: [String: String]) -> HTTPURLResponse {
        HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)!
    }
}

extension HTTPRequest {
    /// The request as the store's server would read it.
    fileprivate init?(_ request: URLRequest) {
        guard let url = request.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        var headers = HTTPHeaders()
        for (name, value) in request.allHTTPHeaderFields ?? [:] { headers.append(name, value) }
        self.init(
            method: request.httpMethod ?? "GET", path: parts.path,
            query: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }, headers: headers,
            body: request.httpBody ?? Data())
    }
}
