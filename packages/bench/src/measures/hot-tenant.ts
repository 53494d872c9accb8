import { createIngest, type EventToAccept, openDatabase } from '@postrider/db';
import { testEvent } from '@postrider/db/testing';
import { interleave, row, type Values } from '../report.ts';
import { createTenants, type LoadTenant } from '../stack/tenants.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

/** Batches in flight, as with four API processes. Each has its own connection and, in the floor, its own tenant. */
const WRITERS = 8;
/** Events per batch: from a low rate to the service's largest batch. */
const SIZES = [1, 32, 128];

const lineOf = (size: number) => `one tenant, batches of ${size}`;
/** The names of the lines for the largest and the smallest batches. */
export const HOT_TENANT = lineOf(Math.max(...SIZES));
export const SINGLE_EVENTS = lineOf(Math.min(...SIZES));

function eventOf(tenant: LoadTenant): EventToAccept {
  const channel = { id: tenant.channelId, kind: 'webhook' as const, name: 'hook 0' };
  const payload = { reference: 1, text: 'x'.repeat(250) };
  return testEvent(tenant, { payload, runs: [{ channel, templateVersionId: null, maxAttempts: 5 }] });
}

/** Accepts batches of one size for some tenants during a time; each writer has one batch in flight. */
async function acceptFor(
  databaseUrl: string,
  tenants: readonly LoadTenant[],
  size: number,
  durationMs: number,
): Promise<Values> {
  const db = openDatabase(databaseUrl, { poolSize: WRITERS });
  let batches = 0;
  try {
    const beganAtMs = performance.now();
    const write = async (tenant: LoadTenant) => {
      const ingest = createIngest(db, { maxItems: size, maxInFlight: 1 });
      while (performance.now() - beganAtMs < durationMs) {
        const outcomes = await Promise.all(Array.from({ length: size }, () => ingest(eventOf(tenant))));
        const refused = outcomes.find(({ outcome }) => outcome !== 'accepted');
        if (refused) throw new Error(`an event was not accepted: ${refused.outcome}`);
        batches += 1;
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, index) => tenants[index % tenants.length]);
    await Promise.all(writers.flatMap((tenant) => (tenant ? [write(tenant)] : [])));
    const seconds = (performance.now() - beganAtMs) / 1_000;
    return { events: (batches * size) / seconds, batches: batches / seconds };
  } finally {
    await db.$disconnect();
  }
}

async function measure(
  { extent, say }: MeasureDeps,
  databaseUrl: string,
  tenants: readonly LoadTenant[],
): Promise<Findings> {
  say(`hot-tenant: ${WRITERS} batches in flight`);
  const results = await interleave(
    extent.rounds,
    SIZES.flatMap((size) => [
      () => acceptFor(databaseUrl, tenants, size, extent.roundMs),
      () => acceptFor(databaseUrl, tenants.slice(0, 1), size, extent.roundMs),
    ]),
  );
  return {
    name: 'hot-tenant',
    title: 'Accepting for one tenant, whose usage row every batch updates',
    rows: SIZES.map((size, index) =>
      row({
        what: lineOf(size),
        unit: '/s',
        rounds: results[2 * index + 1] ?? [],
        floor: { what: `${WRITERS} tenants`, rounds: results[2 * index] ?? [] },
      }),
    ),
    goals: [],
    problems: [],
    notes: [
      `The accepting statement without an API: ${WRITERS} batches in flight from one process. A ratio of 1 means that the ` +
        'processors were the limit, not the row.',
    ],
  };
}

/** How fast Postgres accepts for a single tenant, whose usage row is locked from its update to the commit. */
export const hotTenant: Measure = {
  name: 'hot-tenant',
  async run(deps) {
    const { bench } = deps;
    const databaseUrl = await bench.databases.create();
    try {
      const shape = { tenants: WRITERS, webhooks: 1, otherWebhooks: 0, email: false };
      const tenants = await createTenants(databaseUrl, bench.key, shape, bench.addresses);
      return await measure(deps, databaseUrl, tenants);
    } finally {
      await bench.databases.drop(databaseUrl);
    }
  },
};
