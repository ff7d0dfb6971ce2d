import StoreWire

extension JSONValue {
    /// The parts of a file that the store asks for, by the operations of an asset that it has
    /// reserved.
    ///
    /// - Parameters:
    ///   - name: what the failure calls the file.
    ///   - count: its bytes.
    /// - Throws: `CommandFailure` for parts that the file does not have, or that overlap.
    func uploadRanges(of name: String, count: Int) throws -> [Range<Int>] {
        var end = 0
        return try (self["attributes"]?["uploadOperations"]?.elements ?? []).map { part in
            guard let offset = part["offset"]?.integer, let length = part["length"]?.integer,
                (end...count).contains(offset), (0...count - offset).contains(length)
            else {
                throw CommandFailure(
                    description: "the store asks for parts of \(name) that overlap, or that it "
                        + "does not have")
            }
            end = offset + length
            return offset..<end
        }
    }
}
