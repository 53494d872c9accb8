import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFixture, createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { ROOT, startTestService, type TestService } from '@postrider/local-stack/testing';
import { type Listening, startHttpReceiver, waitFor } from '@postrider/rig';
import {
  findPrometheus,
  type Prometheus,
  type PrometheusSample,
  startPrometheus,
} from '@postrider/rig/servers';
import { afterAll, beforeAll, describeWith, expect, it } from '@postrider/testing';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels }: { panels: Panel[] } = JSON.parse(
  readFileSync(join(ROOT, 'docker', 'helm', 'postrider', 'files', 'dashboard.json'), 'utf8'),
);
/** Every query, with what Grafana replaces its variable with when Prometheus scrapes each second. */
const QUERIES = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '4s') })),
);

const hasData = (samples: readonly PrometheusSample[]) =>
  samples.some(({ value: [, value] }) => Number.isFinite(Number(value)));

describeWith(
  await findPrometheus(),
  'the dashboard, in a Prometheus that scrapes an API and a worker',
  (root) => {
    const key = randomBytes(32);
    let database: TestDatabase;
    let receiver: Listening;
    let service: TestService;
    let prometheus: Prometheus;
    let token: string;

    beforeAll(async () => {
      database = await createTestDatabase();
      receiver = await startHttpReceiver((_request, response) => void response.writeHead(200).end());
      service = await startTestService({
        databaseUrl: database.url,
        redisUrl: testRedisUrl(),
        worker: true,
        env: { ENCRYPTION_KEYS: `test:${key.toString('base64')}` },
      });
      const targetOf = (url = '') => new URL(url).host;
      prometheus = await startPrometheus(root, {
        'postrider-api': targetOf(service.api.metricsUrl),
        'postrider-worker': targetOf(service.worker?.metricsUrl),
      });
      const channel = { kind: 'webhook' as const, name: 'hook', config: { url: receiver.url } };
      ({ token } = await createFixture(
        database.db,
        { channels: [channel] },
        createSecretBox([{ id: 'test', key }]),
      ));
    });
    afterAll(async () => {
      await prometheus?.stop();
      await service?.stop();
      await receiver?.close();
      await database?.drop();
    });

    const post = async () => {
      const response = await fetch(`${service.url}/api/v1/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({ event_key: 'order.shipped', recipient: {}, payload: {} }),
      });
      await response.arrayBuffer();
    };

    it('has data for every query', async () => {
      expect(QUERIES.length).toBeGreaterThan(20);
      const empty = new Set(QUERIES);
      await waitFor('data for every query', async () => {
        await post();
        for (const query of empty) if (hasData(await prometheus.query(query.expr))) empty.delete(query);
        return empty.size === 0;
      }).catch((error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify([...empty])}`);
      });
    });

    it('has a series for each channel kind where an alert counts, before anything happened', async () => {
      for (const metric of ['lease_reclaims', 'unknown_attempts', 'quarantine_failures']) {
        const samples = await prometheus.query(`postrider_${metric}_total{kind="email"}`);
        expect(samples.map(({ value: [, value] }) => value)).toEqual(['0']);
      }
    });
  },
);
