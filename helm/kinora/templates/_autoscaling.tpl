{{/* Which lanes a pool works in: one without preview slots leaves previews alone. */}}
{{- define "kinora.lanes" -}}
{{ ternary "render|preview" "render" (gt (int .previewSlots) 0) }}
{{- end -}}

{{/* Nodes come at once and go slowly: what a node has in its cache is worth a few minutes. */}}
{{- define "kinora.scaleBehavior" -}}
scaleDown:
  stabilizationWindowSeconds: {{ .cooldownSeconds }}
{{- end -}}
