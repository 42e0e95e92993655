{{/* Names, labels and images. */}}

{{- define "kinora.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough that roles and pools can be added. */}}
{{- define "kinora.fullname" -}}
{{- $name := include "kinora.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What all pods of this release have in common. */}}
{{- define "kinora.releaseLabels" -}}
app.kubernetes.io/name: {{ include "kinora.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* What selects the pods of a role: dict "root" "component". */}}
{{- define "kinora.selectorLabels" -}}
{{ include "kinora.releaseLabels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The labels of an object: dict "root" "component". */}}
{{- define "kinora.labels" -}}
{{ include "kinora.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Name and labels of an object of a role: dict "root" "component", and "name" if it is not that of the role. */}}
{{- define "kinora.metadata" -}}
name: {{ .name | default (printf "%s-%s" (include "kinora.fullname" .root) .component) }}
namespace: {{ .root.Release.Namespace | quote }}
labels:
  {{- include "kinora.labels" . | nindent 2 }}
{{- end -}}

{{/* dict "root" "role" */}}
{{- define "kinora.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digests .role -}}
{{- $repository := printf "%s/kinora-%s" (trimSuffix "/" $image.registry) .role -}}
{{- if $digest -}}
{{ $repository }}@{{ $digest }}
{{- else -}}
{{ $repository }}:{{ default .root.Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}

{{- define "kinora.controllerHost" -}}
{{ include "kinora.fullname" . }}-controller.{{ .Release.Namespace }}.svc
{{- end -}}

{{- define "kinora.controllerUrl" -}}
{{ ternary "https" "http" (ne .Values.farm.tls.secretName "") }}://{{ include "kinora.controllerHost" . }}:7070
{{- end -}}

{{- define "kinora.publicUrl" -}}
{{- $ingress := .Values.gateway.ingress -}}
{{- if .Values.publicUrl -}}
{{ .Values.publicUrl }}
{{- else if $ingress.enabled -}}
{{ ternary "https" "http" $ingress.tls.enabled }}://{{ $ingress.host }}
{{- end -}}
{{- end -}}

{{- define "kinora.claimName" -}}
{{ default (printf "%s-data" (include "kinora.fullname" .)) .Values.store.volume.claimName }}
{{- end -}}

{{/* A pool with what it does not say filled in, as JSON: dict "root" "pool". */}}
{{- define "kinora.pool" -}}
{{- mergeOverwrite (deepCopy .root.Values.nodes.defaults) (deepCopy (default dict .pool)) | toJson -}}
{{- end -}}

{{/* The series of this farm's controllers. */}}
{{- define "kinora.controllerSeries" -}}
namespace="{{ .Release.Namespace }}",service="{{ include "kinora.fullname" . }}-controller"
{{- end -}}
