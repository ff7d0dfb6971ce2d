import Foundation
import StoreKernel
import Testing

struct StandardErrorTests {
    @Test func `a line to a pipe that nobody reads is lost, and ends nothing`() async {
        // A signal belongs to a process, so this has one of its own.
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[1], STDERR_FILENO) >= 0 else { _exit(EXIT_FAILURE) }
            close(ends[0])
            StandardError.write("nobody reads this\n")
            close(STDERR_FILENO)
            StandardError.write("nor this\n")
            _exit(EXIT_SUCCESS)
        }
    }

    @Test func `a line arrives`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            StandardError.write("a line\n")
            _exit(EXIT_SUCCESS)
        }
        #expect(
            result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "a line\n")
    }
}
