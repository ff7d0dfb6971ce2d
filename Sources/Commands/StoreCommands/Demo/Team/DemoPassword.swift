import StoreSecurity

/// The password of everybody in the demo's portal: another one each time, because whoever uses
/// the machine can reach the demo.
enum DemoPassword {
    /// Without letters that look like others.
    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

    /// 60 random bits, for example `k3vw-9hqs-x2mb`.
    static func make() throws -> String {
        let signs = try SecureRandom.bytes(12).map { letters[Int($0 & 31)] }
        return stride(from: 0, to: signs.count, by: 4)
            .map { String(signs[$0..<$0 + 4]) }.joined(separator: "-")
    }
}
