import Foundation

/// Texts that turn into markup, script or paths where somebody forgets to escape them. The
/// browser's tests look for the same ones.
package enum HostileStrings {
    package static let all: [String] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "HostileStrings.json")
        guard let data = try? Data(contentsOf: file),
            let texts = try? JSONDecoder().decode([String].self, from: data), texts.count >= 40
        else { preconditionFailure("\(file.path) has no texts") }
        return texts
    }()
}
