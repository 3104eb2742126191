import Command

/// The commands that belong to no suite.
public enum Toolbox {
  public static let suite = Suite(
    "", "Commands that belong to no suite",
    discussion: """
      Five suites turn five small services into commands that shell scripts, jq pipelines, cron jobs and CI checks can \
      trust: tables for people, JSON for programs, an exit status that says what happened.
      """,
    commands: [serve, check, rows, schema, help, completions, version]
  )
}
