import Foundation
import Testing

@testable import StoreDelivery

@Suite struct ChunkTableTests {
    @Test(arguments: [0, 1, 2, 500])
    func `a table is written as Foundation would write it`(count: Int) throws {
        let chunks = (0..<count).map { number in
            let bytes = Data("chunk \(number)".utf8)
            return DeliveryManifest.Chunk(
                digest: bytes.withUnsafeBytes { ChunkDigest(of: $0) }, offset: 0,
                length: number * 37 + 1, unpackedLength: number * 91 + 1)
        }
        let table = ChunkTable(chunks)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try table.json() == encoder.encode(table))
    }
}
