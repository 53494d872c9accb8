import { PostriderApiError } from '@postrider/client';
import { explain, reasonBelow } from '../failure.ts';
import { fetchJson, type Session } from '../session.ts';
import { type Check, result } from './check.ts';

/** In seconds. A Date header has whole seconds, and the request takes time, too. */
const SKEW = { warning: 5, failed: 150 };

interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** How many seconds the service's clock is ahead of this one; null if it does not report its time. */
  readonly ahead: number | null;
}

async function get(session: Session, path: string): Promise<Answer> {
  const startedAt = Date.now();
  const { response, body } = await fetchJson(session, path, { timeoutMs: 10_000 });
  const date = Date.parse(response.headers.get('date') ?? '');
  const here = (startedAt + Date.now()) / 2;
  // Half a second is what a Date header has lost on average.
  return { status: response.status, body, ahead: Number.isNaN(date) ? null : (date + 500 - here) / 1_000 };
}

function checkClock(ahead: number | null): Check {
  if (ahead === null) return result('Clock', 'skipped', 'The service does not report its time.');
  const off = Math.abs(ahead);
  const detail = `This machine is ${off.toFixed(1)} s ${ahead > 0 ? 'behind' : 'ahead of'} the service.`;
  if (off >= SKEW.failed)
    return result('Clock', 'failed', `${detail} Receivers refuse signatures whose time is minutes off.`);
  return result('Clock', off >= SKEW.warning ? 'warning' : 'ok', detail);
}

/** A line for each store that `/readyz` names. */
function checkStores({ status, body }: Answer): Check[] {
  const { checks } = (body ?? {}) as { checks?: Readonly<Record<string, unknown>> };
  if (!checks) return [result('Ready', 'failed', `/readyz answered ${status}, without its checks.`)];
  const stores = Object.entries(checks).map(([name, state]) => {
    const text = typeof state === 'object' ? JSON.stringify(state) : String(state);
    const isOk = /^(ok|ready|up|connected|true)$/i.test(text);
    // The service continues without Redis.
    return result(`Store ${name}`, isOk ? 'ok' : name === 'redis' ? 'warning' : 'failed', text);
  });
  const ready = status === 200 ? 'The service accepts events.' : `/readyz answered ${status}.`;
  return [result('Ready', status === 200 ? 'ok' : 'failed', ready), ...stores];
}

/** Checks whether the API answers, then its version, stores and clock. Without an answer the other checks are left out. */
export async function checkService(
  session: Session,
  version: string,
): Promise<{ checks: Check[]; isReachable: boolean }> {
  const own = result('Command line', 'ok', `postrider ${version} on Node.js ${process.version}`);
  let health: Answer;
  try {
    health = await get(session, 'healthz');
  } catch (error) {
    session.io.signal.throwIfAborted();
    const why = reasonBelow(error) ?? (error as Error).message;
    const detail = `${session.url} does not respond (${why}): is the service running, and is this its address?`;
    return { checks: [own, result('API', 'failed', detail)], isReachable: false };
  }
  const { body } = await get(session, 'openapi.json');
  const { info } = (body ?? {}) as { info?: { title?: string; version?: string } };
  const isOurs = health.status === 200 && info?.title === 'Postrider';
  const detail = isOurs
    ? `${session.url}, interface ${info?.version}`
    : `${session.url} is not a Postrider API (${health.status}).`;
  if (!isOurs) return { checks: [own, result('API', 'failed', detail)], isReachable: false };
  return {
    checks: [
      own,
      result('API', 'ok', detail),
      ...checkStores(await get(session, 'readyz')),
      checkClock(health.ahead),
    ],
    isReachable: true,
  };
}

/** Calls with a token, and says whether the service accepts it. */
export async function checkToken(
  session: Session,
  check: string,
  call: () => Promise<unknown>,
): Promise<Check> {
  try {
    await call();
    return result(check, 'ok', 'The service accepts it.');
  } catch (error) {
    // It is valid, and has fewer scopes than the call needs.
    if (error instanceof PostriderApiError && error.status === 403)
      return result(check, 'ok', 'The service accepts it.');
    const failure = explain(error, () => session.url);
    if (failure === null) throw error;
    // Wrong usage: there is no token.
    return result(check, failure.error.code === 'usage' ? 'skipped' : 'failed', failure.error.message);
  }
}

const KEYS = 'Encryption keys';

/** Checks whether the service has the keys of all stored secrets: without one, the deliveries of its channels fail. */
export async function checkKeys(session: Session): Promise<Check> {
  try {
    const { keys } = await session.admin().secrets.keys(session.call);
    const lost = keys.filter(({ status, channels }) => status === 'missing' || channels.length > 0);
    if (lost.length === 0) return result(KEYS, 'ok', 'The service can decrypt all stored secrets.');
    const counts = lost.map(({ key_id, secrets, status, channels }) =>
      status === 'missing'
        ? `${secrets} under ${key_id}`
        : `those of ${channels.length} channels under ${key_id}, which is another key now`,
    );
    const advice =
      'restore them in ENCRYPTION_KEYS of API and workers, or rotate the secrets that `postrider secrets keys` lists.';
    return result(
      KEYS,
      'failed',
      `The service lacks keys of stored secrets (${counts.join(', ')}): ${advice}`,
    );
  } catch (error) {
    if (!(error instanceof PostriderApiError && error.status === 403)) throw error;
    return result(KEYS, 'skipped', 'The token may not read encryption keys.');
  }
}
