/// Resources of the API that the store keeps without acting on them.
let schema5Data: String = ""
