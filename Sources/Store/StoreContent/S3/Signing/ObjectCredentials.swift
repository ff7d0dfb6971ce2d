import Foundation
import StoreModel

/// The key with which requests to an object store are signed.
///
/// Neither printing nor dumping one shows the secret.
package struct ObjectCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    package let accessKey: String
    let secret: String
    /// Comes with keys that are good for some hours.
    let sessionToken: String?

    package init(accessKey: String, secret: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
    }

    /// Reads what programs for S3 read: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
    /// `AWS_SESSION_TOKEN`.
    ///
    /// - Throws: `ObjectStoreError` with `credentials` where one of the first two is missing.
    package init(environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let text = environment[name], !text.isEmpty else {
                throw ObjectStoreError(
                    .credentials,
                    "\(name) is not set; the object store wants a key. Set AWS_ACCESS_KEY_ID and "
                        + "AWS_SECRET_ACCESS_KEY, or name a file with both.")
            }
            return text
        }
        let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(
            accessKey: try value("AWS_ACCESS_KEY_ID"),
            secret: try value("AWS_SECRET_ACCESS_KEY"), sessionToken: token)
    }

    /// Reads a file with lines such as `aws_access_key_id = …`, as `~/.aws/credentials` has them;
    /// of several sections, the first.
    ///
    /// - Throws: `ObjectStoreError` with `credentials`, which never quotes the file.
    package init(file: URL) throws {
        let text: String
        do {
            text = try String(contentsOf: file, encoding: .utf8)
        } catch {
            throw ObjectStoreError(
                .credentials, "The file \(file.path) with the object store's key can't be read.")
        }
        var values: [String: String] = [:]
        var sections = 0
        for line in text.split(whereSeparator: \.isNewline) {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix(scalars: "[") { sections += 1 }
            // A value of another section belongs to another key.
            guard sections < 2 else { break }
            let parts = line.split(scalar: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2, !parts[0].hasPrefix(scalars: "#") else { continue }
            let name = parts[0].uppercased()
            if values[name] == nil { values[name] = parts[1] }
        }
        guard values["AWS_ACCESS_KEY_ID"] != nil, values["AWS_SECRET_ACCESS_KEY"] != nil else {
            throw ObjectStoreError(
                .credentials,
                "The file \(file.path) lacks aws_access_key_id or aws_secret_access_key.")
        }
        try self.init(environment: values)
    }

    package var description: String { "the key \(accessKey)" }
    package var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}
