import Foundation

/// Signed transactions beside bare signatures: `StoreSigningBench`, which makes whole statements
/// as the store answers with them, and `openssl speed ecdsap256`, in turn, on the same core.
struct SigningBench {
    private static let rounds = 5

    /// `StoreSigningBench`.
    let program: URL
    let seconds: Int

    func run() throws -> [Series] {
        var series = Series(
            "Signed transactions, one core, beside openssl speed", unit: "per second", aim: 0.5)
        for round in 1...Self.rounds {
            StoreBench.progress("signing, round \(round) of \(Self.rounds)")
            series.baselines.append(try opensslSignatures())
            series.values.append(try statements())
        }
        return [series]
    }

    private func statements() throws -> Double {
        let output = try pinned([program.path, "\(seconds)"])
        guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchFailure("\(program.lastPathComponent) said \(output)")
        }
        return rate
    }

    /// `+F4:3:256:SIGNATURES:VERIFICATIONS`, both per second.
    private func opensslSignatures() throws -> Double {
        let output = try pinned(["openssl", "speed", "-mr", "-seconds", "\(seconds)", "ecdsap256"])
        let fields = output.split(separator: "\n").last { $0.hasPrefix("+F4:") }?
            .split(separator: ":")
        guard let fields, fields.count == 5, let rate = Double(fields[3]) else {
            throw BenchFailure("openssl speed said \(output)")
        }
        return rate
    }

    /// The output of a program that runs on the first core only.
    private func pinned(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        process.arguments = ["-c", "0"] + words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchFailure("\(words[0]) ended with \(process.terminationStatus)")
        }
        return String(decoding: output, as: UTF8.self)
    }
}
