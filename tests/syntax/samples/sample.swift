// Shows profiles.
import Foundation
import struct UIKit.CGFloat

let limit = 10

/// A profile.
@MainActor
public final class Profile<T>: NSObject, Codable {
    var name: String = ""
    static let shared = Profile()

    init(name: String) {
        self.name = name
    }

    deinit {
    }

    @discardableResult
    func load(_ id: Int) async throws -> Bool {
        let local = 1
        return true
    }

    subscript(index: Int) -> Int {
        return index
    }
}

struct Point {
    let x: Int
    mutating func move() {}
}

enum Direction: String {
    case north, south
    case east
    func turn() {}
}

protocol Drawable {
    var size: Int { get }
    func draw(on canvas: Canvas)
}

extension Point: Drawable {
    func draw(on canvas: Canvas) {}
}

actor Counter {
    func add() {}
}

typealias Handler = (Int) -> Void

func freeFunction<T>(a: T) -> T {
    return a
}
