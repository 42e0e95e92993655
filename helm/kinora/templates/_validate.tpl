{{/* What the schema can't say, because it concerns two values at once. */}}
{{- define "kinora.validate" -}}
{{- $values := .Values -}}
{{- if and $values.database.sqlite $values.database.url.secretName -}}
{{- fail "database.sqlite and database.url.secretName exclude each other" -}}
{{- end -}}
{{- if not (or $values.database.sqlite $values.database.url.secretName) -}}
{{- fail "database.url.secretName is missing: name a Secret with the URL of a Postgres database" -}}
{{- end -}}
{{- if and $values.database.sqlite (not $values.store.volume.enabled) -}}
{{- fail "database.sqlite needs store.volume.enabled: the database lies on that volume" -}}
{{- end -}}
{{- if and $values.database.sqlite (gt (int $values.controller.replicas) 1) -}}
{{- fail "database.sqlite is for one controller: set controller.replicas to 1, or use Postgres" -}}
{{- end -}}
{{- if and $values.database.sqlite $values.migrations.enabled -}}
{{- fail "database.sqlite can't be migrated before its volume is there: set migrations.enabled to false, the controller does it at its start" -}}
{{- end -}}
{{- if and $values.store.url $values.store.volume.enabled -}}
{{- fail "store.url and store.volume.enabled exclude each other" -}}
{{- end -}}
{{- if not (or $values.store.url $values.store.volume.enabled) -}}
{{- fail "store.url is missing: s3://bucket/prefix, gs://… or az://…, or enable store.volume" -}}
{{- end -}}
{{- if not (or $values.farm.token.secretName $values.farm.tls.secretName) -}}
{{- fail "farm.token.secretName is missing: name a Secret with a token (openssl rand -hex 32), or set farm.tls.secretName; controllers don't start without" -}}
{{- end -}}
{{- if gt (int $values.gateway.autoscaling.min) (int $values.gateway.autoscaling.max) -}}
{{- fail "gateway.autoscaling.min is larger than its max" -}}
{{- end -}}
{{- range $name, $given := $values.nodes.pools -}}
{{- $pool := include "kinora.pool" (dict "root" $ "pool" $given) | fromJson -}}
{{- if gt (int $pool.autoscaling.min) (int $pool.autoscaling.max) -}}
{{- fail (printf "nodes.pools.%s: autoscaling.min is larger than its max" $name) -}}
{{- end -}}
{{- if and $pool.autoscaling.enabled (eq $pool.autoscaling.kind "hpa") (lt (int $pool.autoscaling.min) 1) -}}
{{- fail (printf "nodes.pools.%s: an hpa keeps at least one node; set autoscaling.min to 1, or kind to keda" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
