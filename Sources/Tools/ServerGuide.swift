import Command
import Server

extension Toolbox {
  public static var serverGuide: Topic { ServerGuide.topic }
}

private enum ServerGuide {
  /// `hw-server(7)`: how to run a server for other people. The tests run its commands, and check its configuration
  /// files with the programs that read them.
  static let topic = Topic(
    name: "server", title: "Server guide", summary: "Running a public server: users, TLS, backup, routes",
    related: ["serve", "users", "store"],
    blocks: [
      .paragraph(
        """
        'hw serve' is the backend of a bike sharing community, a Wordle league, or both. One process with a directory \
        is enough for a city. This guide installs it on a Linux machine with systemd, behind nginx or caddy, and \
        describes how to go on to several servers and a database with a standby. The domain is bikes.example in all \
        examples.
        """)
    ] + sections)

  private static let sections: [Block] =
    [
      .subsection(title: "Installation", installation), .subsection(title: "Users", users),
      .subsection(title: "TLS", proxies), .subsection(title: "Backup", backup),
      .subsection(title: "Upgrade", upgrade), .subsection(title: "Monitoring", monitoring),
      .subsection(title: "Limits", limits), .subsection(title: "Guarantees", guarantees),
    ] + SeveralServersGuide.sections + [.subsection(title: "Requests", requests)] + RouteReference.sections

  private static let installation: [Block] = [
    .paragraph("Install hw as /usr/local/bin/hw, and add these two files:"),
    .literal([
      "# /etc/systemd/system/hw.socket", "[Unit]", "Description=Socket of the hw server", "", "[Socket]",
      "ListenStream=127.0.0.1:7400", "", "[Install]", "WantedBy=sockets.target",
    ]),
    .literal([
      "# /etc/systemd/system/hw.service", "[Unit]", "Description=hw server", "Requires=hw.socket",
      "After=network.target hw.socket", "StartLimitIntervalSec=0", "", "[Service]", "Type=notify",
      "ExecStart=/usr/local/bin/hw serve bikes --store ${STATE_DIRECTORY} --public-url https://bikes.example --log text",
      "DynamicUser=yes", "StateDirectory=hw", "StateDirectoryMode=0700", "UMask=0077", "Restart=on-failure",
      "RestartSec=5", "WatchdogSec=30", "TimeoutStopSec=15", "CapabilityBoundingSet=", "NoNewPrivileges=yes",
      "PrivateDevices=yes", "PrivateUsers=yes", "ProcSubset=pid", "ProtectClock=yes",
      "ProtectControlGroups=yes", "ProtectHome=yes", "ProtectHostname=yes", "ProtectKernelLogs=yes",
      "ProtectKernelModules=yes", "ProtectKernelTunables=yes", "ProtectProc=invisible",
      "ProtectSystem=strict", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6", "RestrictNamespaces=yes",
      "RestrictRealtime=yes", "LockPersonality=yes", "MemoryDenyWriteExecute=yes",
      "SystemCallArchitectures=native", "SystemCallFilter=@system-service",
      "SystemCallFilter=~@privileged @resources", "", "[Install]", "WantedBy=multi-user.target",
    ]),
    .literal([
      "hw users add mia --admin --store /var/lib/hw", "systemctl daemon-reload",
      "systemctl enable hw.socket hw.service", "systemctl start hw.service",
    ]),
    .paragraph(
      """
      A public server requires at least one user, so the first command adds an admin. The data is in /var/lib/hw. Because systemd holds the socket, clients wait during a restart of the service, and no \
      connection is refused. The service runs as a user of its own without privileges. \
      RestartSec and StartLimitIntervalSec make systemd retry for as long as a start fails, for instance while a database \
      server is away after a loss of power.
      """),
  ]

  private static let users: [Block] = [
    .paragraph(
      """
      Each member of the community needs a token. As root, add the members; the server accepts them immediately:
      """),
    .literal([
      "hw users add ben --store /var/lib/hw",
      "hw users list --store /var/lib/hw",
    ]),
    .paragraph(
      """
      'hw users add' prints the token. It is shown only once, because the store contains only its hash. 'hw users rotate' \
      replaces a lost token, 'hw users delete' deletes a user. An admin may return, edit and delete all bikes and reads \
      all rentals. A member sets two variables and uses the commands:
      """),
    .literal([
      "export HW_URL=https://bikes.example", "export HW_TOKEN=the-token-of-the-member",
      "hw bikes list --anywhere", "hw bikes rented",
    ]),
    .paragraph(
      "Without --public no request is accepted without a token. With '--public bikes' anybody can read the bikes."
    ),
  ]

  /// In MiB.
  private static let bodyLimit = RequestLimits().body >> 20

  private static let proxies: [Block] = [
    .paragraph(
      """
      The server speaks HTTP; a proxy on the same machine adds TLS. The option --public-url declares that the server is \
      behind one. With nginx:
      """),
    .literal([
      "# /etc/nginx/conf.d/bikes.conf", "server {", "    listen 443 ssl;", "    server_name bikes.example;",
      "    ssl_certificate /etc/ssl/bikes.example.pem;",
      "    ssl_certificate_key /etc/ssl/bikes.example.key;",
      "    client_max_body_size \(bodyLimit)m;", "    location / {",
      "        proxy_pass http://127.0.0.1:7400;",
      "        proxy_http_version 1.1;", "        proxy_set_header Connection \"\";",
      "        proxy_set_header Host $host;", "        proxy_set_header X-Forwarded-For $remote_addr;",
      "    }", "}",
    ]),
    .paragraph("With caddy, which also obtains the certificate:"),
    .literal(["# /etc/caddy/Caddyfile", "bikes.example {", "    reverse_proxy 127.0.0.1:7400", "}"]),
  ]

  private static let backup: [Block] = [
    .paragraph(
      """
      'hw store copy' makes a consistent copy of the databases while the server runs. Copying the files with other \
      programs is safe only while the server is stopped. A daily backup:
      """),
    .literal([
      "# /etc/systemd/system/hw-backup.service", "[Unit]", "Description=Backup of the hw server", "",
      "[Service]", "Type=oneshot",
      "ExecStart=/bin/sh -c '/usr/local/bin/hw store copy --from /var/lib/hw --to /var/backups/hw/$(date +%%F)'",
    ]),
    .literal([
      "# /etc/systemd/system/hw-backup.timer", "[Unit]", "Description=Daily backup of the hw server", "",
      "[Timer]", "OnCalendar=daily", "Persistent=true", "", "[Install]", "WantedBy=timers.target",
    ]),
    .paragraph(
      "To restore a backup, stop the service and copy the backup to an empty directory. Then use that as the store:"
    ),
    .literal([
      "hw store verify --store /var/backups/hw/2026-11-22",
      "hw store copy --from /var/backups/hw/2026-11-22 --to /var/lib/hw-restored",
    ]),
  ]

  private static let upgrade: [Block] = [
    .paragraph(
      """
      Make a backup, install the new binary, and restart the service. The first start migrates the databases; \
      'hw store migrate' does the same beforehand. A migrated database is refused by older versions of hw, so a downgrade \
      needs the backup. For several servers on one database see "Rolling upgrade".
      """),
    .literal(["hw store migrate --store /var/lib/hw", "systemctl restart hw.service"]),
  ]

  private static let monitoring: [Block] = [
    .items([
      Item("GET /healthz", "200 while the process runs; needs no token"),
      Item(
        "GET /readyz",
        "200 if the store can be reached, 503 otherwise; a server that shuts down accepts no new connections, and responds 503 on others"
      ),
      Item(
        "GET /metrics", "metrics in the Prometheus text format, only on the address of --metrics-listen"),
      Item("--log text|json", "one line per request on standard error, which systemd writes to the journal"),
    ])
  ]

  private static let limits: [Block] = [
    .paragraph(
      """
      A public server limits requests per address and per user, unknown tokens, and connections per address; 'hw help \
      serve' lists the options and their defaults. Each is also a setting: 'serve.requests-per-address = 20' in the \
      configuration, or HW_SERVE_REQUESTS_PER_ADDRESS=20. A request beyond a limit receives 429 with Retry-After. Behind a proxy \
      the client address is the last one in X-Forwarded-For. A request may have a body of \(bodyLimit) MiB at most.
      """)
  ]

  private static let guarantees: [Block] = [
    .items([
      Item(
        "durability",
        "a change is on the disk before its response is sent; it survives kill -9 and a loss of power"),
      Item("one winner", "of concurrent requests to rent a bike exactly one succeeds"),
      Item(
        "idempotency",
        "a repeated request with the same Idempotency-Key returns the first response and changes nothing"),
      Item("atomic imports", "an import adds all of its bikes or none"),
      Item(
        "privacy", "a PIN is sent only to the owner, the renter and admins, with Cache-Control: no-store"),
    ])
  ]

  private static let requests: [Block] = [
    .paragraph(
      """
      Every route also exists below the name of its suite: /bikes/bikes, /wordle/scores. A request with a body needs the \
      header field 'Content-Type: application/json'. Every change requires the token of a user. Reading requires one unless --public names the suite; GET /bikes/:id always does. \
      /healthz and /readyz require none:
      """),
    .items([
      Item("Authorization: Bearer TOKEN", "the token of a user; 'X-Authorization: TOKEN' means the same"),
      Item(
        "Idempotency-Key: KEY",
        "for changes of bikes: a repeated request with this key is not executed again; keys expire after a day"
      ),
      Item(
        "Idempotency-Cancel: true",
        "with a key: executes nothing, and responds as to the request that was executed with it; 412 if there was none"
      ),
      Item(
        "X-Request-Id: ID", "appears in the log and in the response; the server makes one if it is missing"),
    ]),
    .paragraph("Errors have one of these statuses, and a text or JSON that describes them:"),
    .items([
      Item("400", "the request is invalid, or the bike is rented already or not rented"),
      Item("401", "the token is missing or unknown"),
      Item("403", "the user may not do this, or the page's origin"),
      Item("404", "there is no such route, bike or score"),
      Item("405", "the route has other methods; Allow lists them"),
      Item("409", "the request conflicts with another"),
      Item("412", "no request with the Idempotency-Key was executed, and none will be"),
      Item("413", "the body is too large"), Item("415", "the body has another content type"),
      Item("414, 431", "the target or the header is too long"),
      Item("422", "the Idempotency-Key belongs to another request"),
      Item("429", "a limit is exceeded; Retry-After has the seconds to wait"),
      Item("501, 505", "the method or the version of HTTP is unknown"),
      Item("507", "the disk is full, and nothing was changed"),
      Item("503", "the store cannot be reached, or the server is busy; Retry-After has the seconds to wait"),
    ]),
  ]
}
