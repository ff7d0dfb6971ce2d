import StoreKit

/// One line that shows how far some downloads are, and which keys they obey.
final class ProgressBar {
    private static let width = 24
    private var isShown = false

    func show(_ downloads: [SKDownload]) {
        // Without a terminal there is no line to draw over.
        guard Screen.isTerminal else { return }
        let total = downloads.reduce(0) { $0 + $1.expectedContentLength }
        let done = downloads.reduce(0.0) {
            $0 + Double($1.expectedContentLength) * Double($1.progress)
        }
        let share = total > 0 ? min(1, done / Double(total)) : 0
        let filled = Int(share * Double(Self.width))
        let isPaused = downloads.allSatisfy { $0.state == .paused }
        let remaining = downloads.map(\.timeRemaining).max() ?? SKDownloadTimeRemainingUnknown
        let bar =
            Screen.green(String(repeating: "█", count: filled))
            + String(repeating: "░", count: Self.width - filled)
        let percent = "\(Int(share * 100))%"
        let state =
            if isPaused { "paused" } else if remaining >= 0 {
                "\(Int(remaining.rounded(.up))) s left"
            } else { "" }
        let keys = "\(isPaused ? "r resumes" : "p pauses"), c cancels, q quits"
        Screen.write("\r\u{1b}[K\(bar) \(percent)  \(state)  \(Screen.dim(keys))")
        isShown = true
    }

    /// Leaves the line, before something else is written.
    func hide() {
        guard isShown else { return }
        Screen.write("\r\u{1b}[K")
        isShown = false
    }
}
