import Foundation
import StoreHTTP
import Synchronization

/// A customer's browser, as far as pages without scripts need one: it keeps cookies,
/// follows redirects, and fills in the forms that it was given.
package final class PageBrowser: Sendable {
    /// A page as it came.
    package struct Page: Sendable {
        package let status: Int
        package let headers: HTTPHeaders
        package let text: String
        /// Scheme, host, port and path.
        package let url: String

        package init(status: Int, headers: HTTPHeaders, text: String, url: String) {
            self.status = status
            self.headers = headers
            self.text = text
            self.url = url
        }

        /// What is read, without markup.
        package var words: String {
            text.replacing(/<[^>]*>/, with: "").unescaped
        }

        /// The fields of the form with their values; none where there is no form.
        package var fields: [String: String] {
            var fields: [String: String] = [:]
            for input in text.matches(of: /<input ([^>]*)>/) {
                let attributes = String(input.1)
                guard let name = Self.attribute("name", attributes) else { continue }
                fields[name] = Self.attribute("value", attributes) ?? ""
            }
            return fields
        }

        /// The answers that the buttons stand for.
        package var buttons: [String] {
            text.matches(of: /<button ([^>]*)>/).compactMap {
                Self.attribute("value", String($0.1))
            }
        }

        /// The same, without those that lead to other pages.
        package var answers: [String] { buttons.filter { !$0.hasPrefix("/") } }

        private static func attribute(_ name: String, _ attributes: String) -> String? {
            attributes.firstRange(of: "\(name)=\"").map { start in
                String(attributes[start.upperBound...].prefix { $0 != "\"" }).unescaped
            }
        }
    }

    private let client: LoopbackClient
    private let origin: String
    private let jar = Mutex<[String: String]>([:])

    package init(port: UInt16) {
        client = LoopbackClient(port: port)
        origin = "http://127.0.0.1:\(port)"
    }

    /// Names and values of the cookies.
    package var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    /// - Parameter languages: what the browser's customer reads, as `Accept-Language`.
    package func open(_ url: String, languages: String? = nil) async throws -> Page {
        var request = HTTPRequest(method: "GET", path: String(url.dropFirst(origin.count)))
        request.headers["Accept-Language"] = languages
        return try await send(request)
    }

    /// Types into fields and presses a button.
    ///
    /// - Parameters:
    ///   - fields: what is typed; the rest stays as the page has it. Nil takes a field away.
    ///   - headers: what the browser sends otherwise than browsers do; nil takes one away.
    package func submit(
        _ page: Page, _ answer: String, _ fields: [String: String?] = [:],
        headers: [String: String?] = [:]
    ) async throws -> Page {
        var all: [String: String] = page.fields
        all["answer"] = answer
        for (name, value) in fields { all[name] = value }
        let body = all.map { "\($0.key.formEncoded)=\($0.value.formEncoded)" }
            .joined(separator: "&")
        var request = HTTPRequest(
            method: "POST", path: String(page.url.dropFirst(origin.count)),
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Origin": origin,
            ], body: Data(body.utf8))
        for (name, value) in headers { request.headers[name] = value }
        return try await send(request)
    }

    private func send(_ request: HTTPRequest) async throws -> Page {
        var request = request
        request.headers["Host"] = String(origin.dropFirst("http://".count))
        let cookies = cookies
        if !cookies.isEmpty {
            request.headers["Cookie"] = cookies.map { "\($0.key)=\($0.value)" }
                .joined(separator: "; ")
        }
        let response = try await client.send(request)
        for field in response.headers.fields where field.name.lowercased() == "set-cookie" {
            let sides = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if sides.count == 2 {
                jar.withLock { $0[String(sides[0])] = String(sides[1]) }
            }
        }
        if response.status == 303, let location = response.headers["Location"] {
            // The rest of an address stays with the browser.
            let location = location.prefix { $0 != "#" }
            if location.hasPrefix("/") {
                return try await send(HTTPRequest(method: "GET", path: String(location)))
            }
            let folder = request.path.split(separator: "/").dropLast().joined(separator: "/")
            return try await send(HTTPRequest(method: "GET", path: "/\(folder)/\(location)"))
        }
        return Page(
            status: response.status, headers: response.headers, text: response.text,
            url: origin + request.path)
    }
}

extension String {
    fileprivate var unescaped: String {
        var text = self
        for (escaped, plain) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            text = text.replacingOccurrences(of: escaped, with: plain)
        }
        return text
    }

    fileprivate var formEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
