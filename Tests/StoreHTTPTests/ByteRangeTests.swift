import StoreHTTP
import Testing

@Suite struct ByteRangeTests {
    static let length: UInt64 = 100

    @Test(
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=10-19", 10..<20),
            ("bytes=99-99", 99..<100), ("bytes=90-", 90..<100), ("bytes=0-", 0..<100),
            ("bytes=-1", 99..<100), ("bytes=-100", 0..<100), ("bytes=-101", 0..<100),
            ("bytes=50-100", 50..<100), ("bytes=50-18446744073709551615", 50..<100),
            ("bytes=-18446744073709551615", 0..<100), ("Bytes=1-2", 1..<3),
            ("BYTES=1-2", 1..<3), ("bytes= 1-2", 1..<3), ("bytes=1-\t2", 1..<3),
            ("bytes=007-008", 7..<9),
        ] as [(String, Range<UInt64>)])
    func `one range inside is a part`(header: String, part: Range<UInt64>) {
        #expect(ByteRange(header: header, length: Self.length) == .part(part))
    }

    @Test(arguments: [
        "bytes=100-", "bytes=100-100", "bytes=100-200", "bytes=18446744073709551615-", "bytes=-0",
    ])
    func `a range that lies outside is not satisfiable`(header: String) {
        #expect(ByteRange(header: header, length: Self.length) == .unsatisfiable)
    }

    @Test(
        arguments: [
            nil, "", "bytes", "bytes=", "bytes=-", "bytes=1", "bytes=a-b", "bytes=1-b",
            "bytes=a-", "bytes=-a", "bytes=2-1", "bytes=+1-2", "bytes=1-+2", "bytes=--1",
            "bytes=1--2", "bytes=-1-2", "bytes=1.0-2", "bytes=0x1-2", "bytes=１-２", "bytes:1-2",
            "items=1-2", "1-2", " bytes=1-2", "bytes =1-2",
        ] as [String?])
    func `what is no range of bytes asks for the whole`(header: String?) {
        #expect(ByteRange(header: header, length: Self.length) == .whole)
    }

    @Test(arguments: ["bytes=0-1,5-6", "bytes=0-1,", "bytes=,0-1", "bytes=200-300,0-1"])
    func `several ranges ask for the whole`(header: String) {
        #expect(ByteRange(header: header, length: Self.length) == .whole)
    }

    @Test(arguments: [
        "bytes=18446744073709551616-", "bytes=0-18446744073709551616",
        "bytes=-99999999999999999999999999",
    ])
    func `numbers beyond all files ask for the whole`(header: String) {
        #expect(ByteRange(header: header, length: Self.length) == .whole)
    }

    @Test(arguments: ["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0"])
    func `nothing can be had of an empty file`(header: String) {
        #expect(ByteRange(header: header, length: 0) == .unsatisfiable)
    }

    @Test func `the last byte of the largest file can be had`() {
        #expect(
            ByteRange(header: "bytes=18446744073709551614-18446744073709551615", length: .max)
                == .part((UInt64.max - 1)..<UInt64.max))
    }
}
