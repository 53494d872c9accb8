import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APP_ROLES } from '@postrider/db';
import { createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { ROOT } from '@postrider/local-stack/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';

const NAME = /\b(?:postrider|nodejs|process)_[a-z0-9_]+/g;
/** The suffixes that Prometheus adds to a histogram's name. */
const HISTOGRAM_SUFFIXES = ['_bucket', '_sum', '_count'];

let database: TestDatabase;
const children: ChildProcess[] = [];
/** The names on the metrics pages of an API and a worker. */
const names = new Set<string>();
/** The service's own counters that have no sample on a page of a process that has done nothing. */
const missing = new Set<string>();

/** The metrics port in the log line that says that the process listens. Reads and drops the rest of the output. */
function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const port = /"metrics_port":(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.once('exit', () => reject(new Error(`no port: ${output}`)));
  });
}

async function readPage(app: string): Promise<string> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'apps', app, 'dist', 'bundle', 'main.js')], {
    env: {
      PATH,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      PORT: '0',
      WORKER_PORT: '0',
      METRICS_PORT: '0',
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const response = await fetch(`http://127.0.0.1:${await portOf(child)}/metrics`);
  return response.text();
}

beforeAll(async () => {
  database = await createTestDatabase();
  for (const app of ['api', 'worker']) {
    for (const { name, type, metrics } of parsePrometheusTextFormat(await readPage(app))) {
      names.add(name);
      if (type === 'COUNTER' && name.startsWith('postrider_') && metrics.length === 0) missing.add(name);
      if (type === 'HISTOGRAM') for (const suffix of HISTOGRAM_SUFFIXES) names.add(`${name}${suffix}`);
    }
  }
});
afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }),
  );
  await database.drop();
});

describe('the names of metrics', () => {
  it.each([
    'docker/helm/postrider/files/alerts.yml',
    'docker/helm/postrider/files/dashboard.json',
    'docker/helm/postrider/values.yaml',
    'docs/runbook.md',
  ])('in %s are those of an API and a worker', (file) => {
    const named = new Set(readFileSync(join(ROOT, file), 'utf8').match(NAME));
    expect(named.size).toBeGreaterThan(0);
    const roles: readonly string[] = APP_ROLES;
    expect([...named].filter((name) => !names.has(name) && !roles.includes(name))).toEqual([]);
  });

  it('are all in the runbook', () => {
    const named = new Set(readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8').match(NAME));
    const isOwn = (name: string) => name.startsWith('postrider_') && !/_(bucket|sum|count)$/.test(name);
    expect([...names].filter((name) => isOwn(name) && !named.has(name))).toEqual([]);
  });
});

it('counters start at 0, so that an alert notices their first increment', () => {
  expect([...names]).toContain('postrider_late_channels_total');
  expect([...missing]).toEqual([]);
});
