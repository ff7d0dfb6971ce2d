import Foundation

/// Many devices that wait for events of their account, and what the store needs for them.
struct WaitingDevices {
    /// Seconds that a device waits, as the framework asks for.
    private static let wait = 45
    /// Everything between two requests of a device, and its next request.
    private static let cycle: Duration = .seconds(wait + 5)
    private static let quiet: UInt32 = 20

    let shop: BenchShop

    func run(_ count: Int) throws -> [Figure] {
        guard let url = URL(string: shop.url("/device/v1/events")) else {
            throw BenchFailure("no address")
        }
        let before = try ProcessMetrics(shop.serverProcess)
        let connections = try (0..<count).map { _ in try RawConnection(url) }
        func ask(_ number: Int) throws {
            // Behind all events that there are: nothing to say.
            try connections[number].send(
                "GET", url.path + "?after=0&wait=\(Self.wait)",
                headers: shop.deviceHeaders(device: "waiting-\(number)"))
        }
        let start = ContinuousClock.now
        for number in 0..<count { try ask(number) }
        sleep(3)
        let settled = try ProcessMetrics(shop.serverProcess)
        sleep(Self.quiet)
        let waiting = try ProcessMetrics(shop.serverProcess)
        guard !connections.contains(where: \.isAnswered) else {
            throw BenchFailure("a device did not wait")
        }
        var answers = 0
        while ContinuousClock.now - start < Self.cycle {
            for number in 0..<count where connections[number].isAnswered {
                guard try connections[number].receive() == 200 else {
                    throw BenchFailure("a device was refused")
                }
                try ask(number)
                answers += 1
            }
            usleep(10_000)
        }
        guard answers == count else { throw BenchFailure("\(answers) answers in a cycle") }
        let after = try ProcessMetrics(shop.serverProcess)
        let seconds = Double(Self.cycle / .seconds(1))
        return [
            Figure(
                "Store with \(count.formatted()) waiting devices, processor",
                (waiting.processor - settled.processor) / Double(Self.quiet) * 100, nil,
                "% of a core", aim: "below 3"),
            Figure(
                "The same with all their requests, one each \(Self.wait) s",
                (after.processor - before.processor) / seconds * 100, nil, "% of a core"),
            Figure(
                "The same, resident memory, beside none waiting", after.resident, before.resident,
                "MiB"),
        ]
    }
}
