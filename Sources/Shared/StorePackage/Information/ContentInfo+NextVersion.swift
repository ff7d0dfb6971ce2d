import Foundation
import StoreModel

extension ContentInfo {
    /// A property list with the last number of its `ContentVersion` raised by one.
    ///
    /// All other keys, and the list's form, stay: XML is changed in its place, so that
    /// comments and order stay as well.
    ///
    /// - Throws: `PackageError` with every problem of the file.
    package static func withNextVersion(propertyList data: Data) throws -> Data {
        let before = try ContentInfo(propertyList: data)
        guard let next = before.version.next else {
            throw PackageError(
                .version,
                "ContentVersion is \(before.version), which can't be raised; "
                    + "write a higher one", path: fileName)
        }
        if let changed = replacing(before.version.text, by: next.text, in: data),
            let after = try? ContentInfo(propertyList: changed), after.version == next,
            sameKeys(of: data, and: changed)
        {
            return changed
        }
        var format = PropertyListSerialization.PropertyListFormat.xml
        let list = try PropertyListSerialization.propertyList(from: data, format: &format)
        guard var keys = list as? [String: Any] else {
            preconditionFailure("a property list that was read is a dictionary")
        }
        keys["ContentVersion"] = next.text
        // The old form of NeXT can be read, but not written.
        return try PropertyListSerialization.data(
            fromPropertyList: keys, format: format == .openStep ? .xml : format, options: 0)
    }

    /// XML with another version in its place; nil where the place is not plain.
    private static func replacing(_ old: String, by new: String, in data: Data) -> Data? {
        guard !data.starts(with: Array("bplist".utf8)),
            let text = String(data: data, encoding: .utf8)
        else { return nil }
        let pattern =
            #"(<key>\s*ContentVersion\s*</key>\s*<string>\s*)"#
            + NSRegularExpression.escapedPattern(for: old) + #"(\s*</string>)"#
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
        let all = NSRange(text.startIndex..., in: text)
        guard expression.numberOfMatches(in: text, range: all) == 1 else { return nil }
        let changed = expression.stringByReplacingMatches(
            in: text, range: all,
            withTemplate: "$1\(NSRegularExpression.escapedTemplate(for: new))$2")
        return Data(changed.utf8)
    }

    /// Whether two lists differ in nothing but the version.
    private static func sameKeys(of first: Data, and second: Data) -> Bool {
        func keys(_ data: Data) -> NSDictionary? {
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
            var keys = list as? [String: Any]
            keys?["ContentVersion"] = nil
            return keys.map { NSDictionary(dictionary: $0) }
        }
        guard let first = keys(first), let second = keys(second) else { return false }
        return first.isEqual(second)
    }
}

extension ContentVersion {
    /// The version with its last number raised; nil where that has nine nines.
    fileprivate var next: ContentVersion? {
        var parts = text.split(scalar: ".").map(String.init)
        guard let last = parts.popLast().flatMap({ Int($0) }) else { return nil }
        return ContentVersion((parts + [String(last + 1)]).joined(separator: "."))
    }
}
