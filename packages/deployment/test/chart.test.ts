import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { describe, expect, it } from '@postrider/testing';
import { parse } from 'yaml';
import { readConfig as readApiConfig } from '../../../apps/api/src/config.ts';
import { readConfig as readWorkerConfig } from '../../../apps/worker/src/config.ts';
import { RENDERINGS } from '../src/chart/render.ts';
import { type Manifest, only, readManifests } from './support/manifests.ts';
import { podsOf } from './support/pods.ts';

/** Seconds from the signal until a process has certainly ended by itself. */
function exitDeadlineOf(app: string): number {
  const main = readFileSync(join(ROOT, 'apps', app, 'src', 'main.ts'), 'utf8');
  return Number(/EXIT_DEADLINE_MS = ([\d_]+);/.exec(main)?.[1]?.replaceAll('_', '')) / 1_000;
}

/** Valid values of the secrets, by variable. */
const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://postgres/postrider',
  DATABASE_DIRECT_URL: 'postgresql://postgres/postrider',
  REDIS_URL: 'redis://redis',
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  ADMIN_TOKEN: randomBytes(32).toString('hex'),
  EGRESS_PROXY_URL: 'http://user:password@proxy.example.com:3128',
};
const APPS = [
  ['api', readApiConfig],
  ['worker', readWorkerConfig],
] as const;

describe.each(RENDERINGS)('the chart rendered to $manifests', ({ manifests: file }) => {
  const manifests = readManifests(file);
  const deployment = (name: string) => podsOf(only(manifests, 'Deployment', `postrider-${name}`));
  const workloads: readonly Manifest[] = [
    ...manifests.filter(({ kind }) => kind === 'Deployment'),
    ...manifests.filter(({ kind }) => kind === 'Job'),
  ];

  it.each(workloads)('runs $kind $metadata.name without unnecessary rights', (workload) => {
    const { spec } = podsOf(workload);
    expect(spec.automountServiceAccountToken).toBe(false);
    expect((spec.volumes ?? []).filter((volume) => !('secret' in volume))).toEqual([]);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each(workloads)('gives $kind $metadata.name requests and a memory limit', (workload) => {
    expect(podsOf(workload).spec.containers[0].resources).toEqual({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });

  it.each(workloads)('gives $kind $metadata.name its secrets only by reference', (workload) => {
    const secrets = podsOf(workload).spec.containers[0].env.filter(
      ({ name }) => /_URL$|_KEYS$|TOKEN$/.test(name) && name !== 'PUBLIC_URL',
    );
    expect(secrets.map(({ name }) => name)).toContain('DATABASE_URL');
    for (const secret of secrets) {
      expect(secret).toEqual({
        name: secret.name,
        valueFrom: { secretKeyRef: expect.objectContaining({ name: 'postrider' }) },
      });
    }
  });

  it.each(APPS)('gives the %s only variables that it reads', (name, readConfig) => {
    const { env } = deployment(name).spec.containers[0];
    const given = Object.fromEntries(
      env.map((variable) => [variable.name, variable.value ?? SECRETS[variable.name]]),
    );
    expect(readConfig(given)).toMatchObject({ ok: true });
  });

  it.each(['api', 'worker'])('kills the %s only after its own deadline', (name) => {
    const { terminationGracePeriodSeconds, containers } = deployment(name).spec;
    const preStop = Number(containers[0].lifecycle?.preStop.exec.command[1]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + exitDeadlineOf(name));
  });

  it.each(['api', 'worker'])('probes liveness and readiness of the %s', (name) => {
    const [{ startupProbe, livenessProbe, readinessProbe }] = deployment(name).spec.containers;
    expect(startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
    // If the database does not respond, the answer takes 2 s and says that the process is not ready.
    expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(2);
  });

  it.each(['api', 'worker'])('spreads the %s over zones and nodes and evicts one at a time', (name) => {
    const keys = deployment(name).spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
    expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    const budget = only(manifests, 'PodDisruptionBudget', `postrider-${name}`).spec;
    expect(budget).toMatchObject(
      file.includes('everything') && name === 'worker' ? { minAvailable: '50%' } : { maxUnavailable: 1 },
    );
    expect('minAvailable' in budget).toBe(!('maxUnavailable' in budget));
  });

  it('selects by each selector exactly the pods of one component', () => {
    const pods = workloads.map((one) => podsOf(one).metadata.labels);
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector];
      if (kind === 'NetworkPolicy') return [(spec.podSelector as { matchLabels: object }).matchLabels];
      if (kind === 'PodDisruptionBudget' || kind === 'Deployment') {
        return [(spec.selector as { matchLabels: object }).matchLabels];
      }
      return [];
    }) as Record<string, string>[];
    expect(selectors).toHaveLength(8);
    for (const selector of selectors) {
      const matched = pods.filter((labels) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value),
      );
      expect(new Set(matched.map((labels) => labels['app.kubernetes.io/component'])).size).toBe(1);
    }
  });

  it('migrates before each release, in a job of its own', () => {
    const { metadata } = only(manifests, 'Job', 'postrider-migrate');
    expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(podsOf(only(manifests, 'Job', 'postrider-migrate')).spec.containers[0]).toMatchObject({
      args: ['migrate'],
    });
  });

  it('lets workers reach the internet but no private address, and the API neither', () => {
    const policy = (name: string) =>
      JSON.stringify(only(manifests, 'NetworkPolicy', `postrider-${name}`).spec);
    const open = /"cidr":"0\.0\.0\.0\/0","except":\[([^\]]*)\]/;
    const except = open.exec(policy('worker'))?.[1]?.replaceAll('"', '').split(',');
    const closed = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'];
    expect(except).toEqual(expect.arrayContaining([...closed, '192.168.0.0/16']));
    expect(policy('api')).not.toMatch(/0\.0\.0\.0\/0|2000::/);
    expect(policy('migrate')).not.toMatch(/0\.0\.0\.0\/0|2000::|6379/);
  });

  it('connects those that need a session without PgBouncer if the secret has the URL', () => {
    const direct = (workload: Manifest) =>
      podsOf(workload).spec.containers[0].env.filter(({ name }) => name === 'DATABASE_DIRECT_URL');
    const migrationHasItsOwn = file.includes('everything');
    const byReference = expect.objectContaining({
      valueFrom: { secretKeyRef: expect.objectContaining({ optional: true }) },
    });
    expect(direct(only(manifests, 'Deployment', 'postrider-api'))).toEqual([byReference]);
    expect(direct(only(manifests, 'Job', 'postrider-migrate'))).toEqual(
      migrationHasItsOwn ? [] : [byReference],
    );
  });
});

describe('the chart with everything', () => {
  const manifests = readManifests(RENDERINGS[1]?.manifests ?? '');

  it.each(['api', 'worker'])('scrapes the %s at its metrics port, which no service exposes', (name) => {
    const [container] = podsOf(only(manifests, 'Deployment', `postrider-${name}`)).spec.containers;
    const { ports, env } = container as unknown as {
      ports: { name: string; containerPort: number }[];
      env: { name: string; value?: string }[];
    };
    const scraped = only(manifests, 'PodMonitor').spec.podMetricsEndpoints as { port: string }[];
    const port = ports.find((one) => one.name === scraped[0]?.port);
    expect(env.find((one) => one.name === 'METRICS_PORT')?.value).toBe(String(port?.containerPort));
    const served = manifests.filter(({ kind }) => kind === 'Service');
    expect(JSON.stringify(served)).not.toContain('metrics');
  });

  it('routes the paths for clients, agents, recipients, mail services, receivers, consumers and the console', () => {
    const { rules } = only(manifests, 'Ingress').spec as {
      rules: { http: { paths: { path: string }[] } }[];
    };
    expect(rules.flatMap(({ http }) => http.paths.map(({ path }) => path))).toEqual([
      '/api/v1',
      '/openapi.json',
      '/docs',
      '/llms.txt',
      '/mcp',
      '/unsubscribe',
      '/feedback',
      '/.well-known/webhooks',
      '/portal',
      '/console',
      '/admin/v1',
    ]);
  });

  it.each([
    ['api', 'PUBLIC_URL', 'https://mail.example.com'],
    ['worker', 'PUBLIC_URL', 'https://mail.example.com'],
    ['api', 'WEBHOOK_HTTPS_ONLY', 'true'],
    ['worker', 'WEBHOOK_HTTPS_ONLY', 'true'],
    ['api', 'CONSOLE', 'on'],
    ['api', 'TRACE_URL_TEMPLATE', 'https://traces.example.com/{trace_id}'],
  ])('gives the %s %s from the values', (name, variable, value) => {
    const { env } = podsOf(only(manifests, 'Deployment', `postrider-${name}`)).spec.containers[0];
    expect(env).toContainEqual({ name: variable, value });
  });

  it('gives only the worker its proxy, by reference, if the secret has one', () => {
    const proxyOf = (name: string) =>
      podsOf(only(manifests, 'Deployment', `postrider-${name}`)).spec.containers[0].env.filter(
        (variable) => variable.name === 'EGRESS_PROXY_URL',
      );
    expect(proxyOf('api')).toEqual([]);
    expect(proxyOf('worker')).toEqual([
      {
        name: 'EGRESS_PROXY_URL',
        valueFrom: { secretKeyRef: { name: 'postrider', key: 'EGRESS_PROXY_URL', optional: true } },
      },
    ]);
  });

  it('does not route external paths to metrics and probes', () => {
    const { rules } = only(manifests, 'Ingress').spec as {
      rules: { http: { paths: { path: string; pathType: string }[] } }[];
    };
    const paths = rules.flatMap(({ http }) => http.paths);
    expect(paths.length).toBeGreaterThan(0);
    for (const internal of ['/metrics', '/healthz', '/readyz']) {
      expect(paths.filter(({ path }) => internal.startsWith(path))).toEqual([]);
    }
  });

  it('leaves the number of replicas to the autoscalers', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ spec }) => spec.replicas)).toEqual([undefined, undefined]);
    const targets = ['HorizontalPodAutoscaler', 'ScaledObject'].map(
      (kind) => (only(manifests, kind).spec.scaleTargetRef as { name: string }).name,
    );
    expect(targets).toEqual(['postrider-api', 'postrider-worker']);
  });

  it.each(['api', 'worker'])(
    'gives the %s additional variables and allows connections to their addresses',
    (name) => {
      const { env } = podsOf(only(manifests, 'Deployment', `postrider-${name}`)).spec.containers[0];
      const endpoint = env.find((variable) => variable.name === 'OTEL_EXPORTER_OTLP_ENDPOINT')?.value;
      const { egress } = only(manifests, 'NetworkPolicy', `postrider-${name}`).spec as {
        egress: { ports: { protocol: string; port: number }[] }[];
      };
      const collector = { protocol: 'TCP', port: Number(new URL(String(endpoint)).port) };
      expect(egress.flatMap(({ ports }) => ports)).toContainEqual(collector);
    },
  );

  it.each(['api', 'worker', 'migrate'])('lets the %s connect to every port of its stores', (name) => {
    const { egress } = only(manifests, 'NetworkPolicy', `postrider-${name}`).spec as {
      egress: { ports: { port: number }[] }[];
    };
    const reached = egress.map(({ ports }) => ports.map(({ port }) => port));
    expect(reached).toContainEqual([6432, 5432]);
    const redis = reached.filter((ports) => ports.includes(6379));
    expect(redis).toEqual(name === 'migrate' ? [] : [[26379, 6379]]);
  });

  it('mounts additional volumes into every pod', () => {
    const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(podsOf);
    expect(pods).toHaveLength(4);
    for (const { spec } of pods) {
      expect(spec.volumes).toEqual([{ name: 'authority', secret: { secretName: 'postgres-authority' } }]);
      expect(spec.containers[0].volumeMounts).toEqual([
        { name: 'authority', mountPath: '/etc/postrider/authority', readOnly: true },
      ]);
    }
  });

  it('names images by the tag in its own words', () => {
    const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(podsOf);
    const images = pods.map(({ spec }) => spec.containers[0].image);
    expect(new Set(images)).toEqual(
      new Set(['api', 'worker', 'cli'].map((name) => `registry.example.com/team/postrider-${name}:1.10`)),
    );
  });

  it('finishes the migration after the upgrade, in a job of its own', () => {
    const job = only(manifests, 'Job', 'postrider-migrate-finish');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('post-upgrade');
    expect(podsOf(job).spec.containers[0]).toMatchObject({ args: ['migrate', '--finish'] });
  });

  it('brings the alerts and the dashboard unchanged', () => {
    const fileOf = (name: string) =>
      readFileSync(join(ROOT, 'docker', 'helm', 'postrider', 'files', name), 'utf8');
    expect(only(manifests, 'PrometheusRule').spec).toEqual(parse(fileOf('alerts.yml')));
    const { data } = only(manifests, 'ConfigMap') as unknown as { data: Record<string, string> };
    expect(JSON.parse(data['postrider.json'] ?? '')).toEqual(JSON.parse(fileOf('dashboard.json')));
  });

  it('scales the workers by due runs', () => {
    const { triggers } = only(manifests, 'ScaledObject').spec as {
      triggers: { type: string; metadata: { query: string } }[];
    };
    expect(triggers.map(({ type, metadata }) => [type, metadata.query])).toEqual([
      ['prometheus', 'sum(max by (kind) (postrider_backlog_due_runs))'],
      ['prometheus', 'max(postrider_backlog_age_seconds)'],
    ]);
  });
});
