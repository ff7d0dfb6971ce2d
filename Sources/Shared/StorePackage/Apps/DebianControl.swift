import Foundation

/// The control file of a Debian package.
///
/// Source: Debian Policy, 5.1 and 5.6.12.
struct DebianControl {
    /// A file of more bytes is refused.
    static let sizeLimit: Int64 = 64 << 10

    private var fields: [String: String] = [:]

    init(_ data: Data) {
        for line in String(decoding: data, as: UTF8.self).split(scalar: "\n") {
            // A line that begins with a space goes on with the field before.
            guard let first = line.unicodeScalars.first, first != " ", first != "\t" else {
                continue
            }
            let parts = line.split(scalar: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    var name: String? { fields["package"] }

    /// `Version` without its epoch and without Debian's revision.
    var upstreamVersion: String? {
        guard let text = fields["version"] else { return nil }
        let version = text.split(scalar: ":", maxSplits: 1).last.map(String.init) ?? text
        guard let hyphen = version.unicodeScalars.lastIndex(of: "-") else { return version }
        return String(version[..<hyphen])
    }
}
