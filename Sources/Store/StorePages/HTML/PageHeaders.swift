/// Header fields of every page, beside its content security policy: no page of others frames it, embeds
/// it or keeps a hold on its window, browsers don't guess its type, other sites get no referrer, and it
/// uses no camera, microphone, location or payment.
let pageHeaders: [(name: String, value: String)] = [
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    // With no-referrer, browsers would send `Origin: null` with our own forms.
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"),
]
