import Foundation
@testable import StoreKit
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

struct JobLines {
    /// In a process of its own: a chain of tasks overflows the stack, which nobody can catch.
    @Test func `any number of jobs waits behind a question, and they keep their order`() async {
        await #expect(processExitsWith: .success) {
            let line = JobLine()
            let order = Mutex<[Int]>([])
            let question = Gate()
            line.add { await question.passes() }
            await question.isReached()
            for number in 0..<200_000 { line.add { order.withLock { $0.append(number) } } }
            let end = Task(priority: .high) { await line.end() }
            Thread.detachNewThread { question.open() }
            await end.value
            let seen: [Int] = order.withLock { $0 }
            precondition(seen.elementsEqual(0..<200_000), "not in order, or not all of them")
        }
    }

    @Test func `refreshes that wait are one`() async throws {
        let store = try await TestStore(hasContent: false)
        let asked = Counter()
        let transport = InterferingTransport(before: { request in
            if request.url?.path.hasSuffix(DeviceRoute.unfinished) == true { _ = asked.next() }
        })
        let device = try await TestDevice(store, transport: transport)
        try await device.device.signedIn()
        let question = Gate()
        device.engine.enqueue { _ in await question.passes() }
        await question.isReached()
        for _ in 0..<1000 { device.engine.enqueueRefresh() }
        question.open()
        await device.engine.close()
        #expect(asked.value == 1)
        // One that has begun is not one that waits.
        device.engine.enqueueRefresh()
        await device.engine.close()
        #expect(asked.value == 2)
    }
}
