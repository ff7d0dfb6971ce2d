import CStoreHTTP
import Foundation
import Synchronization

/// What libmicrohttpd's callbacks find the server by.
final class HandlerContext: Sendable {
    private let known = Mutex<HTTPServer?>(nil)

    /// Nil when it has ended.
    var server: HTTPServer? { known.withLock { $0 } }

    /// Before libmicrohttpd gets the first connection.
    func begin(_ server: HTTPServer) { known.withLock { $0 = server } }

    func end() { known.withLock { $0 = nil } }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> HandlerContext {
        Unmanaged<HandlerContext>.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// Called by libmicrohttpd when the header is there, for each piece of the body, at
    /// its end, and once more after a suspended connection was resumed.
    func answer(
        _ connection: OpaquePointer?, url: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
        version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
        size: UnsafeMutablePointer<Int>?,
        slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let connection, let url, let method, let size, let slot,
            let server
        else { return cstore_http_no }
        let isCut = slot.pointee == cstore_http_cut()
        guard let held = slot.pointee, !isCut else {
            let exchange = Self.exchange(
                connection, method: String(cString: method), target: String(cString: url),
                isCut: isCut, by: server)
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            server.began(exchange)
            let problem =
                isCut
                ? .nullInAddress
                : RequestFraming.problem(
                    of: connection, version: version.map { String(cString: $0) } ?? "")
            if let problem { return exchange.refuse(server.malformed(exchange.path, problem)) }
            if let tunnel = server.tunnel, exchange.target.isForTunnel {
                return exchange.enter(tunnel) ? cstore_http_no : exchange.refuse(Self.noRoom)
            }
            return Self.begin(exchange, by: server)
        }
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeUnretainedValue()
        switch exchange.state {
        case .admission:
            if let refusal = exchange.takeResponse() { return exchange.refuse(refusal) }
            return Self.takeBody(of: exchange, by: server)
        case .body where size.pointee > 0:
            let goesOn = exchange.receive(
                UnsafeRawBufferPointer(start: data, count: size.pointee), limit: server.bodyLimit)
            size.pointee = 0
            return goesOn ? cstore_http_yes : cstore_http_no
        case .body(let body): return Self.end(body, of: exchange, by: server)
        case .work:
            guard let response = exchange.takeResponse() else { return cstore_http_no }
            return exchange.queue(response)
        case .header, .answer:
            // Nothing of it counts any more.
            size.pointee = 0
            return cstore_http_yes
        }
    }

    /// The body is there, or what was passed over of it.
    private static func end(
        _ body: ExchangeState.Body, of exchange: HTTPExchange, by server: HTTPServer
    ) -> MHD_Result {
        switch body {
        case .tooLarge:
            return exchange.queue(
                server.bodyTooLarge(exchange.path, exchange.limit(server.bodyLimit)))
        case .failed: return exchange.queue(server.busy(exchange.path))
        case .kept: break
        }
        if let response = exchange.target.answer { return exchange.queue(response) }
        exchange.enter(.work)
        let outcome = RequestTrace.$current.withValue(exchange.sender.trace) {
            server.handler(exchange.request())
        }
        switch outcome {
        case .now(let response):
            return exchange.queue(response)
        case .later(let work):
            return server.suspend(exchange, until: work)
        }
    }

    private static func exchange(
        _ connection: OpaquePointer, method: String, target: String, isCut: Bool,
        by server: HTTPServer
    ) -> HTTPExchange {
        let host = MHD_lookup_connection_value(connection, cstore_http_header, "Host")
        let isForTunnel = server.tunnel != nil && method == "CONNECT"
        let addressed =
            isForTunnel
            ? .path(target) : server.addressing(target, host.map { String(cString: $0) })
        let (path, answer): (String, HTTPResponse?) =
            switch addressed {
            case .path(let path): (path, nil)
            case .answered(let response, let path): (path, response)
            }
        let quota =
            isCut
            ? nil
            : server.spool?.quota(
                method: method, path: path,
                announced: HTTPExchange.announcedLength(of: connection))
        return HTTPExchange(
            connection: connection,
            target: HTTPExchange.Target(
                method: method, path: path, isForTunnel: isForTunnel, answer: answer),
            sender: server.sender(of: connection), isTLS: server.isTLS, common: server.common,
            spool: quota == nil ? nil : server.spool, quota: quota)
    }

    private static var noRoom: HTTPResponse {
        HTTPResponse(status: 503, headers: ["Retry-After": "2"])
    }

    /// The header is there: what it announces is refused, taken, or decided about first.
    private static func begin(_ exchange: HTTPExchange, by server: HTTPServer) -> MHD_Result {
        let limit = exchange.limit(server.bodyLimit)
        guard exchange.announcedLength <= limit else {
            return exchange.refuse(server.bodyTooLarge(exchange.path, limit))
        }
        if exchange.needsAdmission {
            if let response = exchange.target.answer { return exchange.refuse(response) }
            if let work = server.admission(exchange.request()) {
                return server.decide(about: exchange, by: work)
            }
        }
        return takeBody(of: exchange, by: server)
    }

    private static func takeBody(of exchange: HTTPExchange, by server: HTTPServer) -> MHD_Result {
        exchange.enter(.body(.kept))
        return exchange.beginSpooling()
            ? cstore_http_yes : exchange.refuse(server.busy(exchange.path))
    }

    /// Called when libmicrohttpd has let go of a connection's socket and is about to close it.
    func leave(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let slot, let held = slot.pointee else { return }
        slot.pointee = nil
        let context = Unmanaged<ConnectionContext>.fromOpaque(held).takeRetainedValue()
        context.left()
        server?.watch.remove(context)
    }

    func completed(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let slot, let held = slot.pointee, held != cstore_http_cut() else { return }
        slot.pointee = nil
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeRetainedValue()
        exchange.rest()
        guard let server else { return }
        server.observe?(exchange.record())
        server.ended(exchange)
    }
}
