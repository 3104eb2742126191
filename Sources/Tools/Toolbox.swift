import Command

public enum Toolbox {
  public static var guides: [Topic] { [ServerGuide.topic, ClusterGuide.topic, RouteReference.topic] }

  public static func suite(serving suites: @escaping @Sendable () -> [Suite]) -> Suite {
    Suite(
      "", "Commands that belong to no suite",
      discussion: """
        Five suites turn five small services into commands that shell scripts, jq pipelines, cron jobs and CI checks \
        can trust: tables for people, JSON for programs, an exit status that says what happened.
        """,
      replacements: [
        Replacement("rows --from", "the input is JSON; mlr or duckdb convert CSV and TSV"),
        Replacement("serve --cors", "a proxy can add the header fields that let pages of other origins read"),
      ],
      commands: [serve(suites), check, rows, schema, help, completions, version]
    )
  }
}
