import Foundation
import Server
import TestSupport
import Testing

@testable import Command
@testable import Tools
@testable import hw

/// The guide `hw-server(7)`: its commands run, and the programs that read its configuration files accept them.
@Suite(.ownThread) struct ServerGuideText {
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
    .needs(.systemd))
  func systemdAcceptsUnits() throws {
    let names = ["hw.socket", "hw.service", "hw-backup.service", "hw-backup.timer"]
    let ending = try shell(
      """
      for unit in \(names.joined(separator: " ")); do systemd-analyze verify ./$unit 2>&1 || echo "$unit: status $?"; done
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

  @Test(
    .needs(.systemd))
  func systemdAcceptsSeveralServersAddition() throws {
    let ending = try shell(
      """
      systemd-analyze verify ./hw.service 2>&1 || echo "status $?"
      systemd-analyze security --offline=true --threshold=30 ./hw.service >/dev/null 2>&1 || echo "too much is exposed"
      """, in: home(["hw.socket", "hw.service", "several.conf"]))
    #expect(ending.output == "")
  }

  @Test(
    .needs(.haproxy, .openssl))
  func haproxyAcceptsFile() throws {
    let ending = try shell(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=bikes.example -keyout key -out pem 2>/dev/null
      cat key >>pem
      sed -i "s|/etc/ssl/bikes.example.pem|$PWD/pem|" haproxy.cfg
      PATH=$PATH:/usr/sbin haproxy -c -dW -f haproxy.cfg 2>&1
      """, in: home(["haproxy.cfg"]))
    #expect(ending.status == 0, "\(ending.output)")
  }

  @Test(
    .needs(.nginx, .openssl),
    arguments: ["bikes.conf", "bikes-several.conf"])
  func nginxAcceptsFiles(_ name: String) throws {
    let home = try home([name])
    try home.write(home.text(name), to: "bikes.conf")
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

  /// With another directory, and the address of a real server. What systemd runs is left out, and what needs a database
  /// is in `GuideToSeveralServers`.
  @Test(.needs(.bash)) func guideCommandsRun() throws {
    let home = try Home()
    let lines = GuideBlocks.commands.flatMap(\.self).filter {
      !$0.hasPrefix("systemctl") && !SeveralServersGuideText.runs($0)
    }
    #expect(lines.count > 8)
    let script = lines.joined(separator: "\n")
      .replacingOccurrences(of: "/var/lib/", with: "lib/").replacingOccurrences(
        of: "/var/backups/", with: "backups/"
      )
      .replacingOccurrences(
        of: "hw users add ben --store lib/hw", with: "hw users add ben --store lib/hw >token"
      )
      .replacingOccurrences(of: "the-token-of-the-member", with: "$(cat token)")
      .replacingOccurrences(of: "https://bikes.example", with: "http+unix")
      .replacingOccurrences(of: "export HW_URL=http+unix", with: "")
      .replacingOccurrences(
        of: "hw store verify", with: "hw store copy --from lib/hw --to backups/hw/2026-11-22\nhw store verify"
      )
    let ending = try shell(
      "mkdir lib backups\nhw users add first --store lib/hw >/dev/null\n"
        + "hw serve bikes --store lib/hw -- bash -ec '\(script.replacingOccurrences(of: "'", with: "'\\''"))'",
      in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("mia"))
  }

  /// Routes that differ only in a prefix are one.
  @Test(arguments: RouteReference.suites.map(\.name))
  func routeReferenceMatchesBackend(suite name: String) throws {
    let suite = try #require(Program.hw.suites.first { $0.name == name })
    let backend = try suite.backend(.demo(seed: 1, time: FakeClock()))
    let served = Set(
      backend.routes.map { "\($0.method.rawValue) \($0.pattern)" }
        .filter { !$0.contains(" /v1/") && !$0.contains("/testnet/") && !$0.contains("/signet/") })
    let described = try #require(RouteReference.suites.first { $0.name == name }).routes.map(\.route)
    #expect(served == Set(described))
  }
}
