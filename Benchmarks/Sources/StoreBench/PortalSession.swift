import Foundation

/// Somebody who is signed in to the portal of a store that runs.
enum PortalSession {
    /// Becomes the first operator by the link that the store prints.
    ///
    /// - Returns: the browser's cookies.
    static func cookie(of server: StoreProcess, folder: URL) throws -> String {
        guard
            let link = server.banner.split(whereSeparator: \.isWhitespace)
                .first(where: { $0.contains("/connect/first/") }).map(String.init)
        else { throw BenchFailure("the store printed no link for its first operator") }
        let jar = folder.appendingPathComponent("cookies").path
        let jars = ["-s", "-b", jar, "-c", jar]
        let page = try BenchShop.run("/usr/bin/curl", jars + [link])
        guard let form = page.firstMatch(of: /name="form" value="([^"]*)"/)?.1 else {
            throw BenchFailure("no form at \(link)")
        }
        try BenchShop.run(
            "/usr/bin/curl",
            jars + [
                "-f", "-o", "/dev/null", "-H", "Sec-Fetch-Site: same-origin",
                "--data-urlencode", "form=\(form)", "-d", "name=Bench",
                "-d", "email=\(BenchShop.email)", "-d", "password=long-enough-for-all", link,
            ])
        let lines = try String(contentsOfFile: jar, encoding: .utf8).split(separator: "\n")
        let cookies = lines.map { $0.split(separator: "\t") }.filter { $0.count == 7 }
        guard !cookies.isEmpty else { throw BenchFailure("the store set no cookie") }
        return cookies.map { "\($0[5])=\($0[6])" }.joined(separator: "; ")
    }
}
