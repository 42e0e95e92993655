"""What names something names something that is there."""

import pathlib
import re
import shutil
import tempfile
import unittest

import chart


def names(name, kind):
    return {found["metadata"]["name"] for found in chart.of_kind(name, kind)}


def ports(workload):
    """The ports of a workload's pods: numbers by name."""
    return {port["name"]: port["containerPort"] for container in chart.pod(workload)["containers"] for port in container.get("ports", [])}


def selected(name, selector):
    return [workload for workload in chart.workloads(name) if chart.matches(selector, chart.pod_labels(workload))]


class References(unittest.TestCase):
    def test_no_two_objects_have_one_name(self):
        for name in chart.SETS:
            titles = [chart.title(found) for found in chart.objects(name)]
            self.assertEqual(len(titles), len(set(titles)), name)
            for found in chart.objects(name):
                self.assertEqual(found["metadata"]["namespace"], chart.NAMESPACE)

    @chart.for_each("Deployment")
    def test_a_deployment_selects_its_own_pods_and_no_others(self, name, found):
        self.assertEqual(selected(name, found["spec"]["selector"]), [found])

    @chart.for_each("Service")
    def test_a_service_leads_to_ports_that_its_pods_have(self, name, found):
        pods = selected(name, {"matchLabels": found["spec"]["selector"]})
        self.assertTrue(pods)
        for workload in pods:
            for port in found["spec"]["ports"]:
                self.assertIn(port["targetPort"], ports(workload))

    @chart.for_each("Deployment")
    def test_probes_ask_ports_that_are_there(self, _, found):
        for container in chart.pod(found)["containers"]:
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                asked = container[probe].get("httpGet") or container[probe]["tcpSocket"]
                self.assertIn(asked["port"], ports(found))
                self.assertEqual(asked.get("path", "/healthz"), "/healthz")

    @chart.for_each("Deployment")
    def test_the_program_listens_where_the_ports_say(self, _, found):
        variables = chart.pod(found)["containers"][0]["env"]
        listening = {variable["value"] for variable in variables if variable["name"] in ("KINORA_LISTEN", "KINORA_STATUS_LISTEN")}
        self.assertEqual(listening, {f"0.0.0.0:{port}" for port in ports(found).values()})

    @chart.for_each("Deployment")
    def test_gateways_and_nodes_are_sent_to_the_controllers_service(self, name, found):
        for variable in chart.pod(found)["containers"][0]["env"]:
            if variable["name"] == "KINORA_CONTROLLER_URL":
                host, namespace, port = re.fullmatch(r"https?://([\w-]+)\.([\w-]+)\.svc:(\d+)", variable["value"]).groups()
                service = next(service for service in chart.of_kind(name, "Service") if service["metadata"]["name"] == host)
                self.assertEqual(chart.component(service), "controller")
                self.assertEqual(namespace, service["metadata"]["namespace"])
                self.assertIn(int(port), [port["port"] for port in service["spec"]["ports"]])

    @chart.for_each("HorizontalPodAutoscaler", "ScaledObject")
    def test_what_scales_names_a_deployment(self, name, found):
        self.assertIn(found["spec"]["scaleTargetRef"]["name"], names(name, "Deployment"))

    @chart.for_each("PodDisruptionBudget")
    def test_what_guards_pods_guards_those_of_one_deployment(self, name, found):
        self.assertEqual(len(selected(name, found["spec"]["selector"])), 1)

    @chart.for_each("Deployment")
    def test_a_deployment_says_how_many_unless_it_is_scaled_and_an_upgrade_would_undo_that(self, name, found):
        scaled = {other["spec"]["scaleTargetRef"]["name"] for other in chart.of_kind(name, "HorizontalPodAutoscaler", "ScaledObject")}
        self.assertEqual("replicas" in found["spec"], found["metadata"]["name"] not in scaled)

    @chart.for_each("Ingress")
    def test_an_ingress_leads_to_a_service(self, name, found):
        for rule in found["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                backend = path["backend"]["service"]
                service = next(service for service in chart.of_kind(name, "Service") if service["metadata"]["name"] == backend["name"])
                self.assertIn(backend["port"]["name"], [port["name"] for port in service["spec"]["ports"]])

    @chart.for_each("ServiceMonitor")
    def test_a_service_monitor_finds_its_service(self, name, found):
        services = [service for service in chart.of_kind(name, "Service") if chart.matches(found["spec"]["selector"], service["metadata"]["labels"])]
        self.assertEqual(len(services), 1)
        for endpoint in found["spec"]["endpoints"]:
            self.assertIn(endpoint["port"], [port["name"] for port in services[0]["spec"]["ports"]])

    @chart.for_each("PodMonitor")
    def test_a_pod_monitor_finds_all_pods_of_its_role(self, name, found):
        pods = selected(name, found["spec"]["selector"])
        self.assertTrue(pods)
        self.assertEqual(pods, [workload for workload in chart.workloads(name) if chart.component(workload) == chart.component(found)])
        for workload in pods:
            for endpoint in found["spec"]["podMetricsEndpoints"]:
                self.assertIn(endpoint["port"], ports(workload))

    @chart.for_each("Deployment", "Job")
    def test_pods_use_accounts_volumes_and_claims_that_are_there(self, name, found):
        pod = chart.pod(found)
        self.assertIn(pod["serviceAccountName"], names(name, "ServiceAccount"))
        volumes = {volume["name"] for volume in pod.get("volumes", [])}
        mounts = {mount["name"] for container in pod["containers"] for mount in container.get("volumeMounts", [])}
        self.assertEqual(volumes, mounts)
        for volume in pod.get("volumes", []):
            if "persistentVolumeClaim" in volume:
                self.assertIn(volume["persistentVolumeClaim"]["claimName"], names(name, "PersistentVolumeClaim"))

    @chart.for_each("Deployment", "Job")
    def test_no_variable_is_set_twice(self, _, found):
        for container in chart.pod(found)["containers"]:
            variables = [variable["name"] for variable in container["env"]]
            self.assertEqual(len(variables), len(set(variables)))

    @chart.for_each("Job")
    def test_hooks_come_before_the_job_that_needs_them(self, name, found):
        def weight(other):
            return int(other["metadata"]["annotations"]["helm.sh/hook-weight"])
        account = chart.pod(found)["serviceAccountName"]
        needed = [other for other in chart.objects(name) if other["metadata"]["name"] == account and other["kind"] != "Job"]
        self.assertTrue(needed)
        for other in needed:
            self.assertLess(weight(other), weight(found))
            self.assertEqual(other["metadata"]["annotations"]["helm.sh/hook"], found["metadata"]["annotations"]["helm.sh/hook"])

    def test_long_names_stay_within_what_kubernetes_takes(self):
        pool = "a" * 17
        answer = chart.template(chart.SETS["everything"], "--set-json", f"nodes.pools.{pool}={{}}", release="r" * 53)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for found in chart.parse(answer.stdout):
            self.assertLessEqual(len(found["metadata"]["name"]), 63, chart.title(found))

    def test_the_notes_name_what_is_there(self):
        for name, files in chart.SETS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / "kinora"
                shutil.copytree(chart.CHART, copy)
                (copy / "templates/NOTES.txt").rename(copy / "shown.txt")
                (copy / "templates/shown.yaml").write_text('notes: {{ tpl (.Files.Get "shown.txt") . | toJson }}\n')
                answer = chart.helm("template", chart.RELEASE, copy, "--namespace", chart.NAMESPACE, "--show-only", "templates/shown.yaml", *chart.values(files))
                notes = chart.parse(answer.stdout)[0]["notes"]
                for kind, prefix in (("Deployment", "deploy/"), ("Service", "svc/")):
                    named = set(re.findall(rf"{prefix}([\w-]+)", notes))
                    self.assertLessEqual(named, names(name, kind))
                self.assertIn("-controller -- kinora account create", notes)


if __name__ == "__main__":
    unittest.main()
