import Command
import Output
import Server
import System

extension Bikes {
  static let usersFile = Operand("FILE", ValueKind<String>.file, "The file that 'hw serve' reads")
  static let userName = Operand("NAME", ValueKind<String>.text("NAME"), "What the person is called")

  static let userAdd = Command(
    "user-add", "Add a person to the file of 'hw serve --users'",
    discussion: """
      Makes a token, prints it, once, and adds NAME and its hash to FILE: the token itself is nowhere then but with who \
      got it, as HW_BIKES_TOKEN. With --token-file the token is one that you chose. The server reads the file when it \
      starts.

      'hw serve user add' is the same command.
      """,
    operands: [usersFile, userName], options: [tokenFile],
    output: .one(NewUser.self, text: "The token, as a line; nothing with --token-file."),
    needs: [.store],
    examples: [
      Example("hw bikes user-add people carla", "a token for Carla"),
      Example("hw serve user add people mia", "the same for Mia"),
      Example("hw bikes user-add people 'carla!'", "a name has letters and digits", exits: 2),
    ],
    failures: [.conflict, .storage]
  ) { call, context throws(Failure) in
    let (file, name) = (try call[usersFile], try call[userName])
    let chosen = try call[tokenFile].map { file throws(Failure) in
      try context.secret(in: file, called: "token")
    }
    let token = chosen ?? BikesClient.randomID()
    guard let line = UserRegister.line(name: name, token: token) else {
      throw Failure(.usage, "'\(name)' is no name: letters, digits, '-', '_' and '.', 64 at most")
    }
    let users = try LockedFile(file)
    let text = String(decoding: try users.read(atMost: 1 << 20), as: UTF8.self)
    guard !(try UserRegister(text, from: file)).all.contains(name) else {
      throw Failure(.conflict, "'\(name)' is in '\(file)' already")
    }
    let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    try users.append(Array((separator + line).utf8))
    let format = context.output.settings.format
    if chosen == nil || format != nil && format != .text {
      try context.output.write(NewUser(name: name, token: chosen == nil ? token : nil, file: file))
    }
  }
}

/// A person who was added to the file.
private struct NewUser: Row {
  let name: String
  /// Nil if it was chosen by the caller, who has it.
  let token: String?
  let file: String

  static let fields: Fields<NewUser> = [
    .text("name", "Name", "what the person is called") { $0.name },
    .text("token", "Token", "the new token; null with --token-file", orNull: { $0.token }),
    .text("file", "File", "the file that has its hash") { $0.file },
  ]

  static let text: (@Sendable (NewUser, Screen?) -> String)? = { user, _ in user.token ?? "" }
}
