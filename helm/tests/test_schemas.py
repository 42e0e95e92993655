"""Every manifest against the schemas of Kubernetes, and of those whose resources we use."""

import copy
import json
import unittest

import jsonschema
import kubernetes_validate

import chart

SCHEMAS = chart.ROOT / "helm/schemas"
VERSIONS = (chart.OLDEST_KUBERNETES, chart.NEWEST_KUBERNETES)


def foreign_schema(found):
    """The schema of a resource that is not Kubernetes' own."""
    group, version = found["apiVersion"].split("/") if "/" in found["apiVersion"] else ("", found["apiVersion"])
    file = SCHEMAS / f"{group}_{version}_{found['kind']}.json"
    return json.loads(file.read_text()) if file.exists() else None


def check(found, version):
    """Raises if a manifest is not what its kind asks for, or has a field that the kind doesn't know."""
    schema = foreign_schema(found)
    if schema:
        jsonschema.Draft202012Validator(schema).validate(found)
    else:
        kubernetes_validate.validate(found, version, strict=True)


class Schemas(unittest.TestCase):
    def test_every_manifest_is_valid_on_the_oldest_and_the_newest_kubernetes(self):
        seen = set()
        for name in chart.SETS:
            for found in chart.objects(name):
                # Many are the same in several sets.
                once = json.dumps(found, sort_keys=True)
                if once in seen:
                    continue
                seen.add(once)
                for version in VERSIONS:
                    with self.subTest(f"{name}: {chart.title(found)} on {version}"):
                        check(found, version)

    def test_names_that_look_like_numbers_or_truths_stay_names(self):
        settings = ['nodes.pools={"4090": {}, "on": {}}', 'secretKey.secretName="1"', 'secretKey.key="2"', 'database.url={"secretName": "3", "key": "4"}',
                    'farm={"token": {"secretName": "5", "key": "6"}, "tls": {"secretName": "7"}}', 'image.pullSecrets=["8"]']
        answer = chart.template(chart.SETS["defaults"], *(word for setting in settings for word in ("--set-json", setting)), release="12")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for found in chart.parse(answer.stdout):
            with self.subTest(chart.title(found)):
                check(found, chart.NEWEST_KUBERNETES)

    def test_a_misspelt_field_would_be_noticed(self):
        for found in chart.objects("everything"):
            if "spec" not in found:
                continue
            with self.subTest(chart.title(found)):
                spoilt = copy.deepcopy(found)
                spoilt["spec"]["replicass"] = 1
                with self.assertRaises((jsonschema.ValidationError, kubernetes_validate.ValidationError)):
                    check(spoilt, chart.NEWEST_KUBERNETES)

    def test_the_chart_asks_for_the_oldest_kubernetes_that_is_checked(self):
        wanted = chart.yaml.safe_load((chart.CHART / "Chart.yaml").read_text())["kubeVersion"]
        self.assertEqual(wanted, f">={chart.OLDEST_KUBERNETES}.0-0")

    def test_helm_finds_nothing_to_complain_about(self):
        for name in ("defaults", "everything", "laptop"):
            with self.subTest(name):
                answer = chart.helm("lint", "--strict", chart.CHART, *chart.values(chart.SETS[name]))
                self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)


if __name__ == "__main__":
    unittest.main()
