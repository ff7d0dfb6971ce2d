import CStorePages
import Foundation
import StoreCore
import StoreHTTP

/// Style sheet, script and picture of the portal, under names that change with their bytes.
struct PortalFiles: Sendable {
    struct File: Sendable {
        /// The path below the store's address.
        let path: String
        fileprivate let name: String
        fileprivate let type: String
        fileprivate let bytes: Data
    }

    let style: File
    let script: File
    let mark: File

    init(naming: PageSessionService) {
        func file(
            _ type: String, _ suffix: String,
            _ bytes: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?
        ) -> File {
            var count = 0
            let data = bytes(&count).map { Data(bytes: $0, count: count) } ?? Data()
            let name = naming.name(of: String(decoding: data, as: UTF8.self)) + suffix
            return File(
                path: "\(PortalRoutes.prefix)/assets/\(name)", name: name, type: type, bytes: data)
        }
        style = file("text/css; charset=utf-8", ".css", cstore_pages_connect_style)
        script = file("text/javascript; charset=utf-8", ".js", cstore_pages_connect_script)
        mark = file("image/svg+xml", ".svg", cstore_pages_mark)
    }

    /// The file of a name; nil for an unknown one.
    func response(named name: String) -> HTTPResponse? {
        guard let file = [style, script, mark].first(where: { $0.name == name }) else {
            return nil
        }
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": file.type, "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            ], body: file.bytes)
    }
}
