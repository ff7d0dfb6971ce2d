import StoreTestSupport

/// A form that a page did not give to this browser, or not so.
enum Forgery: String, CaseIterable, Sendable {
    case noToken, wrongToken, tokenOfOtherPage, otherOrigin, nullOrigin, noOrigin
    case otherSite, noCookie, otherCookie, noAnswer, otherAnswer
}

extension PageBrowser {
    /// Says yes on a page, with something forged.
    ///
    /// - Parameter other: a page with another question.
    func submit(
        _ page: Page, _ forgery: Forgery, other: Page, password: String
    ) async throws -> Page {
        var fields: [String: String?] = ["password": password]
        var headers: [String: String?] = [:]
        var answer = "yes"
        switch forgery {
        case .noToken: fields.updateValue(nil, forKey: "form")
        case .wrongToken: fields["form"] = "x"
        case .tokenOfOtherPage: fields["form"] = other.fields["form"]
        case .otherOrigin: headers["Origin"] = "http://evil.example"
        case .nullOrigin: headers["Origin"] = "null"
        case .noOrigin: headers.updateValue(nil, forKey: "Origin")
        case .otherSite:
            headers = ["Origin": nil as String?, "Sec-Fetch-Site": "cross-site"]
        case .noCookie: cookies = [:]
        case .otherCookie:
            cookies = cookies.mapValues { _ in String(repeating: "c", count: 43) }
        case .noAnswer: answer = ""
        case .otherAnswer: answer = "steal"
        }
        return try await submit(page, answer, fields, headers: headers)
    }
}
