import HTTP
import Output
import System

/// Options of every list, in the order of their effect.
public enum ListOptions {
  public static let filter = Option(
    "where",
    each: ValueKind(
      "'FIELD OP VALUE'", expects: "FIELD, one of = == != < <= > >= *=, and VALUE",
      hint: "quote the expression: --where 'capacity>=1000'"
    ) { Condition($0) }, "Show rows whose FIELD compares to VALUE",
    details: """
      OP is one of = (or ==) != < <= > >= and *=, which finds a part of a text. Numbers compare exactly, also those \
      that are written as texts; 1,000 is 1000. Texts are equal in upper and lower case and without the blanks around \
      them; < and > compare their characters. A time compares with a day of UTC (2025-01-15, today, yesterday or 7d), \
      an instant (2025-01-15T18:00:00Z) or unix seconds. 'FIELD=' finds empty, null and missing fields, 'FIELD=null' \
      only null and missing ones. Quote the condition, since the shell reads < and >. With several --where, all must \
      be true.
      """)
  public static let sort = Option(
    "sort",
    ValueKind(
      "FIELD[,-FIELD...]", expects: "fields separated by commas, '-' before those that are descending",
      completion: .fields
    ) { SortOrder($0) }, "Sort by fields; -FIELD for descending",
    details: "Rows in which the field is empty, null or missing come last; equal rows keep their order.")
  public static let limit = Option(
    "limit", short: "n", ValueKind<Int>.count(0 ... .max), "Show at most N rows")
  static let exitStatus = Option("exit-status", "End with status 1 if no row is left")
  public static let watch = Option(
    "watch", ValueKind<Duration>.seconds, "Repeat the request every SECONDS",
    details: """
      On a terminal the table is redrawn in place and changes are highlighted; arrow keys scroll, q quits. In a pipe \
      the table is printed again after each change. --jsonl, --csv and --tsv print one event for each row that was \
      added, changed or removed. After a failure that may be temporary the last result stays and the error is \
      reported; any other ends the watch. --deadline ends it with status 5.
      """)
}

extension ListDeclaration {
  var options: [OptionDeclaration] {
    var options = [ListOptions.filter.declaration]
    if arrival != .paged { options.append(ListOptions.sort.declaration.adapted(default: order)) }
    options.append(ListOptions.limit.declaration.adapted(default: limit.map { "\($0)" }))
    options.append(ListOptions.exitStatus.declaration)
    if let watch {
      options.append(
        ListOptions.watch.declaration.adapted(
          value: .seconds(from: watch.shortest, hint: watch.reason),
          note: ", \(watch.shortest.inSeconds) or more",
          details: watch.reason.map { "SECONDS is \(watch.shortest.inSeconds) or more: \($0)." } ?? ""))
    }
    return options
  }

  func replacements(in command: String) -> [Replacement] {
    [
      Replacement(
        ListOptions.sort.declaration.name,
        problem: "is not available: '\(command)' prints rows while pages arrive",
        "fetch all rows and sort them: '... --json | hw rows --sort FIELD --fields LIST'"),
      Replacement(
        ListOptions.watch.declaration.name, problem: "is not available for '\(command)'",
        "use watch(1) or a loop with sleep"),
    ]
  }

  func selection(_ call: Invocation, _ time: any TimeKeeper) throws(Failure) -> ListSelection {
    let today = WallTime(time.now()).day
    var selection = ListSelection(
      conditions: call[ListOptions.filter],
      order: arrival == .paged ? nil : call[ListOptions.sort],
      limit: call[ListOptions.limit] ?? limit)
    for condition in selection.conditions { try condition.checkSpelling() }
    if arrival == .input {
      selection.resolveForAnyFields(today: today)
    } else {
      try selection.resolve(against: columns, today: today, dayOfList: self.today?(time))
    }
    return selection
  }
}
