import StoreHTTP
import StoreServer

/// How `openstore serve` is told to treat those who connect to it.
enum ServingOptions {
    static let options: [CommandSpec.Option] = [
        .value(
            "trusted-proxy", "CIDR[,CIDR]",
            "Proxies in front of the store, whose X-Forwarded-For, X-Forwarded-Proto, "
                + "X-Forwarded-Host and X-Request-ID are believed; 127.0.0.0/8,::1 unless given, "
                + "none for nobody.", standard: "127.0.0.0/8,::1"),
        .value(
            "metrics-from", "CIDR[,CIDR]",
            "Who may read /metrics, beside this machine and proxies themselves."),
        .value(
            "connections-per-address", "N",
            "The most connections of one client's address; 512 unless given, 0 for no limit. This "
                + "machine and trusted proxies are not counted.", standard: "512"),
        .value(
            "requests-per-minute-address", "N",
            "The most requests of one client's address in a minute; 60000 unless given, 0 for no "
                + "limit. What comes from this machine, or from a proxy itself, is not counted.",
            standard: "60000"),
        .value(
            "requests-per-minute-account", "N",
            "The same for one customer, key or person; 6000 unless given, and 600000 for "
                + "a key that asks the App Store Server API.", standard: "6000"),
        .value(
            "tls-certificate", "FILE",
            "Speak HTTPS with this certificate, and those that vouch for it behind it, in PEM. The "
                + "files are read again when they change, and on SIGHUP."),
        .value(
            "tls-key", "FILE", "The private key of the certificate, in PEM, without a password."),
    ]

    /// - Throws: `UsageError`.
    static func settings(_ arguments: ParsedArguments) throws -> ServingSettings {
        var settings = ServingSettings()
        settings.version = CommandRunner.version
        // Proxies use the connections that they keep often enough.
        settings.timeouts.farewell = .seconds(1)
        let form = "networks or addresses such as 10.0.0.0/8 or 2001:db8::/32, with commas between"
        if let proxies = try arguments.value(
            "trusted-proxy", "\(form), or none",
            { $0 == "none" ? AddressSet.none : AddressSet($0) })
        {
            settings.trustedProxies = proxies
        }
        if let readers = try arguments.value("metrics-from", form, { AddressSet($0) }) {
            settings.metricsReaders = readers
        }
        if let limit = try arguments.value(
            "connections-per-address", "a number from 0 to 4096",
            { text in Int(text).flatMap { (0...4096).contains($0) ? $0 : nil } })
        {
            settings.connectionsPerClient = limit == 0 ? nil : limit
        }
        if let limit = try perMinute("requests-per-minute-address", arguments) {
            settings.requestsPerMinuteOfAddress = limit == 0 ? nil : limit
        }
        if let limit = try perMinute("requests-per-minute-account", arguments) {
            settings.requestsPerMinuteOfAccount = limit == 0 ? nil : limit
            settings.requestsPerMinuteOfServerKey = limit == 0 ? .max : limit
        }
        switch (arguments["tls-certificate"], arguments["tls-key"]) {
        case (nil, nil): break
        case (let certificate?, let key?):
            settings.tls = TLSFiles(
                certificate: ParsedArguments.url(certificate), key: ParsedArguments.url(key))
        case (_?, nil):
            throw UsageError(description: "--tls-key is missing; --tls-certificate needs both")
        case (nil, _?):
            throw UsageError(description: "--tls-certificate is missing; --tls-key needs both")
        }
        return settings
    }

    private static func perMinute(_ option: String, _ arguments: ParsedArguments) throws -> Int? {
        try arguments.value(option, "a number from 0 to 1000000") { text in
            Int(text).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        }
    }
}
