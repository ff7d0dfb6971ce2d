import StoreModel
import StoreSecurity
import StoreWire

/// The app's provisioning profile: which store and environment it talks to, and the root
/// that it trusts.
package struct DeviceProfile: Sendable {
    /// The file's text, by which the app introduces itself to the store.
    package let text: String
    /// What stands for the text once the store has seen it.
    let digest: String
    package let payload: ProfilePayload
    /// A short name for the store and environment, for file names.
    package var tag: String { Self.tag(of: payload.baseURL) }
    package let verifier: JWSVerifier
    /// The SHA-256 of the root certificate that signatures lead to, hexadecimal.
    package let rootFingerprint: String

    /// The same of a store's address for devices.
    package static func tag(of baseURL: String) -> String {
        String(SHA256Digest.hex(Data(baseURL.utf8)).prefix(16))
    }

    /// Reads a profile.
    ///
    /// The profile is trusted because it lies in the app's own bundle; its signature only
    /// shows that it is whole.
    ///
    /// - Throws: `SKError.clientInvalid`.
    package init(text: String, source: String) throws {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            let root = try JWSVerifier.namedRoot(of: trimmed)
            let verifier = JWSVerifier(root: root)
            let data = try verifier.verify(trimmed, type: SignedKind.profile) { data in
                Date(
                    milliseconds: try WireCoding.decode(ProfilePayload.self, from: data).signedDate)
            }
            self.text = trimmed
            self.digest =
                DeviceRoute.profileDigestPrefix + SHA256Digest.hex(Data(trimmed.utf8))
            self.payload = try WireCoding.decode(ProfilePayload.self, from: data)
            self.verifier = verifier
            self.rootFingerprint = SHA256Digest.hex(try root.der())
        } catch {
            throw SKError(
                .clientInvalid,
                "The provisioning profile \(source) is damaged (\(error)); make a new one with "
                    + "openstore profile create.")
        }
        guard URL(string: payload.baseURL)?.scheme?.hasPrefix(scalars: "http") == true else {
            throw SKError(
                .clientInvalid,
                "The provisioning profile \(source) names no usable address of a store "
                    + "(\(payload.baseURL)).")
        }
    }

    /// The profile of this process: the file that `OPENSTORE_PROFILE` names, else
    /// `embedded.storeprofile` in the app's resources, else the one next to the executable, else
    /// the one next to the AppImage that the executable lies in.
    ///
    /// - Throws: `SKError.clientInvalid` where there is none, or a damaged one.
    package static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> DeviceProfile {
        let name = "embedded.storeprofile"
        if let path = environment["OPENSTORE_PROFILE"], !path.isEmpty {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw SKError(
                    .clientInvalid,
                    "OPENSTORE_PROFILE names the file \(path), which can't be read.")
            }
            return try DeviceProfile(text: text, source: path)
        }
        let executable = Bundle.main.executableURL?.deletingLastPathComponent()
        let places = [
            Bundle.main.resourceURL, executable, appImageFolder(of: executable, environment),
        ].compactMap { $0 }
        for place in places {
            let file = place.appendingPathComponent(name)
            if let text = try? String(contentsOf: file, encoding: .utf8) {
                return try DeviceProfile(text: text, source: file.path)
            }
        }
        throw SKError(
            .clientInvalid,
            "There is no provisioning profile, so the app doesn't know its store. Tests get one from "
                + "openstore test, as in openstore test Shop.storekit -- swift test. For an app, make "
                + "one with openstore profile create, and put it next to the executable as \(name) "
                + "or name it in OPENSTORE_PROFILE.")
    }

    /// The folder of the AppImage that a program was started from; `nil` if it was from none.
    ///
    /// `APPIMAGE` and `APPDIR` are inherited by whatever an AppImage starts, so they count only
    /// for a program that lies in `APPDIR`.
    static func appImageFolder(of executable: URL?, _ environment: [String: String]) -> URL? {
        guard let file = environment["APPIMAGE"], file.hasPrefix(scalars: "/"),
            let mount = environment["APPDIR"], mount.hasPrefix(scalars: "/"),
            let executable,
            executable.path.hasPrefix(scalars: mount + "/")
                || executable.path == mount
        else { return nil }
        return URL(fileURLWithPath: file).deletingLastPathComponent()
    }
}
