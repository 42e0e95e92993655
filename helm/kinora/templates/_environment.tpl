{{/* Variables and the files that they name. */}}

{{/* dict "name" and a reference "from" {secretName, key} */}}
{{- define "kinora.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .from.secretName | quote }}
      key: {{ .from.key | quote }}
{{- end -}}

{{/* A map of variables. Helm reads every number as a float, and would write a large one as 1e+07. */}}
{{- define "kinora.variables" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  {{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}
  value: {{ int64 $value | quote }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "kinora.logVariables" -}}
- name: KINORA_LOG_FORMAT
  value: {{ .Values.logs.format }}
{{- with .Values.logs.filter }}
- name: RUST_LOG
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "kinora.databaseVariables" -}}
{{- if .Values.database.sqlite -}}
- name: KINORA_DATABASE_URL
  value: sqlite:///data/database/kinora.db?mode=rwc
{{- else -}}
{{ include "kinora.secretVariable" (dict "name" "KINORA_DATABASE_URL" "from" .Values.database.url) }}
{{- end -}}
{{- end -}}

{{- define "kinora.storeVariables" -}}
{{- $store := .Values.store -}}
- name: KINORA_STORE_URL
  value: {{ ternary "file:///data/objects" $store.url $store.volume.enabled | quote }}
{{- include "kinora.variables" $store.settings }}
{{- range $name, $from := $store.credentials }}
{{ include "kinora.secretVariable" (dict "name" $name "from" $from) }}
{{- end }}
{{- end -}}

{{/* Nodes know a folder that they share. Of other stores they know nothing: controllers sign each of their requests. */}}
{{- define "kinora.nodeStoreVariables" -}}
{{- if .Values.store.volume.enabled }}
- name: KINORA_STORE_URL
  value: file:///data/objects
{{- end }}
{{- end -}}

{{/* What proves that a role belongs to the farm. */}}
{{- define "kinora.farmVariables" -}}
{{- if .Values.farm.token.secretName }}
- name: KINORA_FARM_TOKEN_FILE
  value: /run/kinora/token/token
{{- end }}
{{- if .Values.farm.tls.secretName }}
- name: KINORA_TLS_CERT
  value: /run/kinora/tls/tls.crt
- name: KINORA_TLS_KEY
  value: /run/kinora/tls/tls.key
- name: KINORA_TLS_CA
  value: /run/kinora/tls/ca.crt
{{- end }}
{{- end -}}

{{- define "kinora.farmMounts" -}}
{{- if .Values.farm.token.secretName }}
- name: token
  mountPath: /run/kinora/token
  readOnly: true
{{- end }}
{{- if .Values.farm.tls.secretName }}
- name: tls
  mountPath: /run/kinora/tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* dict "root", and "tls": the role's own Secret */}}
{{- define "kinora.farmVolumes" -}}
{{- $farm := .root.Values.farm -}}
{{- if $farm.token.secretName }}
- name: token
  secret:
    secretName: {{ $farm.token.secretName | quote }}
    defaultMode: 0440
    items:
      - key: {{ $farm.token.key | quote }}
        path: token
{{- end }}
{{- if $farm.tls.secretName }}
- name: tls
  secret:
    secretName: {{ default $farm.tls.secretName .tls | quote }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{/* Objects on a volume; roles see their own folder of it. */}}
{{- define "kinora.objectsMount" -}}
{{- if .Values.store.volume.enabled }}
- name: data
  mountPath: /data/objects
  subPath: objects
{{- end }}
{{- end -}}

{{- define "kinora.dataVolume" -}}
{{- if .Values.store.volume.enabled }}
- name: data
  persistentVolumeClaim:
    claimName: {{ include "kinora.claimName" . | quote }}
{{- end }}
{{- end -}}
