/// Identifiers, profiles, apps, versions and binaries.
let schema5Apps: String = ""
