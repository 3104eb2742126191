import System

extension Topic {
  /// Shared options in full; the help of a command has one line for each.
  static let options = Topic(
    name: "options", title: "Options", summary: "The options that commands share",
    blocks: groups.map { .subsection(title: $0.title, [.items($0.options.map(\.item))]) })

  static var optionNames: [String] { groups.flatMap(\.options).map(\.name) }

  private static let groups: [StandardOptions.Group] =
    [
      StandardOptions.Group(
        title: "List options",
        options: [
          ListOptions.filter.declaration, ListOptions.sort.declaration, ListOptions.limit.declaration,
          ListOptions.exitStatus.declaration, ListOptions.watch.declaration,
        ])
    ] + StandardOptions.groups + [
      StandardOptions.Group(title: "Credential options", options: [Service.tokenFile.declaration])
    ]

  static func environment(_ program: Program) -> Topic {
    let settings =
      StandardOptions.all.filter(\.isSetting).map { option in
        Item(.variable(option.variable), "\(option.asSetting): \(option.summary.lowercasedFirst)")
      } + StandardSettings.all.map { Item(.variable($0.variable), $0.settingMeaning.lowercasedFirst) }
    let suites = program.suites.map { suite in
      (suite.commands, "\(program.name) \(suite.name)", suite.name as String?)
    }
    let tools = program.tools.commands.map { ([$0], "\(program.name) \($0.name)", nil as String?) }
    let own: [Item] = (suites + tools).flatMap { commands, owner, suite in
      var seen: Set<String> = []
      let options = commands.flatMap(\.options).map(\.declaration)
        .filter { ($0.isSetting || $0.ownVariable != nil) && seen.insert($0.name).inserted }
        .map { option in
          Item(
            .variable(option.ownVariable ?? option.variables(suite: suite)[0]),
            "\(option.asSetting) of \(owner)\(option.ownVariable == nil ? "" : " only"): \(option.summary.lowercasedFirst)"
          )
        }
      let settings = commands.flatMap(\.settings).map(\.declaration).filter { seen.insert($0.name).inserted }
        .map { setting in
          Item(
            .variable(setting.variables(suite: suite)[0]),
            "\(owner): \(setting.settingMeaning.lowercasedFirst)")
        }
      return options + settings
    }
    let secrets = program.services.compactMap { service in
      service.credential.map { credential in
        Item(
          .variable(([service.variable] + credential.variables).joined(separator: ", ")),
          "the \(credential.setting) that \(program.name) \(service.suite) sends")
      }
    }
    let tokens = program.services
      .filter { $0.credential?.setting != Service.token }.map(\.tokenVariable).joined(separator: ", ")
    return Topic(
      name: "environment", title: "Environment", summary: "The variables that hw reads",
      blocks: [
        .paragraph(
          """
          A setting is a variable or a line of the configuration file, and most are also options. The order of \
          precedence is: the option, HW_NODES_COLOR (for one suite), HW_COLOR (for all suites), nodes.color and color \
          in the file, the default. A file that others can change is refused. An empty variable counts as unset. \
          'hw config list --origin' also lists the settings that are not in the file.
          """),
        .items(
          settings + own + secrets + [
            Item(.variable(tokens), "the token of a user of 'hw serve' for one suite"),
            Item(.variable("HW_TOKEN"), "the same for all suites, sent only to the address in HW_URL"),
            Item(.variable("HW_BIN"), "set for a plug-in: the hw that runs it"),
            Item(.variable("HW_CONFIG"), "the configuration file, in place of $XDG_CONFIG_HOME/hw/config"),
            Item(
              .variable("HW_PAGER, PAGER"),
              "the pager for long output instead of 'less -FRX'; empty: no pager"),
            Item(
              .variable("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME"),
              "the parent directories of hw's configuration, databases, state and cached responses"),
            Item(
              .variable("HOME"), "the parent of their defaults: .config, .local/share, .local/state, .cache"),
            Item(.variable("PATH"), "the directories with plug-ins, pagers and browsers"),
            Item(.variable("TMPDIR"), "the directory for temporary browser profiles"),
            Item(.variable("BROWSER"), "the command that opens a page instead of xdg-open"),
            Item(.variable("DISPLAY, WAYLAND_DISPLAY"), "unset: no window for a CAPTCHA"),
            Item(
              .variable("http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY"),
              "proxies, as in curl; http_proxy only in lower case; never used for loopback addresses"),
            Item(
              .variable("CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR"), "trusted certificates, as in curl"),
            Item(
              .variable("PGHOST, PGPORT, PGUSER, PGDATABASE, PGSERVICE, PGPASSFILE, PGTARGETSESSIONATTRS"),
              "defaults for the address of a PostgreSQL store, read by libpq"),
            Item(
              .variable("LC_ALL, LC_MESSAGES, LANG"),
              "the language of the place names of 'hw nodes'; for feeds: --lang"),
            Item(.variable("TZ"), "the time zone of times in tables"),
            Item(.variable("NO_COLOR"), "disables color if it is set"),
            Item(
              .variable("CLICOLOR_FORCE"), "enables color in pipes and files, with all colors, unless it is 0"
            ),
            Item(.variable("TERM"), "'dumb' or unset disables color, pager and screens"),
            Item(
              .variable("COLORTERM"), "'truecolor' or '24bit' enables all colors on a terminal; otherwise 256"
            ),
            Item(.variable("COLUMNS"), "the width of the terminal if it is unknown"),
            Item(.variable("LISTEN_PID, LISTEN_FDS"), "the sockets that systemd passes to 'hw serve'"),
            Item(
              .variable("NOTIFY_SOCKET, WATCHDOG_PID, WATCHDOG_USEC"),
              "what 'hw serve' reports to systemd, and how often"),
          ]),
      ])
  }

  static func services(_ program: Program) -> Topic {
    Topic(
      name: "services", title: "Services", summary: "Where the data comes from, and how to work offline",
      blocks: [
        .paragraph("By default the commands of a suite use this service:"),
        .items(program.services.map { Item($0.suite, $0.summary) }),
        .paragraph(
          """
          --url or HW_<SUITE>_URL selects another address for one suite, HW_URL for all. 'hw config list --origin' \
          lists the addresses in use. An address is one of these:
          """),
        .items([
          Item("https://HOST", "a server; http:// and unix:FILE also work"),
          Item("embedded:", "the backend in hw with a database on this machine; no network"),
          Item(
            "demo:",
            "the backend in hw with sample data, which last for one command; no network and no account"),
          Item(
            "gbfs:URL",
            "the GBFS feed of a bike share operator, for 'hw bikes list', 'map' and 'show'; read-only"),
        ]),
        .paragraph(
          """
          --demo is short for '--url demo:'. With HW_URL=demo: in the environment, every command works offline. \
          'hw serve' runs the backends as a server.
          """),
      ])
  }
}

extension Service {
  fileprivate var summary: String {
    if let credential, address != live {
      return "\(address); with a \(credential.setting), the live service \(live) (\(reason))"
    }
    return address.contains("//") ? "live: \(address) (\(reason))" : "\(address) (\(reason))"
  }
}

extension Program {
  var documentedVariables: [String] {
    Topic.environment(self).blocks.flatMap { block -> [String] in
      guard case .items(let items) = block else { return [] }
      return items.flatMap { item -> [String] in
        guard case .variable(let names) = item.term else { return [] }
        return names.split(by: ", ")
      }
    }
  }
}

extension OptionDeclaration {
  /// Option as the effect of a variable: its name, or the word that turns a flag on or off.
  fileprivate var asSetting: String {
    switch kind {
    case .flag(let startsOn): "'\(startsOn ? "off" : "on")' acts as \(spelling)"
    case .counter, .value, .list, .shorthand: spelling
    }
  }
}
