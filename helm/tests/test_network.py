"""Who may speak to whom, as the network policies put it."""

import ipaddress
import unittest

import chart

ROLES = ("gateway", "controller", "node", "migrate")
METADATA_SERVICE = "169.254.169.254"
INSIDE = ("10.96.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.9", METADATA_SERVICE, "fd00::1", "fe80::1")
OUTSIDE = ("8.8.8.8", "93.184.216.34", "203.0.114.7", "2606:2800:220:1::1")


def policies(name, role):
    """The policies that hold for the pods of a role."""
    labels = {"app.kubernetes.io/component": role}
    for workload in chart.workloads(name):
        if chart.component(workload) == role:
            labels = chart.pod_labels(workload)
    return [found["spec"] for found in chart.of_kind(name, "NetworkPolicy") if chart.matches(found["spec"]["podSelector"], labels)]


def allows_port(rule, port):
    return any(allowed["port"] == port for allowed in rule["ports"])


def holds_address(peer, address):
    block = peer.get("ipBlock")
    if not block:
        return False
    address, within = ipaddress.ip_address(address), ipaddress.ip_network(block["cidr"])
    excepted = [ipaddress.ip_network(cidr) for cidr in block.get("except", [])]
    return address in within and not any(address in cidr for cidr in excepted)


def reaches_address(name, role, address, port):
    rules = [rule for policy in policies(name, role) for rule in policy.get("egress", [])]
    return any(allows_port(rule, port) and ("to" not in rule or any(holds_address(peer, address) for peer in rule["to"])) for rule in rules)


def holds_role(name, peer, role):
    """Whether a peer means the pods of a role in the chart's own namespace."""
    if set(peer) != {"podSelector"}:
        return False
    return any(chart.component(found) == role and chart.matches(peer["podSelector"], chart.pod_labels(found)) for found in chart.workloads(name))


def reaches_role(name, source, target, port):
    """Both ends have to agree; a rule without peers holds for all."""
    leaves = [rule for policy in policies(name, source) for rule in policy.get("egress", [])]
    enters = [rule for policy in policies(name, target) for rule in policy.get("ingress", [])]
    out = any(allows_port(rule, port) and any(holds_role(name, peer, target) for peer in rule.get("to", [])) for rule in leaves)
    into = any(allows_port(rule, port) and ("from" not in rule or any(holds_role(name, peer, source) for peer in rule["from"])) for rule in enters)
    return out and into


class Network(unittest.TestCase):
    guarded = [name for name in chart.SETS if name != "minimal"]

    def test_every_pod_is_denied_everything_first(self):
        for name in self.guarded:
            for workload in chart.workloads(name):
                role = chart.component(workload)
                with self.subTest(f"{name}: {role}"):
                    found = policies(name, role)
                    self.assertTrue(any("ingress" not in policy and "egress" not in policy for policy in found))
                    self.assertEqual(len(found), 2)
                    for policy in found:
                        self.assertEqual(policy["policyTypes"], ["Ingress", "Egress"])

    def test_gateways_and_nodes_reach_controllers_and_nobody_reaches_anybody_else(self):
        for name in self.guarded:
            roles = {chart.component(workload) for workload in chart.workloads(name)}
            open_ways = {
                (source, target, port)
                for source in roles for target in roles if source != target
                for port in (80, 443, 5432, 7070, 7071, 7072, 7073, 8080)
                if reaches_role(name, source, target, port)
            }
            with self.subTest(name):
                self.assertEqual(open_ways, {("gateway", "controller", 7070), ("node", "controller", 7070)})

    def test_controllers_let_in_gateways_and_nodes_and_nodes_let_in_nobody(self):
        for name in self.guarded:
            roles = {chart.component(workload) for workload in chart.workloads(name)}
            for target, expected in (("controller", {("gateway", 7070), ("node", 7070)}), ("node", set())):
                rules = [rule for policy in policies(name, target) for rule in policy.get("ingress", [])]
                let_in = {(role, port["port"]) for rule in rules for peer in rule["from"] for role in roles if holds_role(name, peer, role) for port in rule["ports"]}
                with self.subTest(f"{name}: {target}"):
                    self.assertEqual(let_in, expected)

    def test_what_is_inside_is_not_reached_as_internet(self):
        for name in ("defaults", "cloud-gpu", "spot"):
            for role in ROLES:
                for address in INSIDE:
                    for port in (80, 443):
                        with self.subTest(f"{name}: {role} {address}:{port}"):
                            self.assertFalse(reaches_address(name, role, address, port))

    def test_nodes_and_controllers_reach_the_internet_and_gateways_only_the_store(self):
        for address in OUTSIDE:
            for role in ("node", "controller"):
                self.assertTrue(reaches_address("defaults", role, address, 80))
                self.assertTrue(reaches_address("defaults", role, address, 443))
            self.assertTrue(reaches_address("defaults", "gateway", address, 443))
            self.assertFalse(reaches_address("defaults", "gateway", address, 80))
            self.assertFalse(reaches_address("defaults", "migrate", address, 443))

    def test_nodes_can_be_held_to_controller_and_store(self):
        for address in OUTSIDE:
            for port in (80, 443):
                self.assertFalse(reaches_address("everything", "node", address, port))

    def test_only_controllers_and_migrations_reach_the_database(self):
        for name in self.guarded:
            for role in ROLES:
                reached = reaches_address(name, role, "10.20.0.9" if name != "everything" else "10.1.2.3", 5432)
                self.assertEqual(reached, role in ("controller", "migrate") and name != "laptop", f"{name}: {role}")

    def test_everyone_can_ask_for_names(self):
        for name in self.guarded:
            for workload in chart.workloads(name):
                rules = [rule for policy in policies(name, chart.component(workload)) for rule in policy.get("egress", [])]
                self.assertTrue(any({(port["protocol"], port["port"]) for port in rule["ports"]} == {("UDP", 53), ("TCP", 53)} for rule in rules))

    def test_there_are_no_policies_where_they_are_switched_off(self):
        self.assertEqual(chart.of_kind("minimal", "NetworkPolicy"), [])


if __name__ == "__main__":
    unittest.main()
