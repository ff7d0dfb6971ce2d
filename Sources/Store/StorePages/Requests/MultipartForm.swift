import Foundation
import StoreHTTP
import StoreModel

/// A form with files as browsers send it (`multipart/form-data`, RFC 7578). The bytes of large
/// files stay on the disk that the server has put the body on.
package struct MultipartForm: Sendable {
    /// A file that came with a form.
    package struct File: Sendable, Hashable {
        /// What its name was on the person's disk, without folders; only to be shown.
        package let name: String
        /// What the browser takes it for, for example `image/png`. Nothing to rely on.
        package let type: String
        /// Their indices need not begin at zero.
        package let bytes: Data
    }

    /// As many parts as are taken.
    package static let partLimit = 64
    private static let headerLimit = 2048

    package let fields: FormFields
    /// Files by the names of their fields; none for a field in which no file was chosen.
    package let files: [String: File]

    /// Whether a request says that it is one.
    package static func isStated(by request: HTTPRequest) -> Bool {
        request.headers["Content-Type"]?.lowercased().hasPrefix(scalars: "multipart/form-data")
            == true
    }

    /// - Throws: `FormFields.Problem`.
    package init(_ request: HTTPRequest) throws {
        guard let boundary = Self.boundary(request.headers["Content-Type"] ?? "") else {
            throw FormFields.Problem.malformed
        }
        let body = try request.wholeBody()
        let mark = Data("\r\n--\(boundary)".utf8)
        let first = Data("--\(boundary)".utf8)
        guard body.starts(with: first) else { throw FormFields.Problem.malformed }
        var fields: [String: [String]] = [:]
        var files: [String: File] = [:]
        var index = body.startIndex + first.count
        var count = 0
        while true {
            let rest = body[index...]
            // Two hyphens behind the last mark, a line's end behind any other.
            if rest.starts(with: Data("--".utf8)) { break }
            guard rest.starts(with: Data("\r\n".utf8)) else { throw FormFields.Problem.malformed }
            count += 1
            guard count <= Self.partLimit else { throw FormFields.Problem.tooLarge }
            let start = index + 2
            guard start <= body.endIndex, let end = Self.find(mark, in: body[start...]) else {
                throw FormFields.Problem.malformed
            }
            let part = try Part(body[start..<end], headerLimit: Self.headerLimit)
            if let fileName = part.fileName {
                if !fileName.isEmpty {
                    guard files[part.name] == nil else { throw FormFields.Problem.malformed }
                    files[part.name] = File(name: fileName, type: part.type, bytes: part.bytes)
                }
            } else {
                fields[part.name, default: []].append(try FormFields.text(part.bytes))
            }
            index = end + mark.count
        }
        self.fields = FormFields(fields)
        self.files = files
    }

    /// Where a mark begins for the first time; nil where it is not there.
    private static func find(_ mark: Data, in data: Data) -> Int? {
        data.withUnsafeBytes { bytes in
            mark.withUnsafeBytes { mark -> Int? in
                guard let start = bytes.baseAddress, let wanted = mark.baseAddress,
                    let first = mark.first
                else { return nil }
                var offset = 0
                while bytes.count - offset >= mark.count {
                    let rest = bytes.count - offset - mark.count + 1
                    guard let found = memchr(start + offset, Int32(first), rest) else { return nil }
                    offset = UnsafeRawPointer(found) - start
                    if memcmp(start + offset, wanted, mark.count) == 0 {
                        return data.startIndex + offset
                    }
                    offset += 1
                }
                return nil
            }
        }
    }

    private static func boundary(_ type: String) -> String? {
        guard let start = type.range(of: "boundary=", options: .caseInsensitive) else { return nil }
        let text = String(type[start.upperBound...].unicodeScalars.prefix { $0 != ";" })
            .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        let isSane =
            (1...70).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        return isSane ? text : nil
    }

    /// One part: its headers, an empty line, its bytes.
    private struct Part {
        let name: String
        let fileName: String?
        let type: String
        let bytes: Data
        /// What has fewer bytes is copied, so that the body need not stay for it.
        private static let copied = 1 << 20

        init(_ data: Data, headerLimit: Int) throws {
            let head = data.prefix(headerLimit)
            guard let blank = head.range(of: Data("\r\n\r\n".utf8)),
                let text = String(validating: head[..<blank.lowerBound], as: UTF8.self)
            else { throw FormFields.Problem.malformed }
            var headers: [String: String] = [:]
            for line in text.replacing(scalars: "\r\n", with: "\n").split(scalar: "\n") {
                let sides = line.split(scalar: ":", maxSplits: 1)
                guard sides.count == 2 else { throw FormFields.Problem.malformed }
                headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
            }
            let disposition = headers["content-disposition"] ?? ""
            guard disposition.lowercased().hasPrefix(scalars: "form-data"),
                let name = Self.parameter("name", of: disposition), !name.isEmpty
            else { throw FormFields.Problem.malformed }
            self.name = name
            // Some browsers send folders too, of Windows as well.
            let path = Self.parameter("filename", of: disposition)?
                .split(scalar: "\\", omittingEmptySubsequences: false).last
            fileName = path.map { String($0.split(scalar: "/").last ?? "") }
            type = headers["content-type"] ?? "application/octet-stream"
            let content = data[blank.upperBound...]
            bytes = content.count > Self.copied ? content : Data(content)
        }

        /// A quoted parameter; browsers write a quote within it as `%22`.
        private static func parameter(_ name: String, of header: String) -> String? {
            for prefix in ["; \(name)=\"", ";\(name)=\""] {
                guard let start = header.range(scalars: prefix) else { continue }
                let value = String(header[start.upperBound...].unicodeScalars.prefix { $0 != "\"" })
                return [("%22", "\""), ("%0D", ""), ("%0A", "")].reduce(value) {
                    $0.replacing(scalars: $1.0, with: $1.1)
                }
            }
            return nil
        }
    }
}
