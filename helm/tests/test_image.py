"""The Dockerfile, as far as it can be checked without building it."""

import re
import subprocess
import unittest

import chart

DOCKERFILE = (chart.ROOT / "Dockerfile").read_text()
IGNORED = [line for line in (chart.ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
# Instructions, each on one line.
INSTRUCTIONS = [line for line in re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", DOCKERFILE, flags=re.M)).splitlines() if line.strip()]


def stages():
    """Instructions by the name of their stage."""
    found, name = {}, None
    for line in INSTRUCTIONS:
        start = re.match(r"FROM (\S+) AS (\S+)", line)
        if start:
            name = start[2]
            found[name] = [line]
        elif name:
            found[name].append(line)
    return found


def inherited(name):
    """The instructions of a stage and of those that it is built on."""
    found = stages()
    base = re.match(r"FROM (\S+)", found[name][0])[1]
    return (inherited(base) if base in found else []) + found[name]


def setting(name, instruction):
    """The last time an instruction is given."""
    return [line.split(" ", 1)[1] for line in inherited(name) if line.startswith(instruction + " ")][-1]


class Image(unittest.TestCase):
    roles = ("gateway", "controller", "node")

    def test_each_role_is_a_target_that_starts_it(self):
        for role in self.roles:
            self.assertEqual(setting(role, "ENTRYPOINT"), '["/usr/local/bin/kinora"]')
            self.assertEqual(setting(role, "CMD"), f'["{role}"]')

    def test_each_role_runs_as_the_user_that_the_chart_expects(self):
        workload = chart.workloads("defaults")[0]
        user = chart.pod(workload)["securityContext"]["runAsUser"]
        for role in self.roles:
            self.assertEqual(setting(role, "USER"), f"{user}:{user}")

    def test_who_needs_fonts_has_them(self):
        for role in ("controller", "node"):
            self.assertTrue(any(line.startswith("COPY --from=fonts ") for line in inherited(role)), role)

    def test_the_driver_file_that_the_chart_names_is_in_the_image(self):
        pools = [container for _, container in chart.containers("cloud-gpu")]
        named = {variable["value"] for container in pools for variable in container["env"] if variable["name"] == "VK_ADD_DRIVER_FILES"}
        self.assertEqual(len(named), 1)
        self.assertIn(f"> {named.pop()}", " ".join(inherited("node")))

    def test_the_toolchain_is_new_enough_and_debian_is_the_one_we_support(self):
        wanted = re.search(r'rust-version = "([\d.]+)"', (chart.ROOT / "Cargo.toml").read_text())[1]
        given = re.search(r"FROM rust:([\d.]+)-bookworm ", DOCKERFILE)[1]
        self.assertGreaterEqual([int(part) for part in given.split(".")], [int(part) for part in wanted.split(".")])
        for line in INSTRUCTIONS:
            if line.startswith("FROM ") and line.split()[1] not in stages():
                self.assertIn("bookworm", line)

    def test_program_chart_and_images_have_one_version(self):
        program = re.search(r'^version = "(.*)"', (chart.ROOT / "Cargo.toml").read_text(), re.M)[1]
        described = chart.yaml.safe_load((chart.CHART / "Chart.yaml").read_text())
        self.assertEqual(described["appVersion"], program)
        self.assertIn(f"ARG VERSION={program}", INSTRUCTIONS)

    def test_what_is_copied_is_there_and_not_left_out(self):
        tracked = subprocess.run(["git", "ls-files"], cwd=chart.ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for line in INSTRUCTIONS:
            words = line.split()
            if words[0] != "COPY":
                continue
            source = [word for word in words[1:-1] if not word.startswith("--")]
            origin = next((word.removeprefix("--from=") for word in words if word.startswith("--from=")), None)
            if origin:
                self.assertIn(origin, stages())
                continue
            for path in source:
                if path == ".":
                    continue
                with self.subTest(path):
                    self.assertTrue(any(file == path or file.startswith(path + "/") for file in tracked))
                    self.assertNotIn(path, [pattern.strip("/") for pattern in IGNORED])

    def test_what_the_build_needs_is_sent_along(self):
        """Whatever is compiled in, and every member of the workspace."""
        manifest = (chart.ROOT / "Cargo.toml").read_text()
        members = re.findall(r'"([\w-]+)"', re.search(r"members = \[(.*?)\]", manifest, re.S)[1])
        for folder in (*members, "src", "templates", "web", "scripts", "tests", "docs/STICKERS.md", "Cargo.lock"):
            self.assertNotIn(folder, [pattern.strip("/") for pattern in IGNORED])


if __name__ == "__main__":
    unittest.main()
