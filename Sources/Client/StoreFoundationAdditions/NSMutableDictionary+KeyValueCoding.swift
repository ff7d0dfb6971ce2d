import Foundation

// Code for Apple's platforms writes dictionaries by key-value coding, which needs Objective-C;
// that of dictionaries is two of their own methods.

extension NSMutableDictionary {
    /// Sets the object of a key, or takes the key out.
    ///
    /// - Parameter value: nil to take the key out.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key as NSString)
        }
    }
}
