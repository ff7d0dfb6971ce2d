import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// What is kept of a store's answers, and for how long a lie among them stays.
struct LyingCaches {
    private static func retitled(_ body: Data) -> Data {
        guard var answer = try? WireCoding.decode(ProductsAnswer.self, from: body) else {
            return body
        }
        for index in answer.products.indices { answer.products[index].title = "A lie" }
        return (try? WireCoding.encode(answer)) ?? body
    }

    @Test func `a lie under the tag of an honest answer is not confirmed by the honest store`()
        async throws
    {
        let device = try await LyingDevice()
        device.liar.tell([.disguised(Self.retitled)], about: DeviceRoute.products)
        let lie = try await device.device.products(LyingDevice.products)
        try #require(lie.products.first?.title == "A lie")
        let truth = try await device.device.products(LyingDevice.products)
        #expect(truth.products.first?.title == "The first chapter")
    }

    @Test func `an answer that lacks what was asked for stays no longer than the next one`()
        async throws
    {
        let device = try await LyingDevice()
        device.liar.tell(
            [
                .disguised { body in
                    guard var answer = try? WireCoding.decode(ProductsAnswer.self, from: body)
                    else { return body }
                    (answer.products, answer.invalid) = ([], [])
                    return (try? WireCoding.encode(answer)) ?? body
                }
            ], about: DeviceRoute.products)
        let failed = try await device.test.buy(SampleShop.credits)
        #expect((failed.error as? URLError)?.code == .badServerResponse)
        let bought = try await device.test.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
    }

    @Test(arguments: [304, 204, 206])
    func `a 304, 204 or 206 without a cached answer is an error`(status: Int) async throws {
        let device = try await LyingDevice()
        device.liar.tell(
            [.bytes("HTTP/1.1 \(status) Lie\r\nETag: \"x\"\r\nContent-Length: 0\r\n\r\n")],
            about: DeviceRoute.products)
        await #expect(throws: (any Error).self) {
            try await device.device.products(LyingDevice.products)
        }
        try await device.ask()
    }

    /// In a process of its own, whose memory is nobody else's.
    @Test func `however much a store lies, the app's memory stays as it was`() async {
        await #expect(processExitsWith: .success) {
            func resident() throws -> Int {
                let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                return (Int(text.split(separator: " ")[1]) ?? 0) * Int(getpagesize())
            }
            let device = try await LyingDevice()
            let truth = try await device.device.products(LyingDevice.products)
            // Two megabytes each, of what is shown, what is an error, and what is nothing.
            func lie(_ number: Int) throws -> Data {
                var answer = truth
                answer.products[0].description = String(
                    decoding: Data(
                        repeating: UInt8(ascii: "0") + UInt8(number % 10), count: 2 << 20),
                    as: UTF8.self)
                let body = try WireCoding.encode(answer)
                return number.isMultiple(of: 3) ? body.dropLast() : body
            }
            func lies(_ numbers: Range<Int>) async throws {
                for number in numbers {
                    let body = try lie(number)
                    for path in [
                        DeviceRoute.products, DeviceRoute.unfinished, DeviceRoute.receipt,
                    ] {
                        device.liar.tell([.instead(status: 200, body: body)], about: path)
                    }
                    // Another question each time: nobody's answer is at hand.
                    _ = try? await device.device.products(["com.example.\(number)"])
                    _ = try? await device.device.withSession { session in
                        try await device.device.client.unfinished(after: nil, session: session)
                    }
                    try? await device.device.refreshReceipt(nil)
                }
            }
            try await lies(0..<30)
            let before = try resident()
            try await lies(30..<90)
            // Hundreds of megabytes of lies.
            let growth = try resident() - before
            precondition(growth < 96 << 20, "\(growth) bytes more")
            let answer = try await device.device.products(LyingDevice.products, isFresh: true)
            precondition(answer.products == truth.products)
        }
    }
}
