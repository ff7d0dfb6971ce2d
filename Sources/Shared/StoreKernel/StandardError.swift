import Foundation

/// The process' standard error, where log lines go; it may be closed, full, or a pipe that nobody
/// reads.
package enum StandardError {
    /// Writes a text; a failed write loses the text and nothing else.
    ///
    /// A pipe without a reader ends who writes to it with SIGPIPE. How the process takes
    /// that signal is its own business; so it is blocked on this thread, for this write.
    package static func write(_ text: String) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        var pending = sigset_t()
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        var before = sigset_t()
        guard pthread_sigmask(SIG_BLOCK, &signals, &before) == 0 else { return }
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            guard !wasPending else { return }
            // The write's own signal is taken away before it can be delivered.
            var now = timespec()
            while sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
        }
    }
}
