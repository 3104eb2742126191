import System

/// The pages of the manual: one for the program, one for each suite.
public struct ManualPage {
  /// As `man` wants it: `hw-wordle`.
  public let name: String
  private let page: Page
  private let others: [String]

  /// The day the manual last changed its shape; a page made twice is the same to the byte.
  private static let date = "November 20, 2026"

  public var text: String { page.manual(name: name, date: ManualPage.date, seeAlso: others) }

  /// Told without making them: a topic that names them is itself part of one.
  static func names(_ program: Program) -> [String] {
    [program.name] + program.suiteNames.map { "\(program.name)-\($0)" }
  }

  public static func all(_ program: Program) -> [ManualPage] {
    let suites = program.suites.map { ("\(program.name)-\($0.name)", Page.manual($0, in: program)) }
    let pages = [(program.name, Page.manual(program))] + suites
    return pages.map { page in
      ManualPage(name: page.0, page: page.1, others: pages.map(\.0).filter { $0 != page.0 }.sorted())
    }
  }

  public static func named(_ name: String, in program: Program) throws(Failure) -> ManualPage {
    let pages = all(program)
    if let page = pages.first(where: { $0.name == name }) { return page }
    throw Failure(
      .usage, "there is no page '\(name)' in the manual",
      hint: "pages: \(pages.map(\.name).joined(separator: ", "))")
  }
}
