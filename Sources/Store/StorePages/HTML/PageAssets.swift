import CStorePages
import Foundation
import StoreCore
import StoreHTTP

/// The files that pages refer to, under names that change with their bytes.
package struct PageAssets: Sendable {
    package struct File: Sendable {
        package let name: String
        let type: String
        let bytes: Data
    }

    package let style: File
    /// Of the pages on which customers walk through the store.
    package let storefrontStyle: File
    package let mark: File
    /// Tells the store whether somebody looks at a page.
    package let presenceScript: File

    package init(naming: PageSessionService) {
        func file(
            _ type: String, _ suffix: String,
            _ bytes: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?
        ) -> File {
            var count = 0
            let data = bytes(&count).map { Data(bytes: $0, count: count) } ?? Data()
            let text = String(decoding: data, as: UTF8.self)
            return File(name: naming.name(of: text) + suffix, type: type, bytes: data)
        }
        style = file("text/css; charset=utf-8", ".css", cstore_pages_style)
        storefrontStyle = file(
            "text/css; charset=utf-8", ".css", cstore_pages_storefront_style)
        mark = file("image/svg+xml", ".svg", cstore_pages_mark)
        presenceScript = file(
            "text/javascript; charset=utf-8", ".js", cstore_pages_presence_script)
    }

    /// The file of a name; nil for an unknown one.
    func response(named name: String) -> HTTPResponse? {
        let files = [style, storefrontStyle, mark, presenceScript]
        guard let file = files.first(where: { $0.name == name }) else { return nil }
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": file.type, "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            ], body: file.bytes)
    }
}
