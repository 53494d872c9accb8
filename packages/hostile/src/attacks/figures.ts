import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { isFitting } from '../target/post-event.ts';

/** Stored rows of an hour, and hours for each statement that adds them: short enough not to be noticed. */
const ROWS_OF_HOUR = 1_920;
const HOURS_AT_ONCE = 10;
const AT_ONCE = 40;
const DEADLINE_MS = 30_000;

const PATHS = [
  '/api/v1/stats',
  '/api/v1/stats?group_by=event_key',
  '/api/v1/usage/current',
  '/api/v1/messages?limit=100&status=failed',
  '/api/v1/messages?limit=100&recipient_email=nobody%40example.com',
];

const filled = new WeakSet<object>();

/** Adds figures of the attacker's environment for the last hours, once for each target. */
async function fill({ target, amount }: AttackContext): Promise<void> {
  if (filled.has(target)) return;
  const hours = amount(50, 1_500);
  for (let hour = 0; hour < hours; hour += HOURS_AT_ONCE) {
    await target.db.$executeRaw`
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket,
                         accepted, delivered, failed, attempts)
      SELECT ${target.attacker.environmentId}::uuid, 3600, date_trunc('hour', now()) - make_interval(hours => hour),
             ${target.attacker.channels[0]?.id}::uuid, 'key.' || i % 160, '', i / 160, 1, 1, 0, 1
        FROM generate_series(${hour}::int, ${hour + HOURS_AT_ONCE - 1}::int) AS hour
       CROSS JOIN generate_series(0, ${ROWS_OF_HOUR - 1}::int) AS i
      ON CONFLICT DO NOTHING`;
  }
  filled.add(target);
}

/** The status of a GET on a connection of its own, which is closed; null without a response. */
async function statusOf(url: string, token: string): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const response = await fetch(url, { headers, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

async function readFigures(context: AttackContext): Promise<Outcome> {
  await fill(context);
  const { target, amount } = context;
  const { url } = target.api;
  const from = new Date(Date.now() - 1_490 * 3_600_000).toISOString();
  const paths = [...PATHS, `/api/v1/stats?from=${from}`, `/api/v1/stats?from=${from}&group_by=channel`];
  const figures: Record<string, number> = {};
  const violations: string[] = [];
  let left = amount(120, 1_200);

  async function attack(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const path = paths[left % paths.length] ?? '';
      const status = await statusOf(`${url}${path}`, target.attacker.token);
      figures[`status_${status}`] = (figures[`status_${status}`] ?? 0) + 1;
      if (!isFitting(status)) violations.push(`${path} got ${status}`);
    }
  }

  async function operate(): Promise<void> {
    do {
      const status = await statusOf(`${url}/admin/v1/attention`, target.adminToken);
      if (status !== 200) violations.push(`an operator's read got ${status}`);
    } while (left > 0);
  }

  await Promise.all([...Array.from({ length: AT_ONCE }, attack), operate()]);
  return { figures, violations: [...new Set(violations)] };
}

/** The last attack, because its rows stay. */
export const FIGURES: Attack = { name: 'figures, usage and searches of one tenant', run: readFigures };
