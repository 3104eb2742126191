import System

extension FileFormat {
  public func check(_ object: JSON, of file: String) throws(Failure) {
    guard let version = object["version"].orNull else { return try check(1, of: file) }
    let number: Int
    do throws(Failure) {
      number = try version.int
    } catch {
      throw Failure(.storage, "'\(file)' is damaged: \(error.message)")
    }
    try check(number, of: file)
  }

  public func write(to writer: inout JSONWriter) { writer.member("version", version) }
}
