import System

/// A value of a JSON text: a view of its bytes, which costs nothing until it is read.
///
/// Looking something up never fails: what is not there is a view too, of kind `absent`, whose readers throw and
/// which knows the path that was asked for. So `try json["city"]["en"].string` needs one `try` and its failure says
/// line, column and path. Where an object has a name twice, the last one counts, as `jq` has it.
public struct JSON {
  let document: Document
  /// The entry of the value, or of the last value on the way to it that is there.
  let index: Int
  /// What was asked for below `index` and is not there.
  let missing: Trail?

  init(document: Document, index: Int, missing: Trail? = nil) {
    self.document = document
    self.index = index
    self.missing = missing
  }

  /// What a value is. `absent` is one that is not there.
  public enum Kind: Sendable {
    case null, bool, number, string, array, object, absent
  }

  public var kind: Kind {
    missing == nil ? document.kind(index) : .absent
  }

  /// The member of that name, if this is an object that has one.
  public subscript(name: String) -> JSON {
    if missing == nil {
      var name = name
      if let found = name.withUTF8({ unsafe document.member($0, of: index) }) {
        return JSON(document: document, index: found)
      }
    }
    return JSON(document: document, index: index, missing: Trail(missing, .name(Array(name.utf8))))
  }

  /// The element of that number, from 0, if this is an array that has so many. It counts them: to visit all, iterate
  /// over `array`.
  public subscript(number: Int) -> JSON {
    if missing == nil, let found = document.element(number, of: index) {
      return JSON(document: document, index: found)
    }
    return JSON(document: document, index: index, missing: Trail(missing, .element(number)))
  }

  public subscript(path: Path) -> JSON {
    guard missing == nil else {
      return JSON(document: document, index: index, missing: path.steps.reduce(missing) { Trail($0, $1) })
    }
    let (found, depth) = document.follow(path, from: index)
    let isThere = depth == path.steps.count
    return JSON(document: document, index: found, missing: isThere ? nil : path.trails[depth])
  }
}
