import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

/// A program that forks: each runs in a process of its own, whose threads no child needs.
struct Forks {
    /// `fork`, which Swift does not let programs name.
    private typealias Fork = @convention(c) () -> pid_t

    /// A child that does nothing but live, as one that goes on without `exec` may. The caller ends it.
    fileprivate static func child() -> pid_t {
        guard let symbol = dlsym(nil, "fork") else { preconditionFailure("there is no fork") }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        // Nothing of Swift's runtime and nothing that takes a lock.
        if child == 0 {
            // Where the test traps, nobody ends it.
            alarm(600)
            while true { pause() }
        }
        precondition(child > 0)
        return child
    }

    fileprivate static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
    }

    @Test func `a program that has forked goes on to buy`() async {
        await #expect(processExitsWith: .success) {
            let store = try await TestStore(hasContent: false)
            let device = try await TestDevice(store)
            let first = try await device.buy(SampleShop.credits)
            precondition(first.transactionState == .purchased)
            let child = Forks.child()
            defer { Forks.end(child) }
            let second = try await device.buy(SampleShop.badge)
            precondition(second.transactionState == .purchased)
            await device.engine.close()
            // The queue is free although the child has the file of its lock.
            let next = try await TestDevice(store, folder: device.folder)
            let third = try await next.buy(SampleShop.season)
            precondition(third.transactionState == .purchased)
        }
    }

    @Test func `a child that outlives its program keeps the queue until it ends`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let file = try JournalFile(folder: folder.url, tag: "test")
            let child = Forks.child()
            // What is left of a program that was killed.
            let manager = FileManager.default
            for name in try manager.contentsOfDirectory(atPath: "/proc/self/fd") {
                let place = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                if place == folder.file("journal-test.lock").path, let descriptor = Int32(name) {
                    close(descriptor)
                }
            }
            do {
                _ = try JournalFile(folder: folder.url, tag: "test")
                preconditionFailure("two have the queue")
            } catch let error as SKError {
                precondition(error.code == .clientInvalid)
            }
            Forks.end(child)
            _ = try JournalFile(folder: folder.url, tag: "test")
            // Its end would close whatever has the descriptor's number by then.
            _ = Unmanaged.passRetained(file)
        }
    }
}
