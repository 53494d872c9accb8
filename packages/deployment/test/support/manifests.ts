import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object in a file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The objects in a file, in its order. Throws if the file is not YAML or repeats a key. */
export function readManifests(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => {
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as Manifest | null;
    return object ? [object] : [];
  });
}

/** The only object of a kind, or the only one with this kind and name. */
export function only(manifests: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = manifests.filter((one) => one.kind === kind && (!name || one.metadata.name === name));
  const [manifest] = found;
  if (!manifest || found.length > 1) throw new Error(`${found.length} objects are a ${kind} ${name ?? ''}`);
  return manifest;
}
