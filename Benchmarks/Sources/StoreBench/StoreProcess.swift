import Foundation

/// `openstore serve` over a folder of data, on a free port of the loopback.
final class StoreProcess {
    /// Where production is.
    let address: String
    /// What it said when it listened.
    let banner: String
    private let process = Process()

    /// Returns when it listens.
    ///
    /// - Parameters:
    ///   - options: further ones of `openstore serve`.
    ///   - port: 0 for a free one.
    init(program: String, data: String, options: [String] = [], port: Int = 0) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments =
            [
                "serve", "--data", data, "--listen", "127.0.0.1:\(port)", "--no-request-log",
            ] + options
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var banner = ""
        while !banner.contains("root  ") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchFailure("the store did not start") }
            banner += String(decoding: data, as: UTF8.self)
        }
        let line = banner.split(separator: "\n").first { $0.contains("production") }
        self.banner = banner
        address = line?.split(separator: " ").last.map(String.init) ?? ""
    }

    var id: pid_t { process.processIdentifier }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
