import Command

/// `hw-cluster(7)`. The tests run its commands: servers behind this proxy, a database with a standby, failures of each.
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
      .subsection(title: "Connection pool", pool), .subsection(title: "Backup and restore", backup),
      .subsection(title: "Rolling upgrade", upgrade),
    ])

  private static let database: [Block] = [
    .paragraph("As the user postgres of db1.example; createuser asks for a new password:"),
    .literal(["createuser --pwprompt hw", "createdb -O hw -E UTF8 -T template0 hw"]),
    .paragraph(
      """
      Add 'hostssl all hw 10.0.0.0/24 scram-sha-256' to pg_hba.conf, set listen_addresses and a TLS certificate, and \
      restart. On each server install libpq, and write '*:*:*:hw:PASSWORD' to /etc/hw/pgpass with mode 0600. Copy the \
      store of a server and move its files away, or add an admin:
      """),
    .literal([
      "export PGPASSFILE=/etc/hw/pgpass", "systemctl stop hw.socket hw.service",
      "hw store copy --from /var/lib/hw --to postgresql://hw@db1.example/hw",
      "mkdir /var/lib/hw/before && mv /var/lib/hw/*.db* /var/lib/hw/before",
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
      certificate. Without --trusted-proxy all clients together have the limits of one address, and the network must \
      be private.
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
      A request that is lost, or meets a server without the database, goes to another server. A change may then arrive \
      twice, which is harmless with an Idempotency-Key, as hw sends it (else remove 'http_503 non_idempotent'). With \
      max_fails=0 clients get 503 with Retry-After while the database is away, and not 502; the servers connect again \
      within 5 seconds of its return. Remove a machine that is off from the list: each request to it waits for \
      proxy_connect_timeout.
      """),
  ]

  private static let standby: [Block] = [
    .paragraph(
      """
      With synchronous standbys a change is on the disks of two machines before it is acknowledged. Add 'hostssl \
      replication replicator 10.0.0.0/24 scram-sha-256' to pg_hba.conf, which db2.example and db3.example have too. On \
      the primary:
      """),
    .literal(["psql -c 'SELECT pg_reload_conf()'", "createuser --pwprompt --replication replicator"]),
    .paragraph("On each standby, under its own name, with the password in ~postgres/.pgpass; then start it:"),
    .literal([
      "pg_basebackup -R -c fast -D /var/lib/postgresql/15/main -d 'host=db1.example,db2.example,db3.example target_session_attrs=read-write user=replicator application_name=db2'"
    ]),
    .paragraph(
      """
      When 'SELECT application_name, state FROM pg_stat_replication' lists both on the primary, require one of them. \
      Add this to all three machines, and reload:
      """),
    .literal([
      "# /etc/postgresql/15/main/conf.d/hw-standbys.conf",
      "synchronous_standby_names = 'ANY 1 (db1, db2, db3)'",
    ]),
    .paragraph(
      """
      Without any standby every change waits. Name all machines in HW_STORE; the servers use the one that can be written:
      """),
    .literal([
      "hw store verify --store 'postgresql://hw@db1.example,db2.example,db3.example/hw?connect_timeout=3'"
    ]),
    .paragraph(
      """
      If the primary fails, make sure that it is off. Ask both standbys what they have received, and promote the one \
      with more, or acknowledged changes are lost:
      """),
    .literal(["psql -c 'SELECT pg_last_wal_receive_lsn()'", "psql -c 'SELECT pg_promote()'"]),
    .paragraph(
      """
      The other standby follows it. The former primary becomes a standby with pg_basebackup into an empty directory.
      """),
  ]

  private static let pool: [Block] = [
    .paragraph(
      """
      A server uses 12 connections if it serves two suites, and PostgreSQL allows 100. For more use pgbouncer, with \
      '"hw" "PASSWORD"' in userlist.txt and HW_STORE=postgresql://hw@127.0.0.1:6432/hw. It must be given a new \
      primary, and the address must not contain 'options':
      """),
    .literal([
      "# /etc/pgbouncer/pgbouncer.ini", "[databases]", "hw = host=db1.example dbname=hw", "[pgbouncer]",
      "listen_addr = 127.0.0.1", "auth_type = scram-sha-256", "auth_file = /etc/pgbouncer/userlist.txt",
      "server_tls_sslmode = require", "pool_mode = transaction", "max_client_conn = 500",
    ]),
  ]

  private static let backup: [Block] = [
    .paragraph(
      """
      One server makes the backups, with 'Environment=HW_STORE_FROM=postgresql://hw@db1.example/hw \
      PGPASSFILE=/etc/hw/pgpass' in hw-backup.service. hw_store_free_bytes is missing: watch the disk of the database \
      with its node exporter. To restore, stop all servers, which would fill an empty database, and run as postgres:
      """),
    .literal(["psql -c 'ALTER DATABASE hw RENAME TO before'", "createdb -O hw -E UTF8 -T template0 hw"]),
    .paragraph(
      """
      Go on with 'hw store copy --to postgresql://hw@db1.example/hw' as in 'hw help server'. The former store is \
      postgresql://hw@db1.example/before: 'hw store copy' makes a directory of it, which embedded: reads. To return to \
      one server, stop all, remove the additions, and copy the database to /var/lib/hw.
      """),
  ]

  private static let upgrade: [Block] = [
    .paragraph(
      """
      A new version only adds to the database, so servers of the previous version go on; they cannot be started again \
      afterwards. Do not skip a version. Install the new binary on all machines, run the first two lines once, and the \
      others on one server after the other. To go back, restore the backup:
      """),
    .literal([
      "hw store copy --from postgresql://hw@db1.example/hw --to /var/backups/hw/before-upgrade",
      "hw store migrate --store postgresql://hw@db1.example/hw",
      "systemctl restart hw.service",
      "until curl -fsS http://10.0.0.11:7400/readyz; do sleep 1; done",
    ]),
  ]
}
