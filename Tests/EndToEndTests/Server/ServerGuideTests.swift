import Foundation
import Server
import TestSupport
import Testing

@testable import Command
@testable import Tools
@testable import hw

/// The guide `hw-server(7)`: its commands run, and the programs that read its configuration files accept them.
@Suite(.ownThread, .needs(.libsqlite3)) struct ServerGuideText {
  /// The units are written for /usr/local/bin/hw, which need not exist here.
  private func home(_ names: [String]) throws -> Home {
    let home = try Home()
    for name in names {
      let text = try GuideBlocks.file(name).replacingOccurrences(of: "/usr/local/bin/hw", with: "/bin/sh")
      try home.write(text, to: name == "several.conf" ? "hw.service.d/several.conf" : name)
    }
    return home
  }

  @Test(
    .needs(.systemd),
    arguments: [
      ["hw.socket", "hw.service", "hw-alert.service", "hw-backup.service", "hw-backup.timer"],
      ["hw.socket", "hw.service", "several.conf"],
    ])
  func systemdAcceptsUnits(names: [String]) throws {
    let units = names.filter { $0 != "several.conf" }.joined(separator: " ")
    let ending = try shell(
      """
      for unit in \(units); do systemd-analyze verify ./$unit 2>&1 || echo "$unit: status $?"; done
      systemd-analyze security --offline=true --threshold=30 ./hw.service >/dev/null 2>&1 || echo "too much is exposed"
      """, in: home(names))
    #expect(ending.output == "")
  }

  /// A start that fails, as without the database after a loss of power, is retried without an end.
  @Test func unitRestartsAfterFailure() throws {
    let unit = try GuideBlocks.file("hw.service")
    #expect(unit.contains("\nRestart=on-failure\nRestartSec=5\n"))
    let head = try #require(unit.split(separator: "[Service]").first)
    #expect(head.contains("\nStartLimitIntervalSec=0\n"))
  }

  @Test func proxyBodyLimitMatchesServer() throws {
    let size = RequestLimits().body
    #expect(size.isMultiple(of: 1 << 20))
    let lines = GuideBlocks.all.flatMap(\.self)
    #expect(lines.contains("    client_max_body_size \(size >> 20)m;"))
    let help = try shell("hw help server").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains(" a body of \(size >> 20) MiB at most"))
    let server = try Serving.Server()
    for (length, status) in [(size, 400), (size + 1, 413)] {
      let client = try #require(RawConnection(server.url))
      #expect(client.ask("POST", "/scores", String(repeating: " ", count: length))?.status == status)
    }
    #expect(server.stop().status == 0)
  }

  @Test(.needs(.nginx, .openssl), arguments: [false, true])
  func nginxAcceptsFiles(isCluster: Bool) throws {
    let home = try home([])
    try home.write(isCluster ? GuideBlocks.clusterProxy() : GuideBlocks.file("bikes.conf"), to: "bikes.conf")
    let ending = try shell(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=bikes.example -keyout key -out pem 2>/dev/null
      sed -i "s|/etc/ssl/bikes.example.pem|$PWD/pem|; s|/etc/ssl/bikes.example.key|$PWD/key|" bikes.conf
      echo "events {} pid $PWD/pid; http { access_log off; include $PWD/bikes.conf; }" >nginx.conf
      PATH=$PATH:/usr/sbin nginx -t -q -e stderr -p "$PWD" -c "$PWD/nginx.conf"
      """, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test(.needs(.caddy))
  func caddyAcceptsFile() throws {
    let ending = try shell(
      "caddy validate --adapter caddyfile --config Caddyfile 2>&1", in: home(["Caddyfile"]))
    #expect(ending.output.contains("Valid configuration"), "\(ending.output)")
  }

  /// A command of the guide with directories of this test.
  private static func adapted(_ line: String) -> String {
    line.replacing("/var/lib/", with: "lib/").replacing("/var/backups/", with: "backups/")
      .replacing("/usr/local/bin/hw", with: "bin/hw").replacing("2026-11-22T000000", with: "$(ls backups/hw)")
  }

  private static func commands(in title: String) -> String {
    // What systemd runs is left out.
    (["systemctl() { :; }"] + GuideBlocks.commands(in: title).map(adapted)).joined(separator: "\n")
  }

  /// The shell commands of the backup service, except that for another machine.
  private static func backupCommands() throws -> String {
    try GuideBlocks.file("hw-backup.service").split(separator: "\n").compactMap { line in
      let value = line.drop { $0 != "=" }.dropFirst()
      if line.hasPrefix("Environment=") { return "export \(adapted(String(value)))" }
      guard line.hasPrefix("ExecStart="), !value.contains("rsync") else { return nil }
      return adapted(value.replacing("%%", with: "%"))
    }.joined(separator: "\n")
  }

  @Test(.needs(.bash)) func guideCommandsRun() throws {
    let home = try Home()
    let users = Self.commands(in: "Users").replacing("hw users add ben", with: "hw users add ben >token")
      .replacing("https://bikes.example", with: "$url")
    let script = """
      url=$HW_URL; unset HW_TOKEN HW_URL HW_BIKES_URL
      \(Self.commands(in: "Installation"))
      \(users)
      mkdir -p backups/hw/2025-01-{10..44}
      \(Self.commands(in: "Upgrade"))
      \(Self.commands(in: "Upgrade"))
      \(try Self.backupCommands())
      sleep 1
      \(try Self.backupCommands())
      cat lib/prometheus/node-exporter/hw.prom
      """
    try home.write(script, to: "script")
    let ending = try shell(
      """
      mkdir -p lib/prometheus/node-exporter bin backups; cp "$(command -v hw)" hw; cp hw bin/hw; printf new >>hw
      hw users add first --store lib/hw >/dev/null && hw serve bikes --store lib/hw --samples -- bash -ec '. ./script'
      """, in: home)
    #expect(ending.status == 0, "\(ending)")
    #expect(
      ending.output.contains("Henry") && ending.output.contains("hw_backup_time_seconds 1"), "\(ending)")
    let copies = home.names("backups/hw")
    #expect(copies.count == 30 && copies.filter { !$0.hasPrefix("2025-01-") }.count == 2)
    let kept = try shell("cmp hw bin/hw && cmp bin/hw-old \"$(command -v hw)\"", in: home)
    #expect(kept.status == 0, "the upgrade was pasted twice: \(kept.output)")
  }

  /// Root restores a backup of a server that another user runs. What has come back is found as the guide says.
  @Test(.enabled(if: geteuid() == 0, "needs root"), .needs(.bash, .setpriv))
  func restoreIsPlayed() throws {
    let home = try Home()
    let restore = Self.commands(in: "Restore").split(separator: "\n")
    let compare = restore.firstIndex { $0.hasPrefix("hw users list") } ?? restore.endIndex
    let ending = try shell(
      """
      chmod 755 . && mkdir -p bin lib/hw lib/prometheus/node-exporter backups && chown 65534:65534 lib/hw
      cp "$(command -v hw)" bin/hw && chmod 755 bin/hw && chmod 700 lib/hw
      serve() {
        setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent \\
          bin/hw serve bikes --store lib/hw --samples -- sh -c "$1" || echo "status $?"
      }
      for name in ben cara; do hw users add $name --store lib/hw >$name; chmod 644 $name; done
      serve 'HW_TOKEN=$(cat ben) bin/hw bikes rent 1 -q >/dev/null'
      (\(try Self.backupCommands())) >/dev/null
      hw users delete ben --store lib/hw --yes -q >/dev/null && hw users rotate cara --store lib/hw >new
      serve 'HW_TOKEN=$(cat ben) bin/hw bikes rented -q 2>/dev/null'
      (set -e; \(restore[..<compare].joined(separator: "; "))) >/dev/null || echo "no restore"
      find lib/hw -name '*.db' ! -user 65534 ! -path '*/before/*'
      serve 'HW_TOKEN=$(cat ben) bin/hw bikes rented --tsv --no-header --fields id,renter'
      serve 'HW_TOKEN=$(cat cara) bin/hw bikes rented -q --tsv --no-header'
      \(restore[compare...].joined(separator: "\n"))
      """, in: home, with: ["bash", "-c"])
    let lines = ending.output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(2) == ["status 7", "1\tben"], "\(ending)")
    #expect(lines.dropFirst(2).contains { $0.hasPrefix("< ben\t") }, "\(ending)")
    #expect(
      lines.dropFirst(2).contains { $0.hasPrefix("< cara\t") } && lines.contains { $0.hasPrefix("> cara\t") },
      "the token of the backup: \(ending)")
  }

  /// Each metric of the alerts exists, or is written by the backup.
  @Test(.needs(.curl)) func alertsUseMetricsOfServer() throws {
    let rules = try GuideBlocks.file("hw.rules.yml")
    let names = Set(rules.split { !$0.isLetter && $0 != "_" }.map(String.init).filter { $0.hasPrefix("hw_") })
    #expect(names == ["hw_store_up", "hw_store_free_bytes", "hw_errors_total", "hw_backup_time_seconds"])
    let page = try shell(
      "hw serve bikes --store data --metrics-listen unix:m -- curl -s --unix-socket m http://localhost/metrics"
    ).output
    let backup = try GuideBlocks.file("hw-backup.service")
    for name in names { #expect(page.contains("\n\(name)") || backup.contains(name), "\(name)") }
    #expect(
      page.contains("hw_errors_total{kind=\"storage\"}") && page.contains("hw_errors_total{kind=\"defect\"}"))
  }

  @Test(arguments: [("server", 215), ("cluster", 140)])
  func guideIsShort(name: String, lines: Int) throws {
    let page = try String(
      contentsOf: GeneratedFiles.root.appending(path: "man/hw-\(name).7"), encoding: .utf8)
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= lines + 1)
  }

  /// Routes that differ only in a prefix are one.
  @Test(arguments: RouteReference.suites.map(\.name))
  func routeReferenceMatchesBackend(suite name: String) throws {
    let suite = try #require(Program.hw.suites.first { $0.name == name })
    let backend = try suite.backend(.demo(seed: 1, time: FakeClock()))
    let served = Set(
      backend.routes.map { "\($0.method.rawValue) \($0.pattern)" }.filter { !$0.contains(" /v1/") })
    let described = try #require(RouteReference.suites.first { $0.name == name }).routes.map(\.route)
    #expect(served == Set(described))
  }
}
