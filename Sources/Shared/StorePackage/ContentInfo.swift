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
        let parsed = try? PropertyListSerialization.propertyList(from: data, format: nil)
        guard let keys = parsed as? [String: Any] else {
            throw PackageError([
                PackageProblem(
                    path: Self.fileName, rule: .information,
                    advice:
                        "it is not a property list with a dictionary at the top; write one with "
                        + "the keys ContentVersion and IAPProductIdentifier")
            ])
        }
        var problems: [PackageProblem] = []
        func value<Value>(_ key: String, _ form: String, _ make: (String) -> Value?) -> Value? {
            guard let text = keys[key] as? String else {
                problems.append(
                    PackageProblem(
                        path: Self.fileName, rule: .information,
                        advice: "the key \(key) is missing or not a string; it holds \(form)"))
                return nil
            }
            if let value = make(text) { return value }
            problems.append(
                PackageProblem(
                    path: Self.fileName, rule: .information,
                    advice: "\(key) is \"\(text)\"; it must hold \(form)"))
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
}
