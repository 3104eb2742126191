import Command
import Server
import System

extension Suite {
  /// Returns the suite with a scripted backend wherever `scripted` returns one.
  public func served(by scripted: @escaping @Sendable () -> (any Backend)?) -> Suite {
    Suite(
      name, summary, service: self.service,
      backend: { settings, options throws(Failure) in
        if let backend = scripted() { return backend }
        return try self.backend(settings, options)
      }, databases: self.databases, commands: self.commands)
  }
}
