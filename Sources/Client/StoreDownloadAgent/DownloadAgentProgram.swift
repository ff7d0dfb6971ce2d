import Foundation
import StoreKit

/// `openstore-downloads`: fetches hosted content for the apps of its user while they run and when
/// they don't, and ends when nothing is left. The framework starts it, or systemd.
///
///     openstore-downloads [--resume] [--idle SECONDS] [--patience SECONDS]
///
/// With `--resume`, as sessions call it after a login, it ends at once where no download is
/// unfinished or another agent listens. It listens in `$XDG_RUNTIME_DIR/openstore`, or at the socket that systemd hands over.
@main
struct DownloadAgentProgram {
    static func main() async {
        // Whatever folder the app was started in can be removed, and its disk be taken out.
        _ = chdir("/")
        signal(SIGPIPE, SIG_IGN)
        var times = DownloadAgent.Times()
        var resumes = false
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            if word == "--resume" {
                resumes = true
                continue
            }
            guard let seconds = words.popFirst().flatMap({ Double($0) }),
                (0...(100 * 86_400)).contains(seconds)
            else { return usage(word) }
            switch word {
            case "--idle": times.idle = .seconds(seconds)
            case "--patience": times.patience = .seconds(seconds)
            default: return usage(word)
            }
        }
        let environment = ProcessInfo.processInfo.environment
        let agent = DownloadAgent(environment: environment, times: times) { line in
            OpenStore.writeLog(line)
        }
        guard let agent else {
            say("XDG_RUNTIME_DIR is not set, or its path is too long for a socket.")
            exit(78)
        }
        guard !resumes || agent.isNeeded() else { return }
        do {
            try await agent.run(listener: handedOver(environment))
        } catch {
            say(error.localizedDescription)
            exit(1)
        }
    }

    /// The listening socket that systemd passed to this process (sd_listen_fds(3)), or nil if it
    /// passed none.
    private static func handedOver(_ environment: [String: String]) -> Int32? {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            environment["LISTEN_FDS"].flatMap({ Int32($0) }) == 1
        else { return nil }
        _ = fcntl(3, F_SETFD, FD_CLOEXEC)
        return 3
    }

    private static func usage(_ word: String) {
        say(
            "\(word) can't be used so. Usage: openstore-downloads [--resume] [--idle SECONDS] "
                + "[--patience SECONDS]")
        exit(64)
    }

    private static func say(_ line: String) {
        OpenStore.writeLog("openstore-downloads: \(line)")
    }
}
