/// Where the contents of a xar archive's files lie in its heap.
struct TableExtents {
    /// The contents of one file; nil where the table's number is none.
    struct Extent {
        var path = ""
        var offset: Int64? = 0
        var length: Int64? = 0
        var size: Int64? = 0
    }

    private let heapBytes: Int64
    private var extents: [Extent] = []

    init(heapBytes: Int64) {
        self.heapBytes = heapBytes
    }

    mutating func add(_ extent: Extent) {
        extents.append(extent)
    }

    /// Decimal digits, up to 10^18.
    static func number(_ text: [UInt8]) -> Int64? {
        guard (1...18).contains(text.count) else { return nil }
        var number: Int64 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Every file lies in the heap, and none shares bytes with another.
    consuming func check() -> (problems: [PackageProblem], damaged: Set<String>) {
        var problems: [PackageProblem] = []
        var damaged: Set<String> = []
        func report(_ extent: Extent, _ advice: String) {
            damaged.insert(extent.path)
            guard problems.count < PackageRules.problemLimit else { return }
            problems.append(PackageProblem(path: extent.path, rule: .readable, advice: advice))
        }
        var placed: [(start: Int64, end: Int64, index: Int)] = []
        var behind: [Int] = []
        for (index, extent) in extents.enumerated() {
            guard let offset = extent.offset, let length = extent.length, let size = extent.size,
                length > 0 || size == 0
            else {
                report(extent, "its place in the package makes no sense; build it again")
                continue
            }
            guard length > 0 else { continue }
            guard offset + length <= heapBytes else {
                behind.append(index)
                continue
            }
            placed.append((offset, offset + length, index))
        }
        if let first = behind.first {
            // Cut off once, however many files lost their contents by it.
            let others = behind.count == 1 ? "" : ", and those of \(behind.count - 1) others,"
            report(
                extents[first],
                "its contents\(others) lie behind the end of the package: it was cut short, or "
                    + "its table of contents lies; build or copy it again")
            damaged.formUnion(behind.map { extents[$0].path })
        }
        placed.sort { ($0.start, $0.index) < ($1.start, $1.index) }
        var last: (end: Int64, index: Int)?
        for place in placed {
            if let before = last, place.start < before.end {
                report(
                    extents[place.index],
                    "its contents overlap those of \(extents[before.index].path.printable); "
                        + "build the package again")
            }
            if place.end > last?.end ?? -1 { last = (place.end, place.index) }
        }
        return (problems, damaged)
    }
}
