import Foundation
import StoreModel

/// A program of Swift as the command of `intercept run`: its `URLSession` reads no variable that
/// names roots, and trusts those of the system.
struct SwiftProgram: Sendable {
    /// The roots of the system on Debian, which Swift's Foundation reads.
    static let systemRoots = "/etc/ssl/certs/ca-certificates.crt"

    /// As it was called.
    let name: String

    /// - Parameters:
    ///   - name: of the program, looked for on the search path as execvp(3) does.
    ///   - path: the search path.
    /// - Returns: nil for one that does not use Swift's `URLSession`, as far as its file says.
    init?(_ name: String, searchPath path: String?) {
        let places =
            name.contains(scalar: "/")
            ? [name]
            : (path ?? "/usr/local/bin:/usr/bin:/bin").split(scalar: ":").map { "\($0)/\(name)" }
        guard let place = places.first(where: { access($0, X_OK) == 0 }),
            let file = try? Data(
                contentsOf: URL(fileURLWithPath: place), options: .alwaysMapped),
            Self.usesURLSession(file)
        else { return nil }
        self.name = name
    }

    /// Whether a file is an executable that names Foundation's networking: the library that it
    /// needs, or its symbols where it has it inside.
    static func usesURLSession(_ file: Data) -> Bool {
        file.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")])
            && file.range(of: Data("FoundationNetworking".utf8)) != nil
    }

    /// What to do before it can talk to the store; nil where the system trusts the root already.
    ///
    /// - Parameters:
    ///   - root: the file with the root of the interception.
    ///   - system: the file with the roots that the system trusts.
    func advice(root: String, system: String = systemRoots) -> String? {
        guard let text = try? String(contentsOfFile: root, encoding: .utf8),
            let trusted = try? String(contentsOfFile: system, encoding: .utf8),
            trusted.range(scalars: text.trimmingCharacters(in: .whitespacesAndNewlines)) != nil
        else {
            return """
                \(name) is a program of Swift: its URLSession trusts the roots of the system only, \
                whatever SSL_CERT_FILE says. Let it see the root of the interception in their place:
                  openstore intercept run -- unshare --map-current-user --mount sh -c \
                'mount --bind "$0" \(Self.systemRoots) && exec "$@"' \(shellWord(root)) \
                \(shellWord(name)) ...
                """
        }
        return nil
    }
}
