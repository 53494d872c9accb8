import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import type { Manifest } from './manifests.ts';

/** An object whose `validate` throws the schema's issues with it. */
type Model = Record<string, unknown> & { validate(): void };

const GROUPS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'keda.sh/v1alpha1': keda,
  'monitoring.coreos.com/v1': monitoring,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

const TOP = ['apiVersion', 'kind', 'metadata', 'spec', 'data'];

/** A proxy of the value that adds the path of every field that is read to `read`. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (value === null || typeof value !== 'object') return value;
  return new Proxy(value, {
    get(target, key) {
      const below = `${path}/${String(key)}`;
      read.add(below);
      return watched(Reflect.get(target, key), below, read);
    },
  });
}

function pathsOf(value: unknown, path: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${path}/${key}`,
    ...pathsOf(inner, `${path}/${key}`),
  ]);
}

/**
 * The issues that Kubernetes would report for an object: violations of the schema of its kind, and unknown fields. The
 * schemas accept unknown fields, but a validator reads every field that its schema knows, so a field that it did not
 * read is unknown.
 */
export function schemaIssues(manifest: Manifest): string[] {
  const Kind = Reflect.get(GROUPS[manifest.apiVersion] ?? {}, manifest.kind) as (new () => Model) | undefined;
  if (!Kind) return [`there is no schema for ${manifest.apiVersion} ${manifest.kind}`];
  const model = new Kind();
  const read = new Set<string>();
  for (const [key, value] of Object.entries(manifest)) model[key] = watched(value, `/${key}`, read);
  const issues: string[] = [];
  try {
    model.validate();
  } catch (error) {
    issues.push(String(error));
  }
  const unknown = Object.entries(manifest).flatMap(([key, value]) =>
    TOP.includes(key) ? pathsOf(value, `/${key}`).filter((path) => !read.has(path)) : [`/${key}`],
  );
  return [...issues, ...unknown.map((path) => `${path} is unknown`)];
}
