import Command
import Server

/// `hw-server(7)`. The tests run its commands, perform its restore, and check its files with their programs.
enum ServerGuide {
  static let topic = Topic(
    name: "server", title: "Server guide",
    summary: "Running a server: users, TLS, backup, restore, monitoring",
    related: ["serve", "users", "store"],
    blocks: [
      .paragraph(
        """
        'hw serve' is the backend of a bike sharing community, and with 'wordle' added to ExecStart of a Wordle \
        league, whose members set wordle.url and wordle.token. A change is on the disk before its response is sent. \
        This guide installs it on a Linux machine with systemd, as root, at bikes.example. It uses nginx or caddy, \
        rsync, mail with a mail server, and Prometheus with Alertmanager and its node exporter. 'hw help cluster' goes \
        on with several servers and a database, 'hw help routes' lists the routes.
        """),
      .subsection(title: "Installation", installation), .subsection(title: "TLS", proxies),
      .subsection(title: "Users", users), .subsection(title: "Day to day", days),
      .subsection(title: "Backup", backup), .subsection(title: "Restore", restore),
      .subsection(title: "Upgrade", upgrade), .subsection(title: "Monitoring", monitoring),
    ])

  private static let installation: [Block] = [
    .paragraph(
      """
      Build hw as README.md says, and install it as /usr/local/bin/hw. systemd holds its socket, so that no connection \
      is refused during a restart. The service has no privileges, and is started again for as long as a start fails:
      """),
    .literal([
      "# /etc/systemd/system/hw.socket", "[Socket]", "ListenStream=127.0.0.1:7400",
      "# /etc/systemd/system/hw.service", "[Unit]", "Requires=hw.socket", "StartLimitIntervalSec=0",
      "[Service]", "Type=notify",
      "ExecStart=/usr/local/bin/hw serve bikes --store ${STATE_DIRECTORY} --public-url https://bikes.example --metrics-listen 127.0.0.1:7401 --log text",
      "DynamicUser=yes", "StateDirectory=hw", "StateDirectoryMode=0700", "UMask=0077", "Restart=on-failure",
      "RestartSec=5", "WatchdogSec=30", "CapabilityBoundingSet=", "PrivateUsers=yes", "ProtectHome=yes",
      "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6", "RestrictNamespaces=yes",
      "MemoryDenyWriteExecute=yes", "SystemCallArchitectures=native", "SystemCallFilter=@system-service",
      "SystemCallFilter=~@privileged @resources", "[Install]", "WantedBy=multi-user.target",
    ]),
    .paragraph(
      "Name the store for root's commands, add an admin, since a public server requires a user, and start it:"
    ),
    .literal([
      "hw config set store /var/lib/hw", "hw users add mia --admin",
      "systemctl enable hw.service && systemctl start hw.service",
    ]),
    .paragraph(
      """
      The data is in the state directory, /var/lib/hw, which DynamicUser makes a link to /var/lib/private/hw; a user \
      that exists while the service runs owns the files. Root can use the directory at any time: files that root \
      adds get the owner of the directory. After a change of the unit, enter 'systemctl daemon-reload' and restart it.
      """),
  ]

  private static let bodyLimitInMiB = RequestLimits().body >> 20

  private static let proxies: [Block] = [
    .paragraph(
      """
      A proxy on the same machine adds TLS; --public-url declares that the server is behind one, whose X-Forwarded-For \
      alone gives the address of a client. A request may have a body of \(bodyLimitInMiB) MiB at most. With nginx, \
      which needs a certificate, and 'systemctl reload nginx' after each renewal, or with caddy, which obtains and \
      renews its own:
      """),
    .literal([
      "# /etc/nginx/conf.d/bikes.conf", "server {", "    listen 443 ssl;", "    server_name bikes.example;",
      "    ssl_certificate /etc/ssl/bikes.example.pem;",
      "    ssl_certificate_key /etc/ssl/bikes.example.key;", "    client_max_body_size \(bodyLimitInMiB)m;",
      "    access_log off;", "    location / {", "        proxy_pass http://127.0.0.1:7400;",
      "        proxy_set_header Host $host;", "        proxy_set_header X-Forwarded-For $remote_addr;",
      "    }", "}", "# /etc/caddy/Caddyfile", "bikes.example", "reverse_proxy 127.0.0.1:7400",
    ]),
  ]

  private static let users: [Block] = [
    .paragraph(
      "Each member needs a token, which the running server accepts immediately, and a copy of the binary (on Linux with glibc 2.35 or newer, and libcurl):"
    ),
    .literal(["hw users add ben"]),
    .paragraph(
      """
      The token is printed only once: the store contains its hash. The member saves it in a file that nobody else can \
      read, and enters the following; with a certificate of your own, also CURL_CA_BUNDLE=FILE with that of its \
      authority. The admin does the same, and adds the bikes with 'hw bikes import'. With '--public bikes' in the unit \
      anybody can read the free bikes; members without Linux use the routes of hw-routes(7). hw-serve(1) has the \
      limits of a member, which Environment=HW_SERVE_BIKES_PER_OWNER=20 and the like in the unit set.
      """),
    .literal([
      "hw config set bikes.url https://bikes.example", "hw config set bikes.token - <token",
      "hw bikes list --anywhere",
    ]),
  ]

  private static let days: [Block] = [
    .items([
      Item("a token is lost", "'hw users rotate NAME' replaces it"),
      Item(
        "a member leaves",
        """
        'hw users delete NAME' lists what stays, with the commands for it; the bikes can still be rented, and admins \
        edit them
        """),
      Item(
        "a rental is overdue",
        """
        'hw bikes rented' lists those of all users to an admin (--where 'since<2d': from before midnight UTC two days \
        ago); 'hw bikes return ID --at LAT,LON' of the bike's owner or an admin ends one
        """),
      Item(
        "a bike is broken or lost",
        """
        'hw bikes edit ID --state withdrawn', later available; or missing: then it can be deleted, also while it is \
        rented. It comes back with the import of its line of an earlier 'hw bikes export --pins', best with another \
        PIN, since pinReaders starts at 0
        """),
      Item(
        "a bike gets another owner, or the owner a name",
        """
        once it is returned, an admin changes owner and PIN in a line of 'hw bikes export --pins', deletes the bike, \
        and imports the line
        """),
      Item(
        "a PIN is known to many",
        """
        'hw bikes list --anywhere --include-rented --fields id --tsv --no-header | hw bikes show - --fields \
        id,pinReaders' counts renters who know it; 'hw bikes edit ID --pin-file -' changes it
        """),
      Item(
        "the disk is full",
        """
        changes get status 507 and are not made; delete the oldest copies in /var/backups/hw, without a restart ('hw \
        store prune' needs space too, and no file shrinks)
        """),
      Item(
        "personal data",
        """
        The store contains who rented which bike from where to where and when, for the member, the owner and admins. \
        Environment=HW_SERVE_HISTORY_DAYS=90 in the unit removes older entries every day, except which members know a \
        PIN, and the names of deleted users from all others; 'hw store prune' does so once. A deleted name is kept, \
        and refused for a new user, for the same 90 days, and for as long as it has a bike, an open rental or scores. \
        The journal has addresses, names, and positions with two decimals (MaxRetentionSec= of journald.conf), and \
        backups keep what was removed
        """),
    ])
  ]

  private static let backup: [Block] = [
    .paragraph(
      """
      'hw store copy' makes a consistent copy while the server runs, and fails if a database is damaged. Copies are \
      compact, and contain the PINs in clear: keep them as safe as the server. Look into a copy of one, since commands \
      migrate it to their version. This service keeps thirty, sends them to a second machine, which keeps all until \
      you delete them there, notes the time for Prometheus, and mails a failure to you. Both machines need rsync; \
      'ssh-keygen' and 'ssh-copy-id hw@backup.example' let root in. After 'systemctl enable hw-backup.timer', \
      'systemctl start hw-backup.timer hw-backup.service' makes the first backup, and 'systemctl start \
      hw-alert.service' tries the mail:
      """),
    .literal([
      "# /etc/systemd/system/hw-backup.service", "[Unit]",
      "OnFailure=hw-alert.service", "[Service]", "Type=oneshot", "UMask=0077",
      "Environment=HW_STORE_FROM=/var/lib/hw",
      "ExecStart=/bin/sh -c 'mkdir -p /var/backups/hw && cd /var/backups/hw && ls | head -n -29 | xargs -r rm -r'",
      "ExecStart=/bin/sh -c '/usr/local/bin/hw store copy --to /var/backups/hw/$(date +%%FT%%H%%M%%S)'",
      "ExecStart=/bin/sh -c 'rsync -a /var/backups/hw/ hw@backup.example:hw/'",
      "ExecStart=/bin/sh -c 'date +\"hw_backup_time_seconds %%s\" | install -D -m 644 /dev/stdin /var/lib/prometheus/node-exporter/hw.prom'",
      "# /etc/systemd/system/hw-alert.service", "[Service]",
      "Type=oneshot",
      "ExecStart=/bin/sh -c 'journalctl -u hw-backup -n 20 | mail -s \"hw: no backup\" mia@bikes.example'",
      "# /etc/systemd/system/hw-backup.timer", "[Timer]", "OnCalendar=daily", "Persistent=true", "[Install]",
      "WantedBy=timers.target",
    ]),
  ]

  private static let restore: [Block] = [
    .paragraph(
      """
      Practice this before you need it, with another directory and without the stop. The backup goes into the state \
      directory, whose owner gets the files. The former databases are kept in /var/lib/hw/before: delete it when all \
      is well, and before the next restore:
      """),
    .literal([
      "systemctl stop hw.socket hw.service",
      "mkdir /var/lib/hw/before && mv /var/lib/hw/*.db* /var/lib/hw/before",
      "hw store verify --store /var/backups/hw/2026-11-22T000000",
      "hw store copy --from /var/backups/hw/2026-11-22T000000 --to /var/lib/hw",
    ]),
    .paragraph(
      """
      The state of the backup has come back, with the tokens of members who were deleted since, and tokens that were \
      replaced. Before the start, compare the users: delete those of the backup alone ('<') again, add those of before \
      alone ('>'), and rotate the token if tokenID differs. If admin differs, repeat 'hw users add NAME' with --admin \
      or --no-admin. Without the old users, do so for the changes that you remember, or rotate all tokens:
      """),
    .literal([
      "hw users list --store /var/lib/hw/before --fields name,admin,tokenID --tsv >before &&",
      "    hw users list --store /var/lib/hw --fields name,admin,tokenID --tsv | diff - before",
    ]),
    .paragraph(
      """
      After 'systemctl start hw.socket hw.service', look at the rentals that are open again with 'hw bikes rented' as \
      an admin, and end those whose bikes are back. 'hw bikes history --url embedded:/var/lib/hw/before' has the \
      changes since the backup: who is out with a bike rents it again. 'hw bikes export --pins' with the same --url \
      has the PINs of the padlocks, and the bikes that were added since, for 'hw bikes import'.
      If only one database is damaged, move only its files, such as bikes.db*, and instead of 'hw store copy' use \
      'install -m 600 -o $(stat -Lc %u /var/lib/hw) BACKUP/bikes.db /var/lib/hw'. If the backup lacks a database, \
      since its suite was added later, delete /var/lib/hw/databases. On a new machine, install hw and the files of \
      this guide, with the TLS key, which the backup lacks. Let root in at backup.example again, 'rsync -rt \
      hw@backup.example:hw/ /var/backups/hw', enter the third and fourth line and 'hw config set store /var/lib/hw'. \
      Then enable and start the services, without adding a user.
      """),
  ]

  private static let upgrade: [Block] = [
    .paragraph(
      """
      The start migrates the databases, which the old binary refuses from then on, with status 10. To go back, restore \
      the backup from before, with 'install -bC -S -new /usr/local/bin/hw-old /usr/local/bin/hw' after the stop; \
      hw-new reads /var/lib/hw/before.
      """),
    .literal([
      "systemctl start hw-backup.service &&", "    install -bC -S -old hw /usr/local/bin/hw &&",
      "    systemctl restart hw.service",
    ]),
  ]

  private static let monitoring: [Block] = [
    .paragraph(
      """
      GET /healthz is 200 while the process runs; GET /readyz is 503 if the store cannot be reached or written, but \
      not if a database is damaged: let another machine watch https://bikes.example/readyz and the age of its \
      certificate. While a start fails, requests wait at the socket, until 'systemctl stop hw.socket' refuses them. \
      'journalctl -u hw' has the cause of an alert. Let Prometheus read the metrics of hw-serve(1), and those of the \
      node exporter for the backup:
      """),
    .literal([
      "# /etc/prometheus/prometheus.yml", "rule_files: [hw.rules.yml]",
      "alerting: {alertmanagers: [{static_configs: [{targets: ['127.0.0.1:9093']}]}]}", "scrape_configs:",
      "  - {job_name: hw, static_configs: [{targets: ['127.0.0.1:7401']}]}",
      "  - {job_name: node, static_configs: [{targets: ['127.0.0.1:9100']}]}",
      "# /etc/prometheus/alertmanager.yml", "route: {receiver: mia, group_by: [alertname]}",
      "receivers: [{name: mia, email_configs: [{to: mia@bikes.example, from: hw@bikes.example, smarthost: 'localhost:25', require_tls: false}]}]",
      "# /etc/prometheus/hw.rules.yml", "groups:", "  - name: hw", "    rules:",
      "      - {alert: HwDown, expr: 'up{job=\"hw\"} == 0 or hw_store_up == 0', for: 2m}",
      "      - {alert: HwDiskFull, expr: 'hw_store_free_bytes < 1e9'}",
      "      - {alert: HwErrors, expr: 'increase(hw_errors_total{kind=~\"storage|defect\"}[10m]) > 0'}",
      "      - {alert: HwNoBackup, expr: 'absent(hw_backup_time_seconds) or time() - hw_backup_time_seconds > 2 * 86400', for: 5m}",
    ]),
  ]
}
