/// Submissions and decisions.
let schema5Review: String = ""
