{{/* What the pods of all roles have in common. */}}

{{/* Labels and annotations of a pod: dict "root" "component" "config", and "labels" to add. What a pod keeps on its machine may be lost. */}}
{{- define "kinora.podMetadata" -}}
labels:
  {{- include "kinora.selectorLabels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with .config.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  cluster-autoscaler.kubernetes.io/safe-to-evict: "true"
  {{- with .config.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Who a pod is and what it may do: dict "root" "account", and "groups" to be in. The user is the image's. */}}
{{- define "kinora.podIdentity" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  {{- with .groups }}
  supplementalGroups:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "kinora.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Where a pod may run. */}}
{{- define "kinora.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Replicas of a role on different machines and in different zones, as far as possible: dict "root" "component". */}}
{{- define "kinora.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "kinora.selectorLabels" $ | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* An endpoint is taken off the list while the pod still answers. */}}
{{- define "kinora.leaveSlowly" -}}
preStop:
  exec:
    command: [/bin/sleep, "5"]
{{- end -}}
