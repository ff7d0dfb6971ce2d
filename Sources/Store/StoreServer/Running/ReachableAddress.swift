/// Host and port as clients on this machine write them.
package enum ReachableAddress {
    /// - Parameter host: that a server listens at; where that is everywhere, loopback is shown.
    package static func text(host: String, port: UInt16) -> String {
        let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        let isBare = reachable.contains(scalar: ":") && !reachable.hasPrefix(scalars: "[")
        return "\(isBare ? "[\(reachable)]" : reachable):\(port)"
    }
}
