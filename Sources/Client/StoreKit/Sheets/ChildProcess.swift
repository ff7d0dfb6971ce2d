import CStoreLinux
import Foundation

/// A program that was started beside the app, without a terminal and without the app's files.
///
/// Foundation's `Process` reads the list of the app's open files before it starts a program, and
/// writes past its own list where other threads open files meanwhile.
struct ChildProcess {
    private let id: pid_t

    /// Starts a program in a process group of its own: what is typed to end the app is not
    /// meant for it.
    ///
    /// - Parameters:
    ///   - words: what it is called, and its arguments.
    ///   - isLasting: whether it goes on when the app's terminal is closed.
    /// - Returns: nil where it can't be started.
    static func start(
        _ path: String, _ words: [String], environment: [String: String], isLasting: Bool = false
    ) -> ChildProcess? {
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        let isPrepared =
            posix_spawnattr_setflags(
                &attributes, isLasting ? cstore_new_session : Int16(POSIX_SPAWN_SETPGROUP)) == 0
            && posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0) == 0
            && posix_spawn_file_actions_adddup2(&actions, 0, 1) == 0
            && posix_spawn_file_actions_adddup2(&actions, 0, 2) == 0
            && posix_spawn_file_actions_addclosefrom_np(&actions, 3) == 0
        guard isPrepared else { return nil }
        let arguments = words.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + settings).forEach { free($0) } }
        var id: pid_t = 0
        guard posix_spawn(&id, path, &actions, &attributes, arguments, settings) == 0 else {
            return nil
        }
        return ChildProcess(id: id)
    }

    /// Waits on a thread of its own until the program has ended.
    ///
    /// - Parameter failed: called where it ended with an error, and not by a signal.
    func watch(failed: @escaping @Sendable () -> Void) {
        let id = id
        let thread = Thread {
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0 {
                // The app may have asked not to be told of its children.
                guard errno == EINTR else { return }
            }
            if status & 0x7f == 0, status >> 8 & 0xff != 0 { failed() }
        }
        thread.stackSize = 256 << 10
        thread.start()
    }
}
