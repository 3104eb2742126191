import Command

/// The part of `hw-server(7)` about more than one machine. The tests run what it says: servers behind these proxies, a
/// database with a standby, and failures of each part.
enum SeveralServersGuide {
  static let sections: [Block] = [
    .subsection(title: "Several servers", servers), .subsection(title: "Load balancing", proxies),
    .subsection(title: "Standby database", standby), .subsection(title: "Connection pool", pool),
    .subsection(title: "Guarantees of each step", guarantees), .subsection(title: "Failures", failures),
    .subsection(title: "Rolling upgrade", upgrade),
  ]

  private static let servers: [Block] = [
    .paragraph(
      """
      Several servers on several machines share one PostgreSQL database and act as one: users, limits of users, rentals, \
      history, imports and idempotency keys are the same on all of them. A user that is added, changed or removed with \
      'hw users' is so on every server from the next request on. A change is in the lists of all servers as soon as it \
      is acknowledged. Rate limits are counted by each server alone. Serve the suites bikes and wordle this way; races \
      are in the memory of one server.
      """),
    .paragraph(
      """
      Create the user and the database as the user postgres of the database machine, db1.example in the examples. \
      createuser asks for a new password:
      """),
    .literal(["createuser --pwprompt hw", "createdb -O hw -E UTF8 -T template0 hw"]),
    .paragraph(
      """
      Let the servers connect: add this line, with their network, and reload PostgreSQL. The setting listen_addresses \
      must name the address of the machine, and the database must have a TLS certificate for db1.example:
      """),
    .literal(["# /etc/postgresql/15/main/pg_hba.conf", "hostssl hw hw 10.0.0.0/24 scram-sha-256"]),
    .paragraph(
      """
      Write the password to a password file of libpq with mode 0600, /etc/hw/pgpass. Its line is \
      'db1.example:5432:hw:hw:PASSWORD'; '*' instead of the host means all of them. Then copy an existing store to the \
      database, if there is one:
      """),
    .literal([
      "export PGPASSFILE=/etc/hw/pgpass",
      "hw store copy --from /var/lib/hw --to postgresql://hw@db1.example/hw",
    ]),
    .paragraph(
      """
      On the machine of each server, install hw as described above, with this addition to the service. In hw.socket, \
      ListenStream is the address of the machine, such as 10.0.0.11:7400. The proxy has the address 10.0.0.10:
      """),
    .literal([
      "# /etc/systemd/system/hw.service.d/several.conf", "[Service]",
      "Environment=HW_STORE=postgresql://hw@db1.example/hw?sslmode=verify-full&sslrootcert=system",
      "Environment=PGPASSFILE=%d/pgpass", "LoadCredential=pgpass:/etc/hw/pgpass", "ExecStart=",
      "ExecStart=/usr/local/bin/hw serve bikes wordle --public-url https://bikes.example --trusted-proxy 10.0.0.10 --log text",
    ]),
    .paragraph(
      """
      'sslrootcert=system' trusts the certificates that the system trusts, and requires libpq 16. With libpq 15, or a \
      certificate of your own, name a file with the certificate of the authority: \
      'sslrootcert=/etc/ssl/certs/ca-certificates.crt'. --trusted-proxy makes the server use the client addresses that \
      the proxy reports; without it all clients together have the limits of one address. Connections between the proxy \
      and the servers are not encrypted: use a private network.
      """),
    .literal([
      "hw users add mia --admin --store postgresql://hw@db1.example/hw",
      "hw serve bikes wordle --listen 10.0.0.11:7400 --store postgresql://hw@db1.example/hw --public-url https://bikes.example --trusted-proxy 10.0.0.10",
    ]),
  ]

  private static let proxies: [Block] = [
    .paragraph("With nginx:"),
    .literal([
      "# /etc/nginx/conf.d/bikes-several.conf", "upstream hw {",
      "    server 10.0.0.11:7400 fail_timeout=1s;", "    server 10.0.0.12:7400 fail_timeout=1s;",
      "    server 10.0.0.13:7400 fail_timeout=1s;", "}", "server {", "    listen 443 ssl;",
      "    server_name bikes.example;",
      "    ssl_certificate /etc/ssl/bikes.example.pem;",
      "    ssl_certificate_key /etc/ssl/bikes.example.key;",
      "    client_max_body_size 1m;", "    location / {", "        proxy_pass http://hw;",
      "        proxy_http_version 1.1;", "        proxy_set_header Connection \"\";",
      "        proxy_set_header Host $host;", "        proxy_set_header X-Forwarded-For $remote_addr;",
      "        proxy_connect_timeout 2s;",
      "        proxy_next_upstream error timeout http_503 non_idempotent;",
      "    }", "}",
    ]),
    .paragraph("With haproxy, which uses only servers whose /readyz responds with status 200:"),
    .literal([
      "# /etc/haproxy/haproxy.cfg", "defaults", "    mode http", "    timeout connect 2s",
      "    timeout client 60s", "    timeout server 60s", "    retries 3", "    option redispatch 1",
      "    retry-on conn-failure empty-response 503", "frontend bikes",
      "    bind :443 ssl crt /etc/ssl/bikes.example.pem",
      "    http-request set-header X-Forwarded-For %[src]", "    default_backend hw", "backend hw",
      "    balance leastconn", "    option httpchk",
      "    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host bikes.example",
      "    default-server check inter 1s fall 1 rise 1", "    server one 10.0.0.11:7400",
      "    server two 10.0.0.12:7400", "    server three 10.0.0.13:7400",
    ]),
    .paragraph(
      """
      Both send a request to another server if the first one is lost or has no database. A change may then arrive \
      twice. That is harmless for changes of bikes with an Idempotency-Key, which hw sends with each of them, and for \
      scores, which have ids. If your own clients send no keys, remove 'http_503 non_idempotent' and '503', and let them \
      handle status 502 and 503.
      """),
  ]

  private static let standby: [Block] = [
    .paragraph(
      """
      With synchronous standbys, a change is acknowledged when it is on the disks of two machines. Add them in this \
      order, since every change waits as soon as a synchronous standby is required and none is there. First the \
      configuration of the primary, db1.example, and of each standby; restart PostgreSQL:
      """),
    .literal([
      "# /etc/postgresql/15/main/conf.d/hw.conf", "wal_level = replica", "max_wal_senders = 10",
      "synchronous_commit = on", "fsync = on", "full_page_writes = on",
    ]),
    .paragraph(
      """
      On the primary, create the user of the standbys. Let it connect with another line in pg_hba.conf, \
      'hostssl replication replicator 10.0.0.0/24 scram-sha-256', and reload PostgreSQL:
      """),
    .literal(["createuser --pwprompt --replication replicator", "psql -c 'SELECT pg_reload_conf()'"]),
    .paragraph(
      """
      On the machine of each standby, with a name of its own, before the first start of PostgreSQL. The password is in \
      .pgpass in the home directory of the user postgres, as 'db1.example:5432:replication:replicator:PASSWORD'. The \
      directory must be empty:
      """),
    .literal([
      "pg_basebackup -R -D /var/lib/postgresql/15/main -d 'host=db1.example user=replicator application_name=standby1'"
    ]),
    .paragraph("Start the standbys, and look on the primary whether they are connected:"),
    .literal(["psql -c 'SELECT application_name, state FROM pg_stat_replication'"]),
    .paragraph("Only then require one of them on the primary, and reload PostgreSQL there again:"),
    .literal([
      "# /etc/postgresql/15/main/conf.d/hw-standbys.conf",
      "synchronous_standby_names = 'ANY 1 (standby1, standby2)'",
    ]),
    .paragraph(
      """
      Name all machines in the address of the store. The servers use the one that can be written, and read from it too, \
      so that a standby that lags shows nobody old data:
      """),
    .literal([
      "hw store verify --store 'postgresql://hw@db1.example,db2.example,db3.example/hw?connect_timeout=3'"
    ]),
    .paragraph(
      """
      If the primary fails, first make sure that it is off, then promote a standby that is synchronous. The servers find \
      it by themselves. Set synchronous_standby_names there as soon as it has a standby of its own:
      """),
    .literal([
      "psql -h db2.example -d hw -c 'SELECT pg_promote()'",
      "psql -h db2.example -d hw -c 'SELECT application_name, sync_state FROM pg_stat_replication'",
    ]),
  ]

  private static let pool: [Block] = [
    .paragraph(
      """
      A server uses 12 connections if it serves two suites. PostgreSQL allows 100 without further settings (max_connections). For more servers, put pgbouncer in \
      front of the database, in transaction mode:
      """),
    .literal([
      "# /etc/pgbouncer/pgbouncer.ini", "[databases]", "hw = host=db1.example dbname=hw", "[pgbouncer]",
      "listen_addr = 127.0.0.1", "listen_port = 6432", "auth_type = scram-sha-256",
      "auth_file = /etc/pgbouncer/userlist.txt", "pool_mode = transaction", "default_pool_size = 20",
      "max_client_conn = 500", "server_round_robin = 1",
    ]),
    .paragraph(
      """
      Behind a pool the server uses no prepared statements. The address must not contain 'options'; choose a schema with \
      'ALTER ROLE hw SET search_path'. After a failover, the pool must be given the address of the new primary.
      """),
  ]

  private static let guarantees: [Block] = [
    .items([
      Item(
        "one server with a directory",
        "an acknowledged change survives kill -9 and a loss of power; a lost disk loses what is newer than the backup"
      ),
      Item(
        "one server with PostgreSQL",
        "the same, with the disk of the database; if the server is lost, another one can be started at once"),
      Item(
        "several servers",
        """
        the loss of servers interrupts nothing as long as one is left; one winner per bike, limits of users and \
        idempotency keys hold across all servers
        """),
      Item(
        "a synchronous standby",
        "the loss of the primary loses no acknowledged change; service goes on when the standby is promoted"),
    ])
  ]

  private static let failures: [Block] = [
    .items([
      Item(
        "a server is killed",
        "the requests in progress there have no response; the proxy or the client repeats them at another server"
      ),
      Item(
        "the database is away",
        """
        the servers respond 503 with Retry-After, /readyz is 503, and /healthz stays 200; each connects again within 5 \
        seconds of its return
        """),
      Item(
        "the database crashes during a commit",
        """
        A change with an Idempotency-Key is repeated by the server or the client, and executed once. Without a key the \
        response is 503, and the client must look whether the change was made
        """),
      Item(
        "the primary is lost",
        "as above, until a standby is promoted; a host that does not respond is skipped after connect_timeout"
      ),
      Item(
        "a synchronous standby is lost",
        """
        with two of them nothing happens; without any, changes wait and reading goes on, until a standby is back or \
        synchronous_standby_names is changed
        """),
      Item(
        "an asynchronous standby is promoted",
        "acknowledged changes may be lost; the servers notice the other history and read all bikes again"),
      Item(
        "clocks differ",
        """
        the times in the history are those of the servers; a rental never ends before it began, and keys expire after a \
        day of the server that is asked
        """),
    ])
  ]

  private static let upgrade: [Block] = [
    .paragraph(
      """
      A new version of hw may add tables and columns to the database. It removes and renames none that the previous \
      version uses, so servers of the previous version that run already go on during an upgrade. They cannot be started \
      again afterwards: a server that is older than the database ends with status 10. In this order an upgrade loses no \
      request:
      """),
    .items([
      Item("1. backup", "copy the database"),
      Item("2. install", "replace /usr/local/bin/hw on all machines; servers that run are not affected"),
      Item(
        "3. migrate",
        "with the new version, once; without this step the first server that is restarted migrates"),
      Item(
        "4. restart", "one server after the other: go on when /readyz is 200 and two more seconds have passed"
      ),
    ]),
    .literal([
      "hw store copy --from postgresql://hw@db1.example/hw --to /var/backups/hw/before-upgrade",
      "hw store migrate --store postgresql://hw@db1.example/hw",
    ]),
    .literal([
      "systemctl restart hw.service",
      "until curl -fsS http://10.0.0.11:7400/readyz; do sleep 1; done",
    ]),
    .paragraph(
      """
      Do not skip a version, and do not leave two versions running for long. A migration waits for transactions in \
      progress and holds up changes for a moment; large indexes take longer. To go back, restore the backup.
      """),
  ]
}
