import Foundation
import StoreModel

/// What `ContentInfo.plist` says: which product the content belongs to, and its version.
package struct ContentInfo: Sendable, Hashable {
    package static let fileName = "ContentInfo.plist"
    /// A property list larger than this is refused unread.
    package static let sizeLimit = 1 << 20

    package var productID: ProductID
    package var version: ContentVersion

    package init(productID: ProductID, version: ContentVersion) {
        self.productID = productID
        self.version = version
    }

    /// Reads the property list, XML or binary; keys of the app's own are allowed.
    ///
    /// - Throws: `PackageError` with every problem of the file.
    package init(propertyList data: Data) throws {
        var problems: [PackageProblem] = []
        func report(_ advice: String) {
            problems.append(
                PackageProblem(path: Self.fileName, rule: .information, advice: advice))
        }
        guard let keys = Self.keys(of: data) else {
            report(
                "it is not a property list with a dictionary at the top; write one with the keys "
                    + "ContentVersion and IAPProductIdentifier")
            throw PackageError(problems)
        }
        func value<Value>(_ key: String, _ form: String, _ make: (String) -> Value?) -> Value? {
            guard let text = keys[key] as? String else {
                report("the key \(key) is missing or not a string; it holds \(form)")
                return nil
            }
            if let value = make(text) { return value }
            report("\(key) is \"\(String(text.prefix(100)).printable)\"; it must hold \(form)")
            return nil
        }
        let version = value("ContentVersion", "integers separated by periods, such as 1.0") {
            ContentVersion($0)
        }
        let product = value("IAPProductIdentifier", "the identifier of the product") {
            ProductID($0)
        }
        guard let version, let product else { throw PackageError(problems) }
        self.init(productID: product, version: version)
    }

    /// The dictionary of a property list; nil where it is none, or one that would cost
    /// too much to read.
    private static func keys(of data: Data) -> [String: Any]? {
        guard data.count <= sizeLimit else { return nil }
        if data.starts(with: BinaryPropertyList.magic), !BinaryPropertyList.isPlain(data) {
            return nil
        }
        let parsed = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return parsed as? [String: Any]
    }

    /// What the information lacks of what is expected.
    package func problems(expecting expectation: PackageExpectation) -> [PackageProblem] {
        var problems: [PackageProblem] = []
        if let expected = expectation.productID, productID != expected {
            problems.append(
                PackageProblem(
                    path: Self.fileName, rule: .product,
                    advice: "IAPProductIdentifier is \(productID), but the content is for "
                        + "\(expected); write that"))
        }
        if let before = expectation.newerThan, !(before < version) {
            problems.append(
                PackageProblem(
                    path: Self.fileName, rule: .version,
                    advice: "ContentVersion is \(version), which is not newer than \(before); "
                        + "raise it (openstore content build --bump)"))
        }
        return problems
    }
}
