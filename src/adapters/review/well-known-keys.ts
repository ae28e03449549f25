// Keys that many configurations have: Kubernetes, Compose, GitHub workflows, values of charts. A new key that only looks like
// one of them is a typing error or a deception.

export const WELL_KNOWN_KEYS: readonly string[] = `
  apiVersion kind metadata name namespace labels annotations spec template containers initContainers image imagePullPolicy
  imagePullSecrets command args env envFrom valueFrom value ports port containerPort targetPort nodePort hostPort protocol resources
  limits requests memory volumeMounts mountPath subPath volumes configMap configMapRef secretRef secretName secretKeyRef emptyDir hostPath
  persistentVolumeClaim claimName serviceAccountName serviceAccount securityContext runAsUser runAsGroup runAsNonRoot fsGroup privileged
  allowPrivilegeEscalation readOnlyRootFilesystem capabilities livenessProbe readinessProbe startupProbe httpGet tcpSocket
  initialDelaySeconds periodSeconds timeoutSeconds failureThreshold replicas replicaCount minReplicas maxReplicas selector matchLabels
  strategy rollingUpdate maxSurge maxUnavailable nodeSelector tolerations affinity priorityClassName restartPolicy clusterIP externalIPs
  hostNetwork rules hosts host paths path pathType backend service services verbs subjects roleRef automountServiceAccountToken
  ingress egress enabled disabled repository pullPolicy storageClass accessModes build depends_on environment networks restart
  healthcheck working_dir entrypoint cap_add network_mode jobs steps uses with permissions runs-on timeout-minutes
  continue-on-error concurrency matrix schedule branches timeout retries interval version username password database user admin debug
  logging level
`
  .trim()
  .split(/\s+/u);
