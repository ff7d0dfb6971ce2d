import Foundation
import StoreCommands

@main
struct OpenStoreMain {
    static func main() async {
        StandardStreams.prepare()
        let code = await CommandRunner.run(Array(CommandLine.arguments.dropFirst()))
        exit(code)
    }
}
