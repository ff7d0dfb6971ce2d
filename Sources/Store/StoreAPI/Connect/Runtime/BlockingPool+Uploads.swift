import StoreKernel

extension BlockingPool {
    /// Threads that read what publishers have uploaded, which takes long without waiting for
    /// anything.
    static let uploads = BlockingPool("uploads", threads: 8)
}
