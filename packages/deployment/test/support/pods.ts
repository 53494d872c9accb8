import type { Manifest } from './manifests.ts';

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds: number;
}

/** The fields of a container that the guarantees are about. */
interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly securityContext: object;
  readonly volumeMounts?: readonly object[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: { readonly requests?: object; readonly limits?: object };
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly securityContext: object;
    readonly automountServiceAccountToken: boolean;
    readonly terminationGracePeriodSeconds?: number;
    readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
    readonly volumes?: readonly object[];
    readonly containers: readonly [Container];
  };
}

/** The pod template of a Deployment or a Job. */
export const podsOf = ({ spec }: Manifest): PodTemplate => spec.template as PodTemplate;
