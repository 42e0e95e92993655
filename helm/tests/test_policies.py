"""What an operator's reviewer would ask of every pod."""

import re
import unittest

import chart

USER = 10001
SECRET_NAMES = re.compile(r"PASSWORD|SECRET|TOKEN|KEY|CREDENTIAL|DATABASE_URL")
MOUNTED = "/run/kinora/"


class Policies(unittest.TestCase):
    @chart.for_each_container
    def test_nobody_is_root_or_can_become_it(self, workload, container):
        pod, security = chart.pod(workload)["securityContext"], container["securityContext"]
        self.assertIs(pod["runAsNonRoot"], True)
        self.assertEqual((pod["runAsUser"], pod["runAsGroup"], pod["fsGroup"]), (USER, USER, USER))
        self.assertEqual(pod["seccompProfile"], {"type": "RuntimeDefault"})
        self.assertIs(security["allowPrivilegeEscalation"], False)
        self.assertEqual(security["capabilities"], {"drop": ["ALL"]})
        self.assertFalse(set(security) & {"privileged", "runAsUser", "procMount"})

    @chart.for_each_container
    def test_images_are_never_written_to(self, workload, container):
        self.assertIs(container["securityContext"]["readOnlyRootFilesystem"], True)
        volumes = {volume["name"]: volume for volume in chart.pod(workload).get("volumes", [])}
        for volume in volumes.values():
            self.assertNotIn("hostPath", volume)
            if "emptyDir" in volume:
                self.assertIn("sizeLimit", volume["emptyDir"])
        for mount in container.get("volumeMounts", []):
            if "secret" in volumes[mount["name"]]:
                self.assertIs(mount["readOnly"], True)

    @chart.for_each_container
    def test_pods_share_nothing_with_their_machine_and_hold_no_token(self, workload, _):
        pod = chart.pod(workload)
        self.assertIs(pod["automountServiceAccountToken"], False)
        self.assertIs(pod["enableServiceLinks"], False)
        self.assertFalse(set(pod) & {"hostNetwork", "hostPID", "hostIPC"})

    @chart.for_each_container
    def test_resources_are_asked_for_and_memory_is_bounded(self, _, container):
        resources = container["resources"]
        self.assertLessEqual({"cpu", "memory"}, set(resources["requests"]))
        self.assertIn("memory", resources["limits"])

    @chart.for_each_container
    def test_what_runs_on_is_probed_and_given_time_to_go(self, workload, container):
        if workload["kind"] == "Job":
            return
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            self.assertIn(probe, container)
        # The program is gone within 10 seconds of being asked.
        waits = int(container["lifecycle"]["preStop"]["exec"]["command"][1]) if "lifecycle" in container else 0
        self.assertGreaterEqual(chart.pod(workload)["terminationGracePeriodSeconds"], waits + 10)

    @chart.for_each_container
    def test_images_are_pinned(self, _, container):
        self.assertRegex(container["image"], r"^[^@]+/kinora-(gateway|controller|node)(:(?!latest)[\w.-]+|@sha256:[0-9a-f]{64})$")

    @chart.for_each_container
    def test_no_secret_is_in_the_clear(self, _, container):
        for variable in container["env"]:
            if SECRET_NAMES.search(variable["name"]) and "value" in variable:
                self.assertTrue(variable["value"].startswith((MOUNTED, "sqlite:///data/")), variable)

    def test_the_chart_makes_no_secrets(self):
        for name in chart.SETS:
            self.assertEqual(chart.of_kind(name, "Secret"), [])

    def test_a_secret_in_the_clear_would_be_noticed(self):
        for name in ("KINORA_DATABASE_URL", "AWS_SECRET_ACCESS_KEY", "KINORA_FARM_TOKEN", "KINORA_SECRET_KEY"):
            self.assertRegex(name, SECRET_NAMES)

    @chart.for_each_container
    def test_only_controllers_and_migrations_know_the_database(self, workload, container):
        names = {variable["name"] for variable in container["env"]}
        knows = chart.component(workload) in ("controller", "migrate")
        self.assertEqual("KINORA_DATABASE_URL" in names, knows)
        self.assertEqual("KINORA_SECRET_KEY_FILE" in names, chart.component(workload) == "controller")
        paths = {mount["mountPath"] for mount in container.get("volumeMounts", [])}
        self.assertFalse("/data/database" in paths and not knows)
        self.assertNotIn("/data", paths)

    @chart.for_each_container
    def test_nodes_know_nothing_of_the_store_but_a_folder(self, workload, container):
        values = {variable["name"]: variable.get("value") for variable in container["env"]}
        if chart.component(workload) == "node":
            self.assertIn(values.get("KINORA_STORE_URL"), (None, "file:///data/objects"))
            self.assertEqual([name for name in values if name.startswith(("AWS_", "GOOGLE_", "AZURE_"))], [])

    @chart.for_each_container
    def test_roles_show_each_other_a_token_or_certificates(self, workload, container):
        names = {variable["name"] for variable in container["env"]}
        if chart.component(workload) in ("gateway", "controller", "node"):
            self.assertTrue(names & {"KINORA_FARM_TOKEN_FILE", "KINORA_TLS_CERT"})

    def test_gpus_are_asked_for_with_the_drivers_that_draw_and_encode(self):
        pools = {found["metadata"]["labels"]["kinora/pool"]: found for found in chart.of_kind("everything", "Deployment") if chart.component(found) == "node"}
        self.assertEqual(set(pools), {"h200", "mig", "amd", "cpu"})
        gpus, capabilities = {}, {}
        for pool, found in pools.items():
            container = chart.pod(found)["containers"][0]
            gpus[pool] = {name: count for name, count in container["resources"]["limits"].items() if "/" in name}
            capabilities[pool] = [variable["value"] for variable in container["env"] if variable["name"] == "NVIDIA_DRIVER_CAPABILITIES"]
        self.assertEqual(gpus, {"h200": {"nvidia.com/gpu": 2}, "mig": {"nvidia.com/mig-1g.10gb": 1}, "amd": {"amd.com/gpu": 1}, "cpu": {}})
        drivers = ["compute,graphics,video,utility"]
        self.assertEqual(capabilities, {"h200": drivers, "mig": drivers, "amd": [], "cpu": []})

    def test_numbers_reach_the_program_as_they_were_written(self):
        values = {variable["name"]: variable.get("value") for _, container in chart.containers("everything") for variable in container["env"]}
        self.assertEqual(values["KINORA_BODY_LIMIT"], "10485760")
        for name in chart.SETS:
            self.assertNotRegex(chart.text(name), r"\b[0-9.]+e\+[0-9]")


if __name__ == "__main__":
    unittest.main()
