/// A word as a shell takes it: in quotes where something of it would mean more.
func shellWord(_ text: String) -> String {
    let plain = text.allSatisfy { character in
        character.isASCII
            && (character.isLetter || character.isNumber || "/._-:@%+=,".contains(character))
    }
    return plain && !text.isEmpty
        ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
