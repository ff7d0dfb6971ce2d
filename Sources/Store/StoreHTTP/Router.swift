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
        /// The position in the list of routes.
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
    /// Numbers of the routes of a path, one for each method.
    private typealias Numbers = [Int]
    /// Routes whose patterns have no parameters, which most requests are for.
    private var exact: [String: Numbers] = [:]
    /// The first is where every other pattern begins.
    private var nodes = [Node()]
    /// All routes, in the order of their numbers (`RequestTrace.route`).
    package private(set) var routes: [Route] = []

    /// The routes with a common beginning. A request walks as many nodes as its path has
    /// segments, however many routes there are.
    private struct Node {
        var routes: Numbers = []
        /// Indices in `nodes`.
        var texts: [Substring: Int] = [:]
        var chosen: [(choices: Set<String>, node: Int)] = []
        var parameter: Int?
        /// Routes that take all that is left.
        var rest: Numbers = []
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
    private func routes(for request: inout HTTPRequest) -> Numbers? {
        if let routes = exact[request.path] { return routes }
        var parameters: [String] = []
        guard let found = find(split(request.path)[...], from: nodes[0], &parameters) else {
            return nil
        }
        request.parameters = parameters
        return found
    }

    private mutating func add(_ route: Route) {
        guard route.pattern.utf8.contains(UInt8(ascii: "{")) else {
            return Self.add(route, to: &exact[route.pattern, default: []], among: routes)
        }
        let segments = split(route.pattern)
        var node = 0
        for (index, segment) in segments.enumerated() {
            guard segment.first == "{", segment.utf8.suffix(4).elementsEqual("...}".utf8) else {
                node = self.node(behind: node, segment, of: route)
                continue
            }
            precondition(
                index == segments.count - 1, "\(route.pattern) goes on behind its rest")
            return Self.add(route, to: &nodes[node].rest, among: routes)
        }
        Self.add(route, to: &nodes[node].routes, among: routes)
    }

    private static func add(_ route: Route, to numbers: inout Numbers, among routes: [Route]) {
        precondition(
            !numbers.contains { routes[$0].method == route.method },
            "\(route.method) \(route.pattern) is routed twice")
        numbers.append(route.number)
    }

    /// The node that a segment of a pattern leads to.
    private mutating func node(behind node: Int, _ segment: Substring, of route: Route) -> Int {
        let new = nodes.count
        if segment.first != "{" {
            if let known = nodes[node].texts[segment] { return known }
            nodes[node].texts[segment] = new
        } else if let choices = route.choices[String(segment.dropFirst().dropLast())] {
            let known = nodes[node].chosen.first { $0.choices == choices }
            if let known { return known.node }
            nodes[node].chosen.append((choices, new))
        } else {
            if let known = nodes[node].parameter { return known }
            nodes[node].parameter = new
        }
        nodes.append(Node())
        return new
    }

    private func find(
        _ segments: ArraySlice<Substring>, from node: Node, _ parameters: inout [String]
    ) -> Numbers? {
        guard let segment = segments.first else {
            return node.routes.isEmpty ? nil : node.routes
        }
        let rest = segments.dropFirst()
        if let next = node.texts[segment], let found = find(rest, from: nodes[next], &parameters) {
            return found
        }
        for (choices, next) in node.chosen where choices.contains(String(segment)) {
            parameters.append(String(segment))
            if let found = find(rest, from: nodes[next], &parameters) { return found }
            parameters.removeLast()
        }
        if let next = node.parameter, !segment.isEmpty {
            parameters.append(String(segment))
            if let found = find(rest, from: nodes[next], &parameters) { return found }
            parameters.removeLast()
        }
        guard !node.rest.isEmpty, segments.contains(where: { !$0.isEmpty }) else { return nil }
        parameters.append(segments.joined(separator: "/"))
        return node.rest
    }

    private func dispatch(
        _ request: HTTPRequest, _ routes: Numbers
    ) -> HTTPOutcome {
        guard let route = route(for: request.method, of: routes) else {
            return .now(wrongMethod(request, allowed(by: routes)))
        }
        request.trace?.took(route.number)
        return route.handler(request)
    }

    private func route(for method: String, of numbers: Numbers) -> Route? {
        let method = HTTPMethod(rawValue: method)
        let wanted = method == .head ? .get : method
        return numbers.first { routes[$0].method == wanted }.map { routes[$0] }
    }

    private func allowed(by numbers: Numbers) -> [HTTPMethod] {
        var allowed = numbers.map { routes[$0].method }.sorted { $0.rawValue < $1.rawValue }
        if allowed.contains(.get) { allowed.append(.head) }
        return allowed
    }

    private func split(_ path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
