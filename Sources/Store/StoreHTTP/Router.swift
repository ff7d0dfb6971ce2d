/// Finds the handler for a request.
///
/// A pattern is a path whose segments may be `{name}`, standing for one non-empty
/// segment each. Segments without braces win over those with.
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
    private var exact: [String: [HTTPMethod: Handler]] = [:]
    private var patterns: [(segments: [Segment], handlers: [HTTPMethod: Handler])] = []

    private enum Segment: Equatable {
        case text(Substring)
        case parameter
    }

    package init(
        routes: [Route],
        unknownPath: @escaping @Sendable (HTTPRequest) -> HTTPResponse,
        wrongMethod: @escaping @Sendable (HTTPRequest, [HTTPMethod]) -> HTTPResponse
    ) {
        self.unknownPath = unknownPath
        self.wrongMethod = wrongMethod
        for route in routes { add(route) }
        patterns.sort { left, right in
            Self.parameterCount(left.segments) < Self.parameterCount(right.segments)
        }
    }

    /// The outcome of the handler, or of the answer for what no route takes.
    package func respond(to request: HTTPRequest) -> HTTPOutcome {
        if let handlers = exact[request.path] {
            return dispatch(request, handlers)
        }
        let segments = split(request.path)
        for (pattern, handlers) in patterns {
            guard let parameters = match(segments, pattern) else { continue }
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
        let segments = split(route.pattern).map { segment in
            segment.hasPrefix("{") ? Segment.parameter : Segment.text(segment)
        }
        let index =
            patterns.firstIndex { $0.segments == segments }
            ?? {
                patterns.append((segments, [:]))
                return patterns.count - 1
            }()
        let previous = patterns[index].handlers.updateValue(route.handler, forKey: route.method)
        precondition(previous == nil, "\(route.method) \(route.pattern) is routed twice")
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

    private func match(_ segments: [Substring], _ pattern: [Segment]) -> [String]? {
        guard segments.count == pattern.count else { return nil }
        var parameters: [String] = []
        for (segment, wanted) in zip(segments, pattern) {
            switch wanted {
            case .text(let text):
                guard segment == text else { return nil }
            case .parameter:
                guard !segment.isEmpty else { return nil }
                parameters.append(String(segment))
            }
        }
        return parameters
    }

    private static func parameterCount(_ segments: [Segment]) -> Int {
        segments.count { $0 == .parameter }
    }
}
