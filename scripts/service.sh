# shellcheck shell=bash
# Starting, finding and stopping the local service of `make run` and the server of the sample media.
# Sourced by scripts/run and scripts/stop, after lib.sh.

state=out/run # process ids, addresses and logs of what runs in the background

# is_running NAME WORD: the process noted under NAME lives, and it is what we started.
is_running() {
    local pid
    pid=$(cat "$state/$1.pid" 2>/dev/null) || return 1
    [ -r "/proc/$pid/cmdline" ] && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q -- "$2"
}
service_is_running() { is_running kinora "kinora serve"; }
media_is_served() { is_running samples "http.server"; }

# start_in_background NAME COMMAND…: detached from this terminal, with a log and a noted process id.
start_in_background() {
    local name=$1
    shift
    : >"$state/$name.out"
    setsid "$@" </dev/null >"$state/$name.out" 2>"$state/$name.log" &
    echo $! >"$state/$name.pid"
}

stop_process() { # NAME WORD
    is_running "$1" "$2" || return 0
    local pid tenths
    pid=$(cat "$state/$1.pid")
    kill "$pid" 2>/dev/null || return 0
    for ((tenths = 0; tenths < 120; tenths++)); do
        is_running "$1" "$2" || return 0
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
}

stop_all() {
    stop_process kinora "kinora serve"
    stop_process samples "http.server"
    rm -f "$state"/*.pid "$state"/*.address
}

port_is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
    local port
    for ((port = $1; port < $1 + 100; port++)); do
        if ! port_is_taken "$port"; then
            echo "$port"
            return
        fi
    done
    die "no free port between $1 and $port"
}
