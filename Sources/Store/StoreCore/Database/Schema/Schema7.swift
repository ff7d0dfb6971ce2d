/// The storefront. One migration, in parts by subject.
let schema7: String = [
    schema7Items, schema7Search, schema7Media, schema7Reviews, schema7Sales, schema7Partners,
    schema7Prompts,
].joined(separator: "\n")
