/// Testers, and what their publisher does to them.
let schema5Sandbox: String = ""
