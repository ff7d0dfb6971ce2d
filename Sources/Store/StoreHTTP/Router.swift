/// Finds the handler for a request.
///
/// A pattern is a path whose segments may be `{name}`, standing for one non-empty
/// segment each. Segments without braces win over those with, the first ones first; a name
/// that the route gives choices for stands for one of these, and wins over one that stands for
/// anything. `{name...}` at the end stands for all that is left, slashes included, and loses
/// to everything else.
package struct Router: Sendable {
    package typealias Handler = @Sendable (HTTPRequest) -> HTTPOutcome

    /// A method, a pattern and what answers them.
    package struct Route: Sendable {
        package let method: HTTPMethod
        package let pattern: String
        package let handler: Handler
        /// Refuses requests by their header, before a large body is taken; nil where anyone may
        /// send one.
        package let admission: Refusing?
        /// What names of the pattern may stand for; anything where there is nothing for a name.
        package let choices: [String: Set<String>]
        /// The place in the router's list.
        fileprivate var number = -1

        package init(
            _ method: HTTPMethod, _ pattern: String, choices: [String: Set<String>] = [:],
            admission: Refusing? = nil, handler: @escaping Handler
        ) {
            self.method = method
            self.pattern = pattern
            self.choices = choices
            self.admission = admission
            self.handler = handler
        }
    }

    /// The answer that refuses a request, whose body is not there yet; nil where it may come.
    package typealias Refusing = @Sendable (HTTPRequest) async -> HTTPResponse?

    /// Answers for paths that no route has.
    private let unknownPath: @Sendable (HTTPRequest) -> HTTPResponse
    /// Answers for known paths with another method; gets the methods that there are.
    private let wrongMethod: @Sendable (HTTPRequest, [HTTPMethod]) -> HTTPResponse
    /// Routes whose patterns have no parameters, which most requests are for.
    private var exact: [String: [HTTPMethod: Route]] = [:]
    private var patterns = Place()
    /// All routes, in the order of their numbers (`RequestTrace.route`).
    package private(set) var routes: [Route] = []

    /// The routes with a common beginning. A request walks as many places as its path has
    /// segments, however many routes there are.
    private struct Place {
        var routes: [HTTPMethod: Route]?
        var texts: [Substring: Place] = [:]
        var chosen: [(choices: Set<String>, place: Place)] = []
        var parameter: [Place] = []
        /// Routes that take all that is left.
        var rest: [HTTPMethod: Route]?
    }

    package init(
        routes: [Route],
        unknownPath: @escaping @Sendable (HTTPRequest) -> HTTPResponse,
        wrongMethod: @escaping @Sendable (HTTPRequest, [HTTPMethod]) -> HTTPResponse
    ) {
        self.unknownPath = unknownPath
        self.wrongMethod = wrongMethod
        for var route in routes {
            route.number = self.routes.count
            self.routes.append(route)
            add(route)
        }
    }

    /// The outcome of the handler, or of the answer for what no route takes.
    package func respond(to request: HTTPRequest) -> HTTPOutcome {
        var request = request
        guard let routes = routes(for: &request) else { return .now(unknownPath(request)) }
        return dispatch(request, routes)
    }

    /// What decides about a request before its body is taken. What no route takes is refused
    /// without one.
    package func admission(of request: HTTPRequest) -> (@Sendable () async -> HTTPResponse?)? {
        var request = request
        guard let routes = routes(for: &request) else {
            let refusal = unknownPath(request)
            return { refusal }
        }
        guard let route = route(for: request.method, of: routes) else {
            let refusal = wrongMethod(request, allowed(by: routes))
            return { refusal }
        }
        guard let refusing = route.admission else { return nil }
        return { [request] in await refusing(request) }
    }

    /// The routes of the request's path, whose parameters it gets.
    private func routes(for request: inout HTTPRequest) -> [HTTPMethod: Route]? {
        if let routes = exact[request.path] { return routes }
        var parameters: [String] = []
        guard let found = find(split(request.path)[...], from: patterns, &parameters) else {
            return nil
        }
        request.parameters = parameters
        return found
    }

    private mutating func add(_ route: Route) {
        guard route.pattern.utf8.contains(UInt8(ascii: "{")) else {
            let previous = exact[route.pattern, default: [:]]
                .updateValue(route, forKey: route.method)
            precondition(previous == nil, "\(route.method) \(route.pattern) is routed twice")
            return
        }
        Self.add(route, segments: split(route.pattern)[...], to: &patterns)
    }

    private static func add(
        _ route: Route, segments: ArraySlice<Substring>, to place: inout Place
    ) {
        guard let segment = segments.first else {
            let previous = place.routes?[route.method]
            precondition(previous == nil, "\(route.method) \(route.pattern) is routed twice")
            place.routes = (place.routes ?? [:]).merging([route.method: route]) { $1 }
            return
        }
        let rest = segments.dropFirst()
        if segment.first == "{", segment.utf8.suffix(4).elementsEqual("...}".utf8) {
            precondition(rest.isEmpty, "\(route.pattern) goes on behind its rest")
            let previous = place.rest?[route.method]
            precondition(previous == nil, "\(route.method) \(route.pattern) is routed twice")
            place.rest = (place.rest ?? [:]).merging([route.method: route]) { $1 }
        } else if let choices = route.choices[String(segment.dropFirst().dropLast())],
            segment.first == "{"
        {
            let known = place.chosen.firstIndex { $0.choices == choices }
            if known == nil { place.chosen.append((choices, Place())) }
            add(route, segments: rest, to: &place.chosen[known ?? place.chosen.count - 1].place)
        } else if segment.first == "{" {
            if place.parameter.isEmpty { place.parameter = [Place()] }
            add(route, segments: rest, to: &place.parameter[0])
        } else {
            add(route, segments: rest, to: &place.texts[segment, default: Place()])
        }
    }

    private func find(
        _ segments: ArraySlice<Substring>, from place: Place, _ parameters: inout [String]
    ) -> [HTTPMethod: Route]? {
        guard let segment = segments.first else { return place.routes }
        let rest = segments.dropFirst()
        if let next = place.texts[segment], let found = find(rest, from: next, &parameters) {
            return found
        }
        for (choices, next) in place.chosen where choices.contains(String(segment)) {
            parameters.append(String(segment))
            if let found = find(rest, from: next, &parameters) { return found }
            parameters.removeLast()
        }
        if let next = place.parameter.first, !segment.isEmpty {
            parameters.append(String(segment))
            if let found = find(rest, from: next, &parameters) { return found }
            parameters.removeLast()
        }
        guard let routes = place.rest, segments.contains(where: { !$0.isEmpty }) else { return nil }
        parameters.append(segments.joined(separator: "/"))
        return routes
    }

    private func dispatch(
        _ request: HTTPRequest, _ routes: [HTTPMethod: Route]
    ) -> HTTPOutcome {
        guard let route = route(for: request.method, of: routes) else {
            return .now(wrongMethod(request, allowed(by: routes)))
        }
        request.trace?.took(route.number)
        return route.handler(request)
    }

    private func route(for method: String, of routes: [HTTPMethod: Route]) -> Route? {
        HTTPMethod(rawValue: method).flatMap { routes[$0 == .head ? .get : $0] }
    }

    private func allowed(by routes: [HTTPMethod: Route]) -> [HTTPMethod] {
        var allowed = routes.keys.sorted { $0.rawValue < $1.rawValue }
        if allowed.contains(.get) { allowed.append(.head) }
        return allowed
    }

    private func split(_ path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
