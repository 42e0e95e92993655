"""What the chart renders, compared with what was reviewed: helm/golden."""

import difflib
import os
import unittest

import chart

GOLDEN = chart.ROOT / "helm/golden"
DASHBOARD = chart.CHART / "dashboards/kinora.json"


def without_dashboard(manifests):
    """A golden file need not repeat what lies in the chart word for word."""
    shown = "\n".join("    " + line if line else line for line in DASHBOARD.read_text().strip().splitlines())
    return manifests.replace(shown, "    (dashboards/kinora.json)")


class Golden(unittest.TestCase):
    def test_every_set_renders_as_reviewed(self):
        for name in chart.SETS:
            with self.subTest(name):
                file = GOLDEN / f"{name}.yaml"
                rendered = without_dashboard(chart.text(name))
                if os.environ.get("KINORA_UPDATE_GOLDEN"):
                    file.write_text(rendered)
                reviewed = file.read_text()
                changes = difflib.unified_diff(reviewed.splitlines(), rendered.splitlines(), "reviewed", "rendered", "", "", 2, "")
                self.assertEqual(
                    reviewed, rendered, "\n".join(["", *changes, "KINORA_UPDATE_GOLDEN=1 scripts/chart writes it anew; read the difference first"])
                )

    def test_no_golden_file_is_left_over(self):
        self.assertEqual({file.stem for file in GOLDEN.iterdir()}, set(chart.SETS))

    def test_lines_have_no_spaces_at_their_end(self):
        for name in chart.SETS:
            for line in chart.text(name).splitlines():
                self.assertEqual(line, line.rstrip(), name)

    def test_the_dashboard_is_passed_on_unchanged(self):
        for found in chart.of_kind("everything", "ConfigMap"):
            self.assertEqual(found["data"]["kinora.json"], DASHBOARD.read_text().strip())


if __name__ == "__main__":
    unittest.main()
