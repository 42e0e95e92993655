#!/bin/sh
# Runs a throw-away Postgres for as long as standard input stays open.
#
# The folder with its socket is printed once it answers. When whoever started this goes away, in
# whatever way, standard input closes, the server stops and the folder is removed.
# Usage: postgres.sh BIN_FOLDER
set -eu
trap '' INT TERM HUP
bin=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/kinora-pg.XXXXXX")
fail() {
    cat "$folder/log" >&2
    rm -rf "$folder"
    exit 1
}

"$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync \
    >"$folder/log" 2>&1 || fail
"$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \
    -c max_connections=300 -c shared_buffers=32MB >>"$folder/log" 2>&1 &
server=$!

tries=0
until "$bin/pg_isready" -q -h "$folder" -U postgres; do
    tries=$((tries + 1))
    if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then fail; fi
    sleep 0.1
done
echo "$folder"

cat >/dev/null
kill -INT "$server"
wait "$server" || true
rm -rf "$folder"
