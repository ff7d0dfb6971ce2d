import Foundation
import StoreDelivery
import StoreTestSupport
import Testing

@Suite("Content cutter")
struct ContentCutterTests {
    private func cuts(_ data: Data, _ cutter: ContentCutter = .standard) -> [Int] {
        data.withUnsafeBytes { bytes in
            var lengths: [Int] = []
            var start = 0
            while start < bytes.count {
                let length = cutter.firstChunk(
                    of: UnsafeRawBufferPointer(rebasing: bytes[start...]))
                lengths.append(length)
                start += length
            }
            return lengths
        }
    }

    @Test(arguments: [6, 10, 15])
    func `chunks of noise keep the limits and are about as long as wished`(_ bits: Int) {
        let cutter = ContentCutter(averageBits: bits)
        let count: Int = 1 << (bits + 7)
        let lengths: [Int] = cuts(SampleShop.noise(count, seed: 2), cutter)
        #expect(lengths.reduce(0, +) == count)
        let permitted: ClosedRange<Int> = cutter.minimum...cutter.maximum
        for length in lengths.dropLast() { #expect(permitted.contains(length)) }
        let wished: Int = 1 << bits
        let average: Int = count / lengths.count
        #expect(average >= wished * 2 / 3)
        #expect(average <= wished * 3 / 2)
    }

    @Test func `bytes without any pattern of their own are cut at the longest`() {
        let lengths = cuts(Data(count: 1_000_000))
        #expect(lengths.dropLast().allSatisfy { $0 == ContentCutter.standard.maximum })
    }

    @Test(arguments: [0, 1, 100, 8192])
    func `what is no longer than the shortest chunk is one`(_ count: Int) {
        #expect(cuts(SampleShop.noise(count, seed: 1)) == (count == 0 ? [] : [count]))
    }

    @Test func `behind an insertion the cuts are the same again`() {
        let bytes = SampleShop.noise(2_000_000, seed: 3)
        func ends(_ data: Data) -> Set<Int> {
            var end = data.count
            return Set(
                cuts(data).reversed().map { length in
                    defer { end -= length }
                    return data.count - end
                })
        }
        // Counted from the end, which the insertion does not move.
        let before = ends(bytes)
        let after = ends(SampleShop.noise(777, seed: 4) + bytes)
        #expect(before.subtracting(after).count <= 3)
    }
}
