/// Texts, prices, availability and review information of products.
let schema5Products: String = ""
