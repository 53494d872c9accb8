import { formatId } from '@postrider/domain';
import { quantile } from '@postrider/rig';
import { createEventBodies } from '../load/event-body.ts';
import { goal, row, type Values } from '../report.ts';
import { withClient } from '../stack/databases.ts';
import { fillWithMessages } from '../stack/fill.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import type { LoadTenant } from '../stack/tenants.ts';
import { SMALL_EVENT } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

/** Stored messages. */
const STORED = { least: 50_000, most: 1_000_000 };
/** One message in this many has another event key, and failed. */
const RARE = 20_000;
const REQUESTS = { least: 40, most: 100 };
const ADMIN_TOKEN = 'bench-admin-token-0123456789abcdef';
const DENSE = 'fields=id,event_key,status,created_at&limit=50';
const GOAL_MS = 200;

/** Changes a few messages, spread over all, to what the filters look for. */
async function scatter({ databaseUrl }: Installation, { environmentId }: LoadTenant): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `UPDATE messages SET event_key = 'order.rare', recipient_email = 'rare@example.com'
        WHERE environment_id = $1 AND id IN (
          SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM messages WHERE environment_id = $1) AS all_of
           WHERE number % $2 = 1)
       RETURNING id`,
      [environmentId, RARE],
    );
    const ids = rows.map(({ id }) => id);
    await client.query(
      `UPDATE delivery_runs SET status = 'failed', last_error_code = 'webhook_timeout'
        WHERE environment_id = $1 AND message_id = ANY($2::uuid[])`,
      [environmentId, ids],
    );
    await client.query('VACUUM ANALYZE');
  });
}

interface Question {
  readonly what: string;
  readonly path: string;
}

/** The console's queries, with filters that match all, few and no messages. */
async function questionsOf(
  ask: (path: string) => Promise<unknown>,
  { environmentId, channelId }: LoadTenant,
): Promise<readonly Question[]> {
  const environment = `/admin/v1/environments/${formatId('env', environmentId)}`;
  const list = (filter: string) => `${environment}/messages?${DENSE}${filter}`;
  const first = (await ask(list(''))) as { next_cursor: string; data: { id: string }[] };
  const [newest] = first.data;
  const day = new Date(Date.now() - 15 * 86_400_000).toISOString();
  const filters = {
    'no filter': '',
    'the second page': `&cursor=${encodeURIComponent(first.next_cursor)}`,
    'before a day': `&created_before=${day}`,
    'status of all': '&status=delivered',
    'status of few': '&status=failed',
    'status of none': '&status=pending',
    'event key of all': '&event_key=order.paid',
    'event key of few': '&event_key=order.rare',
    'event key of none': '&event_key=order.none',
    'recipient of all': '&recipient_email=ada@example.com',
    'recipient of few': '&recipient_email=rare@example.com',
    'recipient of none': '&recipient_email=nobody@example.com',
    'channel of all': `&channel_id=${formatId('chn', channelId)}`,
    'kind of none': '&channel_kind=email',
    'run status of few': '&run_status=failed',
    'error code of few': '&error_code=webhook_timeout',
    'event key of few, status of none': '&event_key=order.rare&status=delivered',
    'recipient of all, error code of few': '&recipient_email=ada@example.com&error_code=webhook_timeout',
  };
  return [
    ...Object.entries(filters).map(([what, filter]) => ({ what: `messages: ${what}`, path: list(filter) })),
    { what: 'one message', path: `${environment}/messages/${newest?.id}?explain=channels` },
    { what: 'its deliveries', path: `${environment}/messages/${newest?.id}/deliveries` },
    { what: 'look up an id', path: `/admin/v1/lookup?q=${newest?.id}` },
    { what: 'look up an address', path: '/admin/v1/lookup?q=ada@example.com' },
    { what: 'figures by hour', path: `${environment}/stats?interval=hour&group_by=event_key` },
    { what: 'what needs attention', path: '/admin/v1/attention' },
  ];
}

async function timesOf(work: () => Promise<unknown>, requests: number): Promise<Values> {
  const times: number[] = [];
  for (let request = 0; request < requests; request += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: Math.max(...times) };
}

async function measure({ extent, say }: MeasureDeps, installation: Installation): Promise<Findings> {
  const [tenant] = installation.tenants;
  const [api] = installation.apis;
  if (!tenant || !api) throw new Error('the installation has no tenant or no API');
  const stored = extent.amount(STORED.least, STORED.most);
  say(`lists: fills a database with ${stored.toLocaleString('en-GB')} messages`);
  const { payload } = JSON.parse(createEventBodies(SMALL_EVENT)(0));
  await fillWithMessages(installation.databaseUrl, tenant, stored, JSON.stringify(payload));
  await scatter(installation, tenant);

  const problems = new Set<string>();
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${api.url}${path}`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const body = await response.text();
    if (!response.ok) problems.add(`${path}: HTTP ${response.status}`);
    return JSON.parse(body);
  };
  const questions = await questionsOf(ask, tenant);
  const requests = extent.amount(REQUESTS.least, REQUESTS.most);
  const rows = [];
  for (const { what, path } of questions) {
    rows.push(row({ what, unit: 'ms', rounds: [await timesOf(() => ask(path), requests)] }));
  }
  const slowest = Math.max(...rows.map(({ values }) => values.p95 ?? Number.NaN));
  return {
    name: 'lists',
    title: `Lists and filters over ${stored.toLocaleString('en-GB')} messages`,
    rows,
    goals: [goal('slowest list or filter, p95, ms', slowest, { atMost: GOAL_MS })],
    problems: [...problems],
    notes: [
      `${requests} requests of each, one after the other; a filter of few matches one message in ${RARE.toLocaleString('en-GB')}.`,
    ],
  };
}

/** How fast the console's lists are with many stored messages. */
export const lists: Measure = {
  name: 'lists',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { workers: 0, adminToken: ADMIN_TOKEN });
    try {
      return await measure(deps, installation);
    } finally {
      await installation.close();
    }
  },
};
