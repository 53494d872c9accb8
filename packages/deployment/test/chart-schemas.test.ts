import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@postrider/testing';
import { RENDERINGS, sourceLine } from '../src/chart/render.ts';
import { schemaIssues } from './support/kubernetes-schemas.ts';
import { type Manifest, only, readManifests } from './support/manifests.ts';

describe.each(RENDERINGS)('the manifests $manifests', (rendering) => {
  const manifests = readManifests(rendering.manifests);

  it('match the chart (npm run render:chart renders them again)', () => {
    expect(readFileSync(rendering.manifests, 'utf8').split('\n')[0]).toBe(sourceLine(rendering));
  });

  it('match the schemas of Kubernetes, without unknown fields', () => {
    const issues = manifests.flatMap((one) => schemaIssues(one).map((issue) => `${one.kind}: ${issue}`));
    expect(issues).toEqual([]);
  });

  it('have unique names', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('the manifests with everything contain every kind that the chart can create', () => {
  const everything = RENDERINGS.find(({ manifests }) => basename(manifests) === 'everything.yaml');
  const kinds = readManifests(everything?.manifests ?? '').map(({ kind }) => kind);
  expect([...new Set(kinds)].sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodMonitor',
    'PrometheusRule',
    'ScaledObject',
    'Service',
  ]);
});

describe('the check against the schemas', () => {
  const deployment = (): Manifest =>
    structuredClone(only(readManifests(RENDERINGS[0]?.manifests ?? ''), 'Deployment', 'postrider-api'));

  it.each([
    [
      'a field of the wrong type',
      (spec: Record<string, unknown>) => Object.assign(spec, { replicas: 'two' }),
    ],
    ['a field that is missing', (spec: Record<string, unknown>) => delete spec.selector],
    ['a field that is misspelt', (spec: Record<string, unknown>) => Object.assign(spec, { replica: 2 })],
    [
      'a field that is misspelt deep down',
      ({ template }: Record<string, unknown>) =>
        Object.assign((template as { spec: object }).spec, { terminationGracePeriod: 30 }),
    ],
  ])('finds %s', (_name, plant) => {
    const planted = deployment();
    plant(planted.spec);
    expect(schemaIssues(planted)).toHaveLength(1);
  });

  it('finds an unknown kind', () => {
    expect(schemaIssues({ ...deployment(), apiVersion: 'apps/v1beta1' })).toHaveLength(1);
  });
});
