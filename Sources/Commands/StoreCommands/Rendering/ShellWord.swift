import StoreModel

/// A word as a shell takes it: in quotes where something of it would mean more.
func shellWord(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || "/._-:@%+=,".utf8.contains(byte)
    }
    return plain && !text.isEmpty
        ? text : "'" + text.replacing(scalar: "'", with: "'\\''") + "'"
}
