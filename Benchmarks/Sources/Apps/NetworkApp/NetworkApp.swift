import Foundation
import FoundationNetworking

/// What a request costs without StoreKit: the bytes that `LaunchApp` sends, sent by a plain
/// `URLSession`, and the answer handed to the main queue as it came.
///
/// Environment: `BENCH_URL`, `BENCH_TOKEN`, and `OPENSTORE_PROFILE`.
@main
struct NetworkApp {
    static func main() throws {
        let isIdle = CommandLine.arguments.dropFirst().first == "idle"
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["BENCH_URL"].flatMap({ URL(string: $0) }),
            let token = environment["BENCH_TOKEN"], let file = environment["OPENSTORE_PROFILE"]
        else { exit(64) }
        let profile = try String(contentsOfFile: file, encoding: .utf8)
        let identifiers = (1...20).map { "\"com.example.bench.item\($0)\"" }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("{\"productIds\":[\(identifiers.joined(separator: ","))]}".utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(
            profile.trimmingCharacters(in: .whitespacesAndNewlines),
            forHTTPHeaderField: "OpenStore-Profile")
        request.setValue("network", forHTTPHeaderField: "OpenStore-Device")
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        URLSession.shared.dataTask(with: request) { data, response, _ in
            let isGood = (response as? HTTPURLResponse)?.statusCode == 200 && data?.isEmpty == false
            DispatchQueue.main.async {
                FileHandle.standardOutput.write(Data("delivered \(isGood ? 1 : 0)\n".utf8))
                if !isIdle { exit(0) }
            }
        }.resume()
        RunLoop.main.run()
    }
}
