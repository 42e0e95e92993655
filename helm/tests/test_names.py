"""Variables, subcommands and metrics that the chart names are those of the program."""

import json
import re
import unittest

import promql_parser

import chart

# Named by the chart before the program has them. What is there comes off this list; the last test sees to it.
PLANNED_METRICS = set()
FOREIGN_VARIABLES = re.compile(r"(AWS|GOOGLE|AZURE)_[A-Z0-9_]+|RUST_LOG|NVIDIA_DRIVER_CAPABILITIES|VK_ADD_DRIVER_FILES")
HISTOGRAM = re.compile(r"_(bucket|sum|count)$")
DASHBOARD = json.loads((chart.CHART / "dashboards/kinora.json").read_text())


def sources():
    """The program's code, without its tests."""
    for folder in ("src", "controller/src", "gateway/src", "node/src"):
        for file in sorted((chart.ROOT / folder).rglob("*.rs")):
            if "tests" not in file.relative_to(chart.ROOT).parts and file.name != "tests.rs":
                yield file.read_text().split("#[cfg(test)]")[0]


CODE = "\n".join(sources())
METRICS = set(re.findall(r'"(?:# HELP )?(kinora_[a-z0-9_]+)[ "{]', CODE))
VARIABLES = set(re.findall(r"\bKINORA_[A-Z_]+\b", CODE))


def metrics_in(expression):
    """The metrics of a PromQL expression, which has to be one."""
    for variable, value in (("$__rate_interval", "5m"), ("$namespace", "video"), ("$pool", ".*")):
        expression = expression.replace(variable, value)
    promql_parser.parse(expression)
    return set(re.findall(r"\bkinora_[a-z0-9_]+", expression))


def rules(name):
    return [rule for found in chart.of_kind(name, "PrometheusRule") for group in found["spec"]["groups"] for rule in group["rules"]]


def expressions():
    """Every expression, and where it stands."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield f"panel {panel['title']}", target["expr"]
    for name in chart.SETS:
        for rule in rules(name):
            yield f"{name}: {rule.get('alert') or rule['record']}", rule["expr"]
        for found in chart.of_kind(name, "ScaledObject"):
            for trigger in found["spec"]["triggers"]:
                yield f"{name}: {chart.title(found)}", trigger["metadata"]["query"]


class Names(unittest.TestCase):
    def test_variables_are_the_programs_and_stand_in_the_readme(self):
        readme = (chart.ROOT / "README.md").read_text()
        for name in chart.SETS:
            for workload, container in chart.containers(name):
                for variable in (variable["name"] for variable in container["env"]):
                    if FOREIGN_VARIABLES.fullmatch(variable):
                        continue
                    with self.subTest(f"{name}: {chart.title(workload)}: {variable}"):
                        self.assertIn(variable, VARIABLES)
                        self.assertIn(f"`{variable}`", readme)

    def test_what_the_schema_forbids_to_set_is_the_programs(self):
        schema = json.loads((chart.CHART / "values.schema.json").read_text())
        for variable in schema["definitions"]["env"]["propertyNames"]["not"]["enum"]:
            if not FOREIGN_VARIABLES.fullmatch(variable):
                self.assertIn(variable, VARIABLES)

    def test_subcommands_exist(self):
        listed = re.search(r"enum Command \{(.*?)\n\}", (chart.ROOT / "src/main.rs").read_text(), re.S)[1]
        known = {word.lower() for word in re.findall(r"^    ([A-Z][a-z]+)\(", listed, re.M)}
        for name in chart.SETS:
            for workload, container in chart.containers(name):
                self.assertEqual(len(container["args"]), 1)
                self.assertIn(container["args"][0], known, chart.title(workload))

    def test_expressions_can_be_read_and_name_metrics_that_exist(self):
        recorded = {rule["record"] for name in chart.SETS for rule in rules(name) if "record" in rule}
        for place, expression in expressions():
            with self.subTest(place):
                found = metrics_in(expression)
                self.assertTrue(found)
                for metric in found:
                    family = HISTOGRAM.sub("", metric)
                    self.assertIn(family, METRICS | PLANNED_METRICS | recorded)

    def test_autoscalers_ask_for_metrics_that_somebody_makes(self):
        recorded = {rule["record"] for rule in rules("everything") if "record" in rule}
        readme = (chart.CHART / "README.md").read_text()
        for found in chart.of_kind("everything", "HorizontalPodAutoscaler"):
            for metric in found["spec"]["metrics"]:
                if metric["type"] == "External":
                    self.assertIn(metric["external"]["metric"]["name"], recorded)
                if metric["type"] == "Pods":
                    self.assertIn(metric["pods"]["metric"]["name"], readme)

    def test_labels_of_states_are_those_of_the_code(self):
        """A misspelt state would give an empty graph and a silent alert."""
        for place, expression in expressions():
            for label, values in re.findall(r'\b(state|status|outcome|lane|kind|end)(?:=~|!=|=)"([^"]*)"', expression):
                for value in values.split("|"):
                    # HTTP statuses are numbers.
                    if re.fullmatch(r"[0-9.]+", value):
                        continue
                    with self.subTest(f"{place}: {label}={value}"):
                        self.assertRegex(CODE, rf'\\?"{value}\\?"')

    def test_what_is_there_is_not_planned_any_more(self):
        self.assertEqual(PLANNED_METRICS & METRICS, set(), "take them off the list")
        used = {HISTOGRAM.sub("", metric) for _, expression in expressions() for metric in metrics_in(expression)}
        self.assertLessEqual(PLANNED_METRICS, used)


class Dashboard(unittest.TestCase):
    def test_panels_have_their_own_ids_and_don_t_overlap(self):
        ids = [panel["id"] for panel in DASHBOARD["panels"]]
        self.assertEqual(len(ids), len(set(ids)))
        taken = set()
        for panel in DASHBOARD["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells

    def test_every_panel_asks_the_chosen_source_for_the_chosen_namespace(self):
        for panel in DASHBOARD["panels"]:
            if panel["type"] == "row":
                continue
            with self.subTest(panel["title"]):
                self.assertEqual(panel["datasource"]["uid"], "${datasource}")
                for target in panel["targets"]:
                    self.assertEqual(target["expr"].count("kinora_"), target["expr"].count('namespace="$namespace"'))

    def test_legends_name_labels_that_the_query_keeps(self):
        for panel in DASHBOARD["panels"]:
            for target in panel.get("targets", []):
                kept = {label.strip() for labels in re.findall(r"by \(([^)]*)\)", target["expr"]) for label in labels.split(",")}
                for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                    self.assertIn(label, kept, panel["title"])


if __name__ == "__main__":
    unittest.main()
