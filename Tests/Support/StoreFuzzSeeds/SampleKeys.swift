import StoreSecurity

/// Keys that everybody knows: what is made with them in one process is the same in another, so
/// that seeds for fuzzing fit what is fuzzed. They protect nothing.
enum SampleKeys {
    static let root = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1Xstn6xifbB77LGK
        uzt+1rcMaGHod3uPeKSWCTcyoLahRANCAAS/uYHSXLkEup8uKUtMJSydQnuKjLWu
        Lqem4o9qpcTgFarUMFPKbfMSEF59K38PjceIGJpvdYg7rVKrfUBN0i2r
        -----END PRIVATE KEY-----
        """
    static let intermediate = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+CSAvlSPRSpoI6hS
        Jc4uVUeHcxKpId6++AlhPcuom+KhRANCAAQ28PpDSNjpeZs6f5GZ2VS2C0dqvShJ
        k8gbyW6x6WNpCScuOb3k5e9zTCM2zRGM1sryrT/Jsc8Gh3xntOLQRZ0r
        -----END PRIVATE KEY-----
        """
    static let leaf = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0QeGVQskkzdY/4A6
        z3Tnu2wDNKE8bMnOEKjxKfVMEiehRANCAAQRTVuuzkVaNl+q39U9UE103Y2YtL1D
        zfGlZJ/66oMBi3ALIK20IJ1+SphvHY2wiLKMVrr1yCwGy4970E5wcFnQ
        -----END PRIVATE KEY-----
        """
    static let receipts = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCzadmVgAlA/8La
        gkw+oSoLhObSrbLDJCD8HdPF9C9zJkQV+RjnglAIf7OuHBqQ4E2PnXRXY/DjVlz4
        SiS+nk9BwxINcN8t9ze/gnZ/AbznYfDvPvgvxFeJ+hfZf7FKYiYenuIY1nO1kKvp
        a+o/pFheIjRSKn97SjLTF4eeuWvtlu/SwN9CI8Nj7GfQuLj4Yfzd7epOX8hAhMTF
        Q20bQERLfXu/P7YBctrTWIu2fFNr3/7ugJ6o7CM0zdqN4GdlM35ZZOhk0JMHqhXX
        2tYUrxLlA+8u4bJZHyOm/fuYCjrKJBXLw2CdXXMK74T0c48fbjBJWdSkzvfwmX5I
        84z5WORTAgMBAAECgf9rOdfQgbUGI9VQwo7O34NBXyyUvTsZZX5RL4JhzI6PQ09t
        0nIP6tHqQmggpqs56tRwAKqHkDNnqzXlLmrHgdXcd7lSTyMTVaz7x/0J6v/7SY21
        buzln3KyA8Y9NxO+YOpnYo2+SmzdFpmn59cYMiCeIdMjSELobG/zuRxUwHzAgXSQ
        X6yqDGC+281wz4xhaktjaGZzY0keUfIcENzD2aOnI/7WzFbZSX/uPIWuYG5WxWBQ
        +lPyg6OJvp1Xke0u+ZMynDLBwEGtxZXuzl80rAXTAfkLIy7Ndx/KLSoH3cAuj2YO
        LefmEa0jSrX1IvcjbxgsZTLNyegf4ccCuF9TKIECgYEA3CCiTgsgcACRhBUA8h1T
        S7WdfLO6ZIWmhgu1mvAn6nR/tH3mje8z9fABnDLb7ujwWHENvzz2HZfw8oKT6sHE
        tZd+93/LowJbqk1UG7cOJ2scIGxroLDx7IUJkup5f+yHWjd3L1TyQPcNwOpF7wF7
        T4457qnVLqC7/Yr4m2m7W5MCgYEA0KaxaP6Wfzx5w3ESJeiBA3kgQlZmP77fz5MN
        B/5mUKHRMLN4pibzBFCKDBi19OH4fi/jkpRhzKLqCVz6DPI8/gLX5JFxrF+cnjs6
        7Iq7Twm//YYKmvW7j2K0536qMZUk9sjff8r4dKjZpy2SJYNYjbpOIDWPL4XC5VBj
        tuxtTEECgYEAoMKchg6OM/3WR/Xm6OsNx/7s8wN3Hq6UvNSUXoEBRbKrCS/hTsrg
        0b3kDyT9he9Mh+qYtY9Z1qb+ar1+NTYp6MypByunlnbEZw1uXYdEqPkKY4uK1qIj
        LC7EnSzsasZc20AipMiO228R9k+hnzkfyyv9lxUlAZaVdEcn5KhFEk0CgYEAqvJH
        nBwptWkY4dV75u8M9ImCspcTAtshh3GVVZ1Kunk5aMtB5+81X62UzMBaI54X91rI
        +sjzL7OyR6WTgJPfAMXXl/7JwU48hS9F4ZLwT5tPXyk4+yilWJ6oVJnkWuc097Qv
        2QW0de/5Ew01FeL85HFlnOIExAy1Vyd76tzd14ECgYAoV3mrZ2EOhI07+kwrEv23
        76MM3lN2EdJhQDfm3GhZ1G7emh5E7vOq4GAeKaum3BD/yeGFfZrc10YX7zKcQDU6
        D7wf4Ydq8GCZMq0P9FTSRs6F2Srzb9jlCi6x+PpSD8LNcJpgURBjeYPIEiAlbF/N
        tf+GNUdo/Kfj7YE5aqYlLA==
        -----END PRIVATE KEY-----
        """
}
