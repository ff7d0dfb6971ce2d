import StoreHTTP

/// How a store treats those who connect to it.
package struct ServingSettings: Sendable {
    /// Proxies in front of the store, whose word about clients is believed.
    package var trustedProxies = AddressSet.loopback
    /// Who may read `/metrics`, beside this machine and the proxies themselves.
    package var metricsReaders = AddressSet.none
    /// The most connections of one client; nil for as many as there are places.
    package var connectionsPerClient: Int? = Self.standardConnectionsPerClient
    /// Requests of one client's address, and of one account, that are answered in a minute; nil
    /// for all. What comes from this machine, or from a proxy itself, is not counted.
    package var requestsPerMinuteOfAddress: Int? = Self.standardRequestsPerMinuteOfAddress
    package var requestsPerMinuteOfAccount: Int? = Self.standardRequestsPerMinuteOfAccount
    /// The same of one key for the App Store Server API, which backends ask a lot; nil for its own
    /// limit. Such requests are not counted by address.
    package var requestsPerMinuteOfServerKey: Int?
    package var timeouts = RequestTimeouts.standard
    /// Scheme, host and port that devices reach the store at; nil where the operator has not said.
    package var publicAddress: String?
    /// What clients are shown over TLS; nil where they speak plain HTTP.
    package var tls: TLSFiles?
    /// What `/metrics` says of the program.
    package var version = ""

    /// Much more than a browser or a device opens, and an eighth of the places.
    package static let standardConnectionsPerClient = 512

    /// A thousand in each second: many people may be behind one address.
    package static let standardRequestsPerMinuteOfAddress = 60_000
    /// A hundred in each second.
    package static let standardRequestsPerMinuteOfAccount = 6_000

    package init() {}
}
