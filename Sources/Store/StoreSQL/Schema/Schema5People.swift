/// People, their roles, sessions and agreements.
let schema5People: String = ""
