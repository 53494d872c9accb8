{{- define "postrider.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What a selector may name: it never changes. Takes a list of the root and the component. */}}
{{- define "postrider.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "postrider.labels" -}}
{{- $root := index . 0 -}}
{{ include "postrider.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end -}}

{{- define "postrider.image" -}}
{{- $root := index . 0 -}}
{{- $name := index $root.Values.image.names (index . 1) -}}
{{- $path := ternary $name (printf "%s/%s" $root.Values.image.registry $name) (empty $root.Values.image.registry) -}}
{{- printf "%s:%s" $path (toString ($root.Values.image.tag | default $root.Chart.AppVersion)) -}}
{{- end -}}

{{/* One variable out of the secret. Takes a list of the root, the variable and its key. */}}
{{- define "postrider.secretEnv" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ (index . 0).Values.secret.name }}
      key: {{ index . 2 }}
{{- end -}}

{{/* A variable whose key the secret may lack. Takes the same. */}}
{{- define "postrider.optionalSecretEnv" -}}
{{ include "postrider.secretEnv" . }}
      optional: true
{{- end -}}

{{/* What both apps read of their environment. */}}
{{- define "postrider.appEnv" -}}
{{ include "postrider.secretEnv" (list . "REDIS_URL" .Values.secret.keys.redisUrl) }}
{{ include "postrider.secretEnv" (list . "ENCRYPTION_KEYS" .Values.secret.keys.encryptionKeys) }}
- name: LOG_LEVEL
  value: {{ .Values.logLevel | quote }}
- name: WEBHOOK_HTTPS_ONLY
  value: {{ .Values.webhookHttpsOnly | quote }}
{{- with .Values.publicUrl }}
- name: PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
What the pods of both apps have in common. Takes a list of the root, the component, its values, and the seconds within
which the process ends by itself after it is told to.
*/}}
{{- define "postrider.podSettings" -}}
{{- $root := index . 0 -}}
{{- $values := index . 2 -}}
{{- $end := index . 3 -}}
{{- if le (int $values.terminationGracePeriodSeconds) (int $end) -}}
{{- fail (printf "%s.terminationGracePeriodSeconds must be longer than %d: the process would be killed while it ends" (index . 1) (int $end)) -}}
{{- end -}}
# Nothing here talks to Kubernetes.
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "postrider.selector" (list $root (index $ 1)) | nindent 8 }}
  {{- end }}
{{- with $root.Values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
A process that does not answer is started anew; one that cannot work is left out of the service. /readyz answers within
2 s by itself, also when the database is silent. Clients do not reach the port of the metrics: if they use up the
connections of the API, its pods are still alive.
*/}}
{{- define "postrider.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /readyz, port: metrics }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}
