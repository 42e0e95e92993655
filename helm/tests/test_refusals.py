"""Values that can't work are refused, with a message that says which."""

import json
import unittest

import chart

POOL = "nodes.pools.cpu"
# What is set on top of values that work, and what the refusal has to contain.
REFUSED = [
    ('image.registry=""', "image.registry"),
    ('secretKey.secretName=""', "secretKey.secretName"),
    ('database.url.secretName=""', "name a Secret with the URL of a Postgres database"),
    ('store.url=""', "store.url is missing"),
    ('farm.token.secretName=""', "farm.token.secretName is missing"),
    ("nodes.storeCredentials=true", "storeCredentials"),
    ('store.url="file:///srv/objects"', "store.url"),
    ('store.url="films"', "store.url"),
    ("nodes.pools=null", "nodes"),
    ("imag={}", "Additional property imag is not allowed"),
    ('image.tag="a tag"', "image.tag"),
    ('image.digests.node="3333"', "image.digests.node"),
    ('image.pullPolicy="Sometimes"', "image.pullPolicy"),
    ('publicUrl="films.example.com"', "publicUrl"),
    ('logs.format="xml"', "logs.format"),
    ("gateway.replicas=-1", "gateway.replicas"),
    ('gateway.replicas="two"', "gateway.replicas"),
    ("gateway.ingress.enabled=true", "gateway.ingress.host"),
    ("gateway.autoscaling.min=11", "gateway.autoscaling.min is larger than its max"),
    ("gateway.resources.requests=null", "requests"),
    ('gateway.env={"KINORA_LISTEN": "0.0.0.0:1"}', "gateway.env"),
    ('controller.env={"KINORA_DATABASE_URL": "postgres://ada:pw@db/x"}', "controller.env"),
    ('controller.env={"KINORA_SECRET_KEY": "00"}', "controller.env"),
    ('controller.env={"lower": "1"}', "controller.env"),
    ('store.settings={"AWS_SECRET_ACCESS_KEY": "hunter2"}', "store.settings"),
    ('store.settings={"PATH": "/"}', "store.settings"),
    ('store.credentials={"AWS_SECRET_ACCESS_KEY": "hunter2"}', "store.credentials.AWS_SECRET_ACCESS_KEY"),
    ("store.volume.enabled=true", "store.url and store.volume.enabled exclude each other"),
    ("database.sqlite=true", "database.sqlite and database.url.secretName exclude each other"),
    (f"{POOL}.gpus=1", "Additional property gpus is not allowed"),
    (f"{POOL}.gpu.count=-1", f"{POOL}.gpu.count"),
    (f'{POOL}.gpu.resource="gpu"', f"{POOL}.gpu.resource"),
    (f"{POOL}.slots=0", f"{POOL}.slots"),
    (f"{POOL}.slots=65", f"{POOL}.slots"),
    (f'{POOL}.encoder="h265"', f"{POOL}.encoder"),
    (f'{POOL}.tmp="lots"', f"{POOL}.tmp"),
    (f"{POOL}.terminationGracePeriodSeconds=5", f"{POOL}.terminationGracePeriodSeconds"),
    (f'{POOL}.autoscaling.kind="magic"', f"{POOL}.autoscaling.kind"),
    (f"{POOL}.autoscaling.min=11", f"{POOL}: autoscaling.min is larger than its max"),
    (f'{POOL}.autoscaling={{"enabled": true, "kind": "hpa", "min": 0}}', f"{POOL}: an hpa keeps at least one node"),
    ("nodes.pools.Big={}", "nodes.pools"),
    (f"nodes.pools.{'a' * 18}={{}}", "nodes.pools"),
    ("networkPolicy.store.ports=[70000]", "networkPolicy.store.ports"),
    ('networkPolicy.privateRanges.ipv4=["everything"]', "networkPolicy.privateRanges.ipv4"),
    ("networkPolicy.dnsTo=[]", "networkPolicy.dnsTo"),
    ("monitoring.interval=15", "monitoring.interval"),
]
# The same for a farm on SQLite and a volume.
REFUSED_ON_A_LAPTOP = [
    ("controller.replicas=2", "database.sqlite is for one controller"),
    ("migrations.enabled=true", "set migrations.enabled to false"),
    ('store={"volume": {"enabled": false}, "url": "s3://films"}', "database.sqlite needs store.volume.enabled"),
]


class Refusals(unittest.TestCase):
    def refuses(self, name, setting, message):
        with self.subTest(setting):
            path, value = setting.split("=", 1)
            json.loads(value)
            answer = chart.template(chart.SETS[name], "--set-json", setting)
            self.assertNotEqual(answer.returncode, 0, f"{path} was taken")
            self.assertIn(message, answer.stderr)

    def test_bad_values_are_refused_by_name(self):
        for setting, message in REFUSED:
            self.refuses("defaults", setting, message)

    def test_sqlite_is_refused_where_it_would_lose_data(self):
        for setting, message in REFUSED_ON_A_LAPTOP:
            self.refuses("laptop", setting, message)

    def test_without_values_everything_that_is_missing_is_named(self):
        answer = chart.template([])
        self.assertNotEqual(answer.returncode, 0)
        for missing in ("image.registry", "secretKey.secretName", "nodes.pools"):
            self.assertIn(missing, answer.stderr)

    def test_every_value_has_a_place_in_the_schema(self):
        schema = json.loads((chart.CHART / "values.schema.json").read_text())
        defaults = chart.yaml.safe_load((chart.CHART / "values.yaml").read_text())
        self.compare("", defaults, schema, schema["definitions"])

    def compare(self, path, values, schema, definitions):
        """Closed objects name the same fields as the defaults do: none is forgotten on either side."""
        if "$ref" in schema:
            schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
        if not isinstance(values, dict) or schema.get("additionalProperties") is not False:
            return
        known = schema["properties"]
        if values:
            self.assertEqual(set(values), set(known) - {"global"}, path or "the top")
        for name, value in values.items():
            self.compare(f"{path}.{name}", value, known[name], definitions)


if __name__ == "__main__":
    unittest.main()
