import Foundation

/// What every program on Foundation costs: looks at the time and at a file, says so from
/// the main queue, and ends or, with `idle`, goes on with nothing to do.
@main
struct EmptyApp {
    static func main() {
        let isIdle = CommandLine.arguments.dropFirst().first == "idle"
        let home = FileManager.default.fileExists(atPath: NSHomeDirectory())
        let isTimely = Date() > Date(timeIntervalSince1970: 0)
        DispatchQueue.main.async {
            FileHandle.standardOutput.write(Data("delivered \(home && isTimely ? 1 : 0)\n".utf8))
            if !isIdle { exit(0) }
        }
        RunLoop.main.run()
    }
}
