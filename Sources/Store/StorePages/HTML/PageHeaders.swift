/// Header fields of every page, beside its content security policy: others can't frame it, guess its
/// type, open it or load it from elsewhere, and it uses no camera.
let pageHeaders: [(name: String, value: String)] = [
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    // With no-referrer, browsers would send `Origin: null` with our own forms.
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"),
]
