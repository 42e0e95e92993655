{{/* Rules of network policies. Each is an item of a list. */}}

{{- define "kinora.toDns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dnsTo | nindent 4 }}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
{{- end -}}

{{- define "kinora.toController" -}}
- to:
    - podSelector:
        matchLabels:
          {{- include "kinora.selectorLabels" (dict "root" . "component" "controller") | nindent 10 }}
  ports:
    - {protocol: TCP, port: 7070}
{{- end -}}

{{- define "kinora.toDatabase" -}}
{{- with .Values.networkPolicy.database -}}
- ports:
    {{- range .ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* Peers: every public address. */}}
{{- define "kinora.publicPeers" -}}
{{- with .Values.networkPolicy.privateRanges -}}
- ipBlock:
    cidr: 0.0.0.0/0
    {{- with .ipv4 }}
    except:
      {{- toYaml . | nindent 6 }}
    {{- end }}
- ipBlock:
    cidr: ::/0
    {{- with .ipv6 }}
    except:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end -}}
{{- end -}}

{{- define "kinora.toStore" -}}
{{- if not .Values.store.volume.enabled }}
- to:
    {{- if .Values.networkPolicy.store.to }}
    {{- toYaml .Values.networkPolicy.store.to | nindent 4 }}
    {{- else }}
    {{- include "kinora.publicPeers" . | nindent 4 }}
    {{- end }}
  ports:
    {{- range .Values.networkPolicy.store.ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- end }}
{{- end -}}

{{- define "kinora.toInternet" -}}
- to:
    {{- include "kinora.publicPeers" . | nindent 4 }}
  ports:
    - {protocol: TCP, port: 80}
    - {protocol: TCP, port: 443}
{{- end -}}

{{/* dict "root" "port" */}}
{{- define "kinora.fromMonitoring" -}}
{{- with .root.Values.networkPolicy.monitoringFrom -}}
- from:
    {{- toYaml . | nindent 4 }}
  ports:
    - {protocol: TCP, port: {{ $.port }}}
{{- end -}}
{{- end -}}
