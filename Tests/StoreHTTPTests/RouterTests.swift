import Foundation
import StoreHTTP
import Testing

@Suite struct RouterTests {
    /// Answers with the name of the route and what stood in place of its parameters.
    static func route(_ method: HTTPMethod, _ pattern: String) -> Router.Route {
        Router.Route(method, pattern) { request in
            let text = ([pattern] + request.parameters).joined(separator: " ")
            return .now(HTTPResponse(status: 200, body: Data(text.utf8)))
        }
    }

    static let router = Router(
        routes: [
            route(.get, "/things/{id}"), route(.delete, "/things/{id}"),
            route(.get, "/things/all"), route(.post, "/things"),
            route(.get, "/{kind}/{id}/parts"), route(.get, "/things/{id}/parts"),
            route(.get, "/"), route(.put, "/only"),
        ],
        unknownPath: { HTTPResponse(status: 404, body: Data($0.path.utf8)) },
        wrongMethod: { _, allowed in
            HTTPResponse(
                status: 405, headers: ["Allow": allowed.map(\.rawValue).joined(separator: ", ")])
        })

    private func answer(_ method: String, _ path: String) throws -> HTTPResponse {
        guard
            case .now(let response) = Self.router.respond(
                to: HTTPRequest(method: method, path: path))
        else { throw UnexpectedOutcome() }
        return response
    }

    private struct UnexpectedOutcome: Error {}

    @Test(arguments: [
        ("/", "/"), ("/things/all", "/things/all"), ("/things/7", "/things/{id} 7"),
        ("/things/All", "/things/{id} All"), ("/things/7/parts", "/things/{id}/parts 7"),
        ("/people/7/parts", "/{kind}/{id}/parts people 7"),
        ("/things/all/parts", "/things/{id}/parts all"),
        ("/things/a b+c%20", "/things/{id} a b+c%20"), ("/things/..", "/things/{id} .."),
        ("/things/{id}", "/things/{id} {id}"), ("/things/日本", "/things/{id} 日本"),
        ("/things/\u{301}7", "/things/{id} \u{301}7"),
    ])
    func `the most exact route answers`(path: String, text: String) throws {
        let response = try answer("GET", path)
        #expect(response.status == 200)
        #expect(response.text == text)
    }

    @Test(
        arguments: [
            ("/files/a", "/files/{rest...} a"), ("/files/a/b", "/files/{rest...} a/b"),
            ("/files/a//b/", "/files/{rest...} a//b/"), ("/files//a", "/files/{rest...} /a"),
            ("/files/known", "/files/known"), ("/files/one/more", "/files/{id}/more one"),
            ("/files/one/less", "/files/{rest...} one/less"),
            ("/files", nil), ("/files/", nil), ("/files//", nil), ("/filesystem/a", nil),
        ] as [(String, String?)])
    func `a rest takes all that is left, where nothing else does`(
        path: String, text: String?
    ) throws {
        let router = Router(
            routes: [
                Self.route(.get, "/files/{rest...}"), Self.route(.get, "/files/known"),
                Self.route(.get, "/files/{id}/more"),
            ], unknownPath: { _ in HTTPResponse(status: 404) },
            wrongMethod: { _, _ in HTTPResponse(status: 405) })
        guard
            case .now(let response) = router.respond(to: HTTPRequest(method: "GET", path: path))
        else { throw UnexpectedOutcome() }
        #expect(response.status == (text == nil ? 404 : 200))
        if let text { #expect(response.text == text) }
    }

    @Test func `a name stands for its choices only, and before one that stands for anything`()
        throws
    {
        func route(_ pattern: String, _ choices: [String: Set<String>] = [:]) -> Router.Route {
            Router.Route(.get, pattern, choices: choices) { request in
                let text = ([pattern] + request.parameters).joined(separator: " ")
                return .now(HTTPResponse(status: 200, body: Data(text.utf8)))
            }
        }
        let choices: [String: Set<String>] = ["country": ["us", "jp"], "kind": ["app"]]
        let router = Router(
            routes: [
                route("/{country}", choices), route("/{country}/{kind}/{id}", choices),
                route("/{country}/find", choices), route("/{any}/search"), route("/jp/only"),
            ], unknownPath: { _ in HTTPResponse(status: 404) },
            wrongMethod: { _, _ in HTTPResponse(status: 405) })
        for (path, text) in [
            ("/us", "/{country} us"), ("/jp/app/7", "/{country}/{kind}/{id} jp app 7"),
            ("/us/find", "/{country}/find us"), ("/us/search", "/{any}/search us"),
            ("/xx/search", "/{any}/search xx"), ("/jp/only", "/jp/only"),
            ("/xx", nil), ("/us/book/7", nil), ("/xx/app/7", nil), ("/US", nil), ("/", nil),
        ] {
            guard
                case .now(let response) = router.respond(
                    to: HTTPRequest(method: "GET", path: path))
            else { throw UnexpectedOutcome() }
            #expect(response.status == (text == nil ? 404 : 200), "\(path)")
            #expect(response.text == text ?? "", "\(path)")
        }
    }

    @Test func `routes with a common beginning do not hide one another`() throws {
        let router = Router(
            routes: [
                Self.route(.get, "/a/{x}/b/{y}"), Self.route(.get, "/a/c/b"),
                Self.route(.get, "/a/{x}/{y}/{z}"), Self.route(.get, "/a/c/{y}/d"),
                Self.route(.post, "/a/{x}/b/{z}"),
            ], unknownPath: { _ in HTTPResponse(status: 404) },
            wrongMethod: { _, _ in HTTPResponse(status: 405) })
        for (path, text) in [
            ("/a/1/b/2", "/a/{x}/b/{y} 1 2"), ("/a/c/b", "/a/c/b"),
            ("/a/c/b/d", "/a/c/{y}/d b"), ("/a/c/b/e", "/a/{x}/b/{y} c e"),
            ("/a/c/x/d", "/a/c/{y}/d x"), ("/a/c/x/e", "/a/{x}/{y}/{z} c x e"),
        ] {
            guard
                case .now(let response) = router.respond(
                    to: HTTPRequest(method: "GET", path: path))
            else { throw UnexpectedOutcome() }
            #expect(response.text == text, "\(path)")
        }
    }

    @Test(arguments: [
        "", "things", "/thing", "/things/", "/things//", "//", "//things", "/things/7/",
        "/things//parts",
        "/things/7/parts/1", "/THINGS/7", "/things/7/part", "/things%2F7",
    ])
    func `a path that no route has is not found`(path: String) throws {
        let response = try answer("GET", path)
        #expect(response.status == 404)
        #expect(response.text == path)
    }

    @Test(arguments: [
        ("POST", "/things/7", "DELETE, GET, HEAD"), ("POST", "/things/all", "GET, HEAD"),
        ("DELETE", "/things/all", "GET, HEAD"), ("GET", "/things", "POST"),
        ("HEAD", "/things", "POST"), ("HEAD", "/only", "PUT"), ("OPTIONS", "/only", "PUT"),
        ("get", "/things/all", "GET, HEAD"), ("", "/only", "PUT"),
        ("BREW", "/things/7", "DELETE, GET, HEAD"),
    ])
    func `another method is refused with those that there are`(
        method: String, path: String, allowed: String
    ) throws {
        let response = try answer(method, path)
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == allowed)
    }

    @Test func `HEAD is answered by the route for GET`() throws {
        #expect(try answer("HEAD", "/things/7").text == "/things/{id} 7")
    }

    @Test func `names of header fields are compared without case`() {
        var headers: HTTPHeaders = ["Content-Type": "a", "CONTENT-TYPE": "b", "X-Key@": "c"]
        #expect(headers["content-type"] == "a")
        #expect(headers["x-key@"] == "c")
        #expect(headers["x-key`"] == nil)
        #expect(headers["content-typ"] == nil)
        headers["content-Type"] = "d"
        #expect(headers.fields.map(\.value) == ["c", "d"])
        headers["X-KEY@"] = nil
        #expect(headers.fields.map(\.name) == ["content-Type"])
    }
}
