/// Finds the handler for a request.
///
/// A pattern is a path whose segments may be `{name}`, standing for one non-empty
/// segment each. Segments without braces win over those with, the first ones first.
package struct Router: Sendable {
    package typealias Handler = @Sendable (HTTPRequest) -> HTTPOutcome

    /// A method, a pattern and what answers them.
    package struct Route: Sendable {
        package let method: HTTPMethod
        package let pattern: String
        package let handler: Handler

        package init(_ method: HTTPMethod, _ pattern: String, handler: @escaping Handler) {
            self.method = method
            self.pattern = pattern
            self.handler = handler
        }
    }

    /// Answers for paths that no route has.
    private let unknownPath: @Sendable (HTTPRequest) -> HTTPResponse
    /// Answers for known paths with another method; gets the methods that there are.
    private let wrongMethod: @Sendable (HTTPRequest, [HTTPMethod]) -> HTTPResponse
    /// Routes whose patterns have no parameters, which most requests are for.
    private var exact: [String: [HTTPMethod: Handler]] = [:]
    private var patterns = Place()

    /// The routes with a common beginning. A request walks as many places as its path has
    /// segments, however many routes there are.
    private struct Place {
        var handlers: [HTTPMethod: Handler]?
        var texts: [Substring: Place] = [:]
        var parameter: [Place] = []
    }

    package init(
        routes: [Route],
        unknownPath: @escaping @Sendable (HTTPRequest) -> HTTPResponse,
        wrongMethod: @escaping @Sendable (HTTPRequest, [HTTPMethod]) -> HTTPResponse
    ) {
        self.unknownPath = unknownPath
        self.wrongMethod = wrongMethod
        for route in routes { add(route) }
    }

    /// The outcome of the handler, or of the answer for what no route takes.
    package func respond(to request: HTTPRequest) -> HTTPOutcome {
        if let handlers = exact[request.path] {
            return dispatch(request, handlers)
        }
        var parameters: [String] = []
        if let handlers = find(split(request.path)[...], from: patterns, &parameters) {
            var request = request
            request.parameters = parameters
            return dispatch(request, handlers)
        }
        return .now(unknownPath(request))
    }

    private mutating func add(_ route: Route) {
        guard route.pattern.contains("{") else {
            let previous = exact[route.pattern, default: [:]]
                .updateValue(route.handler, forKey: route.method)
            precondition(previous == nil, "\(route.method) \(route.pattern) is routed twice")
            return
        }
        Self.add(route, segments: split(route.pattern)[...], to: &patterns)
    }

    private static func add(
        _ route: Route, segments: ArraySlice<Substring>, to place: inout Place
    ) {
        guard let segment = segments.first else {
            let previous = place.handlers?[route.method]
            precondition(previous == nil, "\(route.method) \(route.pattern) is routed twice")
            place.handlers = (place.handlers ?? [:]).merging([route.method: route.handler]) { $1 }
            return
        }
        let rest = segments.dropFirst()
        if segment.hasPrefix("{") {
            if place.parameter.isEmpty { place.parameter = [Place()] }
            add(route, segments: rest, to: &place.parameter[0])
        } else {
            add(route, segments: rest, to: &place.texts[segment, default: Place()])
        }
    }

    private func find(
        _ segments: ArraySlice<Substring>, from place: Place, _ parameters: inout [String]
    ) -> [HTTPMethod: Handler]? {
        guard let segment = segments.first else { return place.handlers }
        let rest = segments.dropFirst()
        if let next = place.texts[segment], let found = find(rest, from: next, &parameters) {
            return found
        }
        guard let next = place.parameter.first, !segment.isEmpty else { return nil }
        parameters.append(String(segment))
        if let found = find(rest, from: next, &parameters) { return found }
        parameters.removeLast()
        return nil
    }

    private func dispatch(
        _ request: HTTPRequest, _ handlers: [HTTPMethod: Handler]
    ) -> HTTPOutcome {
        let method = HTTPMethod(rawValue: request.method)
        if let method, let handler = handlers[method == .head ? .get : method] {
            return handler(request)
        }
        var allowed = handlers.keys.sorted { $0.rawValue < $1.rawValue }
        if allowed.contains(.get) { allowed.append(.head) }
        return .now(wrongMethod(request, allowed))
    }

    private func split(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
