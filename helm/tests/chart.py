"""Renders the chart as an operator would, and reads what comes out."""

import functools
import os
import pathlib
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "helm/kinora"
HELM = pathlib.Path(sys.executable).with_name("helm")
NAMESPACE = "video"
RELEASE = "kinora"
OLDEST_KUBERNETES = "1.29"
NEWEST_KUBERNETES = "1.34"

EXAMPLES = ROOT / "helm/examples"
VALUES = ROOT / "helm/tests/values"
# Each is rendered, compared with its golden file, and checked in every way.
SETS = {
    "defaults": [VALUES / "required.yaml"],
    "minimal": [VALUES / "minimal.yaml"],
    "everything": [VALUES / "everything.yaml"],
    "laptop": [EXAMPLES / "laptop.yaml"],
    "cloud-gpu": [EXAMPLES / "cloud-gpu.yaml"],
    "spot": [EXAMPLES / "cloud-gpu.yaml", EXAMPLES / "spot.yaml"],
}


def helm(*arguments):
    """Runs helm without a cluster and without the caller's settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HELM_", "KUBE"))}
    environment["KUBECONFIG"] = os.devnull
    return subprocess.run([HELM, *map(str, arguments)], capture_output=True, text=True, env=environment, timeout=60)


def values(files):
    return [word for file in files for word in ("--values", file)]


def template(files, *arguments, release=RELEASE):
    """What helm answers when it renders the chart."""
    version = f"{NEWEST_KUBERNETES}.0"
    return helm("template", release, CHART, "--namespace", NAMESPACE, "--kube-version", version, *values(files), *arguments)


@functools.cache
def text(name):
    """The manifests of a set as helm writes them."""
    answer = template(SETS[name])
    if answer.returncode != 0:
        raise AssertionError(f"{name} can't be rendered: {answer.stderr}")
    return answer.stdout


def parse(manifests):
    return [document for document in yaml.safe_load_all(manifests) if document]


@functools.cache
def objects(name):
    """The manifests of a set, parsed."""
    return parse(text(name))


def of_kind(name, *kinds):
    return [found for found in objects(name) if found["kind"] in kinds]


def title(found):
    return f"{found['kind']} {found['metadata']['name']}"


def pod(workload):
    """The pod's specification of a Deployment or Job."""
    return workload["spec"]["template"]["spec"]


def pod_labels(workload):
    return workload["spec"]["template"]["metadata"]["labels"]


def workloads(name):
    return of_kind(name, "Deployment", "Job")


def containers(name):
    """Every container with the workload that it belongs to."""
    for workload in workloads(name):
        assert "initContainers" not in pod(workload), "checks know containers alone"
        for container in pod(workload)["containers"]:
            yield workload, container


def component(found):
    return found["metadata"]["labels"]["app.kubernetes.io/component"]


def matches(selector, labels):
    """Whether labels have all that a selector asks for."""
    assert set(selector) <= {"matchLabels"}, f"checks know matchLabels alone: {selector}"
    return selector.get("matchLabels", {}).items() <= labels.items()


def for_each(*kinds):
    """Runs a test with every object of some kinds in every set: test(self, name_of_set, object)."""

    def decorate(test):
        @functools.wraps(test)
        def run(self):
            for name in SETS:
                for found in of_kind(name, *kinds):
                    with self.subTest(f"{name}: {title(found)}"):
                        test(self, name, found)

        return run

    return decorate


def for_each_container(test):
    """Runs a test with every container in every set: test(self, workload, container)."""

    @functools.wraps(test)
    def run(self):
        for name in SETS:
            for workload, container in containers(name):
                with self.subTest(f"{name}: {title(workload)}"):
                    test(self, workload, container)

    return run
