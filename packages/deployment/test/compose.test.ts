import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { describe, expect, it } from '@postrider/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { readConfig as readApiConfig } from '../../../apps/api/src/config.ts';
import { readConfig as readWorkerConfig } from '../../../apps/worker/src/config.ts';

const APPS = [
  ['api', readApiConfig],
  ['worker', readWorkerConfig],
] as const;

interface Service {
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly [key: string]: unknown;
}

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'schemas', 'compose-spec.json'), 'utf8'));
// Only Compose's own formats, and the https form of the draft's name, are ignored.
const { $schema, ...draft2020 } = schema;
const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(draft2020);

const read = (file: string): { services: Record<string, Service> } =>
  parse(readFileSync(join(ROOT, 'docker', file), 'utf8'), { merge: true });

describe.each(['compose.yml', 'compose.test.yml'])('docker/%s', (file) => {
  it('matches the schema of the Compose Specification', () => {
    validate(read(file));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('waits for existing services with health checks', () => {
    const { services } = read(file);
    for (const { depends_on = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(Object.keys(services)).toContain(name);
        if (condition === 'service_healthy') expect(services[name]).toHaveProperty('healthcheck');
      }
    }
  });
});

it('the schema refuses a misspelt field', () => {
  expect(validate({ services: { api: { imagee: 'postrider-api' } } })).toBe(false);
});

describe('the whole service in docker/compose.yml', () => {
  const { services } = read('compose.yml');

  it.each(['api', 'worker'])('starts the %s only after successful migrations', (name) => {
    expect(services[name]?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(services.migrate?.restart).toBe('no');
  });

  it.each(['api', 'worker', 'migrate', 'postrider'])('runs %s read-only and without capabilities', (name) => {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('lets the worker reach no private address but the mail catcher', () => {
    expect(services.mailpit?.networks).toEqual({ mail: { ipv4_address: '172.31.251.2' } });
    for (const service of [services.worker, services.api]) {
      expect(service?.environment).toMatchObject({ EGRESS_ALLOW_CIDRS: '172.31.251.2/32' });
    }
  });

  it('gives each app only variables that it reads', () => {
    for (const [name, readConfig] of APPS) {
      const read = new Set<string>();
      readConfig(
        new Proxy<Record<string, string | undefined>>(
          {},
          {
            get: (_target, variable) => {
              read.add(String(variable));
              return undefined;
            },
          },
        ),
      );
      const given = Object.keys(services[name]?.environment ?? {});
      expect(given).toEqual(expect.arrayContaining(['PUBLIC_URL', 'WEBHOOK_HTTPS_ONLY']));
      expect(given.filter((variable) => !read.has(variable))).toEqual([]);
    }
  });

  it('keeps the network of the stores internal', () => {
    expect(parse(readFileSync(join(ROOT, 'docker', 'compose.yml'), 'utf8'), { merge: true })).toMatchObject({
      networks: { inside: { internal: true } },
      services: { postgres: { networks: ['inside'] }, redis: { networks: ['inside'] } },
    });
  });
});
