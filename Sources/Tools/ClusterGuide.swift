import Command

/// `hw-cluster(7)`. The tests run its commands: servers behind this proxy, a database with a standby, and failures of
/// each part.
enum ClusterGuide {
  static let topic = Topic(
    name: "cluster", title: "Cluster guide", summary: "Running several servers on one PostgreSQL database",
    related: ["serve", "store"],
    blocks: [
      .paragraph(
        """
        Several servers share one PostgreSQL database and act as one: a change counts on all of them as soon as it is \
        acknowledged. Rate limits are counted by each server, and races are in the memory of one. Begin with 'hw help \
        server'. The database is on db1.example, the servers have the addresses 10.0.0.11 to 13, the proxy 10.0.0.10. \
        hw refuses a database whose tables have other indexes, constraints or triggers than its own, with status 10.
        """),
      .subsection(title: "Database", database), .subsection(title: "Servers", servers),
      .subsection(title: "Proxy", proxy), .subsection(title: "Standby", standby),
      .subsection(title: "Connection pool", pool), .subsection(title: "Failures", failures),
      .subsection(title: "Rolling upgrade", upgrade),
    ])

  private static let database: [Block] = [
    .paragraph("As the user postgres of db1.example; createuser asks for a new password:"),
    .literal(["createuser --pwprompt hw", "createdb -O hw -E UTF8 -T template0 hw"]),
    .paragraph("Let the servers connect; set listen_addresses and a TLS certificate; reload:"),
    .literal(["# /etc/postgresql/15/main/pg_hba.conf", "hostssl hw hw 10.0.0.0/24 scram-sha-256"]),
    .paragraph(
      """
      On each server install libpq, and write 'db1.example:5432:hw:hw:PASSWORD' to /etc/hw/pgpass with mode 0600. \
      Copy an existing store, or add an admin:
      """),
    .literal([
      "export PGPASSFILE=/etc/hw/pgpass",
      "hw store copy --from /var/lib/hw --to postgresql://hw@db1.example/hw",
      "hw users add mia --admin --store postgresql://hw@db1.example/hw",
    ]),
  ]

  private static let servers: [Block] = [
    .paragraph("Install hw.socket with ListenStream=10.0.0.11:7400, hw.service, and this addition:"),
    .literal([
      "# /etc/systemd/system/hw.service.d/several.conf", "[Service]",
      "Environment=HW_STORE=postgresql://hw@db1.example/hw?sslmode=verify-full&sslrootcert=system",
      "Environment=PGPASSFILE=%d/pgpass", "LoadCredential=pgpass:/etc/hw/pgpass", "ExecStart=",
      "ExecStart=/usr/local/bin/hw serve bikes wordle --public-url https://bikes.example --trusted-proxy 10.0.0.10 --metrics-listen 127.0.0.1:7401 --log text",
    ]),
    .paragraph(
      """
      'sslrootcert=system' requires libpq 16; with libpq 15 or an authority of your own name the file of its \
      certificate. Without --trusted-proxy all clients together have the limits of one address. The network must be \
      private.
      """),
  ]

  private static let proxy: [Block] = [
    .paragraph("Use bikes.conf of 'hw help server' with 'proxy_pass http://hw;', and add this file:"),
    .literal([
      "# /etc/nginx/conf.d/hw-upstream.conf", "upstream hw {", "    server 10.0.0.11:7400 max_fails=0;",
      "    server 10.0.0.12:7400 max_fails=0;", "    server 10.0.0.13:7400 max_fails=0;", "}",
      "proxy_connect_timeout 1s;", "proxy_next_upstream error timeout http_503 non_idempotent;",
    ]),
    .paragraph(
      """
      A request that is lost, or meets a server without the database, goes to another server. A change may then \
      arrive twice, which is harmless with an Idempotency-Key, as hw sends it (else remove 'http_503 \
      non_idempotent'). With max_fails=0 clients get 503 with Retry-After while the database is away, and not 502. \
      Remove a machine that is off from the list: each request to it waits for proxy_connect_timeout.
      """),
  ]

  private static let standby: [Block] = [
    .paragraph(
      """
      With a synchronous standby a change is on the disks of two machines before it is acknowledged. Settings such \
      as fsync keep their defaults.
      """),
    .paragraph(
      """
      On the primary, with the line 'hostssl replication replicator 10.0.0.0/24 scram-sha-256' in pg_hba.conf:
      """),
    .literal(["createuser --pwprompt --replication replicator", "psql -c 'SELECT pg_reload_conf()'"]),
    .paragraph(
      "On each standby, under a name of its own, with the password in ~postgres/.pgpass; then start it:"),
    .literal([
      "pg_basebackup -R -D /var/lib/postgresql/15/main -d 'host=db1.example user=replicator application_name=standby1'"
    ]),
    .paragraph("On the primary, when this lists the standbys:"),
    .literal(["psql -c 'SELECT application_name, state FROM pg_stat_replication'"]),
    .paragraph("Require one of them. Without any, every change would wait:"),
    .literal([
      "# /etc/postgresql/15/main/conf.d/hw-standbys.conf",
      "synchronous_standby_names = 'ANY 1 (standby1, standby2)'",
    ]),
    .paragraph("Name all machines in HW_STORE; the servers use the one that can be written:"),
    .literal([
      "hw store verify --store 'postgresql://hw@db1.example,db2.example,db3.example/hw?connect_timeout=3'"
    ]),
    .paragraph("If the primary fails, make sure that it is off, and promote a standby:"),
    .literal([
      "psql -h db2.example -d hw -c 'SELECT pg_promote()'",
      "psql -h db2.example -d hw -c 'SELECT application_name, sync_state FROM pg_stat_replication'",
    ]),
  ]

  private static let pool: [Block] = [
    .paragraph(
      """
      A server uses 12 connections if it serves two suites, and PostgreSQL allows 100. For more use pgbouncer, with \
      '"hw" "PASSWORD"' in userlist.txt. It must be given a new primary, and the address must not contain 'options':
      """),
    .literal([
      "# /etc/pgbouncer/pgbouncer.ini", "[databases]", "hw = host=db1.example dbname=hw", "[pgbouncer]",
      "listen_addr = 127.0.0.1", "auth_type = scram-sha-256", "auth_file = /etc/pgbouncer/userlist.txt",
      "pool_mode = transaction", "max_client_conn = 500", "server_round_robin = 1",
    ]),
  ]

  private static let failures: [Block] = [
    .paragraph(
      """
      The requests of a server that is killed are repeated at another one. While the database is away there is 503 \
      with Retry-After; the servers connect again within 5 seconds of its return. If it crashes during a commit, a \
      change without a key may have been made.
      """)
  ]

  private static let upgrade: [Block] = [
    .paragraph(
      """
      A new version only adds to the database, so servers of the previous version go on; they cannot be started again \
      afterwards. Do not skip a version. Install the new binary on all machines, then once:
      """),
    .literal([
      "hw store copy --from postgresql://hw@db1.example/hw --to /var/backups/hw/before-upgrade",
      "hw store migrate --store postgresql://hw@db1.example/hw",
    ]),
    .paragraph("Then on one server after the other. To go back, restore the backup:"),
    .literal([
      "systemctl restart hw.service",
      "until curl -fsS http://10.0.0.11:7400/readyz; do sleep 1; done",
    ]),
  ]
}
