import Foundation

/// A run of the demo's app, in a process of its own.
enum DemoScenario: String {
    case browse
    case buy
    case restore

    /// The word by which the demo calls itself; not a command for people.
    static let word = "demo-scenario"

    static func isRequested(_ words: [String]) -> Bool { words.first == word }

    /// Runs a scenario and gives the exit code.
    static func run(_ words: [String]) async -> Int32 {
        let output = Output.standard
        do {
            guard let scenario = words.dropFirst().first.flatMap(DemoScenario.init(rawValue:)),
                let settings = try DemoSettings.current()
            else { throw UsageError(description: "scenarios are run by openstore demo") }
            let app = BookshopApp(settings: settings, output: output)
            switch scenario {
            case .browse: try await app.browse()
            case .buy: try await app.buy()
            case .restore: try await app.restore()
            }
            return 0
        } catch {
            output.error(String(describing: error))
            return 1
        }
    }
}

/// What the demo tells its app: things that a customer would know or that lie on a device.
struct DemoSettings: Codable {
    static let variable = "OPENSTORE_DEMO_SCENARIO"

    let email: String
    let password: String
    /// Whether the customer is asked on the terminal.
    let asks: Bool
    /// Where the app installs content.
    let library: String
    /// Where the app writes what it bought.
    let report: String

    func encoded() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    static func current() throws -> DemoSettings? {
        try ProcessInfo.processInfo.environment[variable].map {
            try JSONDecoder().decode(DemoSettings.self, from: Data($0.utf8))
        }
    }
}

/// What the app says of a transaction that it got.
struct DemoReport: Codable {
    let transactionIdentifier: String
    let jws: String
    let signedDate: String
    let rootFingerprint: String
}
