import Command

/// The part of `hw-server(7)` about more than one server. The tests run the servers behind these proxies.
enum SeveralServersGuide {
  static let sections: [Block] = [.subsection(title: "Proxies for several servers", proxies)]

  private static let proxies: [Block] = [
    .literal([
      "# /etc/nginx/conf.d/bikes-several.conf", "upstream hw {",
      "    server 10.0.0.11:7400 fail_timeout=1s;", "    server 10.0.0.12:7400 fail_timeout=1s;",
      "    server 10.0.0.13:7400 fail_timeout=1s;", "}", "server {", "    listen 443 ssl;",
      "    server_name bikes.example;",
      "    ssl_certificate /etc/ssl/bikes.example.pem;",
      "    ssl_certificate_key /etc/ssl/bikes.example.key;",
      "    client_max_body_size 16m;", "    location / {", "        proxy_pass http://hw;",
      "        proxy_http_version 1.1;", "        proxy_set_header Connection \"\";",
      "        proxy_set_header Host $host;", "        proxy_set_header X-Forwarded-For $remote_addr;",
      "        proxy_connect_timeout 2s;", "        proxy_next_upstream error timeout non_idempotent;",
      "    }", "}",
    ]),
    .literal([
      "# /etc/haproxy/haproxy.cfg", "defaults", "    mode http", "    timeout connect 2s",
      "    timeout client 60s", "    timeout server 60s", "    retries 3", "    option redispatch 1",
      "    retry-on conn-failure empty-response", "frontend bikes",
      "    bind :443 ssl crt /etc/ssl/bikes.example.pem",
      "    http-request set-header X-Forwarded-For %[src]", "    default_backend hw", "backend hw",
      "    balance leastconn", "    option httpchk",
      "    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host bikes.example",
      "    default-server check inter 1s fall 1 rise 1", "    server one 10.0.0.11:7400",
      "    server two 10.0.0.12:7400", "    server three 10.0.0.13:7400",
    ]),
  ]
}
