import StoreDelivery
import StoreWire
import Synchronization

/// Takes the bytes of a segment as they arrive, and hands over each chunk once it is whole.
package final class SegmentReceiver: Sendable {
    private struct State {
        var rest: FetchPlan.Segment
        /// Bytes of the answer that belong to nothing that is missing: the store's answer
        /// was the whole blob.
        var skip: Int64 = 0
        /// The beginning of the next chunk.
        var partial = Data()
        /// Not for two threads at once, as the lock sees to.
        let unpacker = ChunkUnpacker()
    }

    private let assembly: DeliveryAssembly
    private let state: Mutex<State>
    private let placed: @Sendable () -> Void

    /// - Parameter placed: hears of each chunk that is in its place.
    package init(
        _ segment: FetchPlan.Segment, for assembly: DeliveryAssembly,
        placed: @escaping @Sendable () -> Void
    ) {
        self.assembly = assembly
        self.placed = placed
        state = Mutex(State(rest: segment))
    }

    /// What has not arrived; nil where all has.
    package var rest: FetchPlan.Segment? {
        state.withLock { $0.rest.chunks.isEmpty ? nil : $0.rest }
    }

    /// Sees the status of an answer; what an earlier one has begun is of no use.
    ///
    /// - Throws: `WireError` for another than a success.
    package func accept(_ status: Int) throws {
        guard status == 206 || status == 200 else {
            throw StoreClient.transferFailure(status: status)
        }
        state.withLock { state in
            state.partial.removeAll()
            state.skip = status == 200 ? state.rest.offset : 0
        }
    }

    /// - Throws: `DeliveryError.damaged` where a chunk is not what it should be, `EndOfSegment`
    ///   where nothing more is wanted of an answer that goes on; as `DeliveryAssembly`.
    package func take(_ data: Data) throws {
        try state.withLock { state in
            try data.withUnsafeBytes { try take($0, &state) }
        }
    }

    /// All that was asked for is there.
    package struct EndOfSegment: Error {}

    private func take(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        var bytes = bytes
        if state.skip > 0 {
            let count = min(Int(clamping: state.skip), bytes.count)
            state.skip -= Int64(count)
            bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        }
        while !bytes.isEmpty {
            guard let number = state.rest.chunks.first else { throw EndOfSegment() }
            let length = assembly.length(of: number)
            if state.partial.isEmpty, bytes.count >= length {
                try hand(UnsafeRawBufferPointer(rebasing: bytes[..<length]), &state)
                bytes = UnsafeRawBufferPointer(rebasing: bytes[length...])
                continue
            }
            let count = min(length - state.partial.count, bytes.count)
            state.partial.append(contentsOf: bytes[..<count])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
            guard state.partial.count == length else { return }
            let whole = state.partial
            state.partial.removeAll(keepingCapacity: true)
            try whole.withUnsafeBytes { try hand($0, &state) }
        }
    }

    private func hand(_ frame: UnsafeRawBufferPointer, _ state: inout State) throws {
        let number = state.rest.chunks.lowerBound
        guard try assembly.receive(frame, of: number, through: state.unpacker) else {
            let end = state.rest.offset + Int64(frame.count)
            throw DeliveryError.damaged(
                "Content, bytes \(state.rest.offset) to \(end) of \(state.rest.blob),")
        }
        state.rest.chunks = number + 1..<state.rest.chunks.upperBound
        state.rest.offset += Int64(frame.count)
        state.rest.length -= Int64(frame.count)
        placed()
    }
}
