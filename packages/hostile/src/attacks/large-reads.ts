import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { formatId } from '@postrider/domain';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { askAtOnce } from '../target/crowd.ts';
import { startPeer } from '../target/peer.ts';
import { postEvent } from '../target/post-event.ts';
import { eventOf } from './deliveries.ts';

/** A payload of 240 KB: as a tree of objects it takes some thirty times as much. */
const EMPTY_OBJECTS = { list: Array.from({ length: 80_000 }, () => ({})) };
/** 250 KB that PostgreSQL writes as 625 KB: as many zeros as a body may have, and the longest other text. */
const LONG_NUMBERS = `{"list":[${Array.from({ length: 850 }, () => '1e308').join()}${',1'.repeat(120_000)}]}`;
/** A time at which some of the requests have been read, and none has been answered in full. */
const HANG_UP_AFTER_MS = 50;
const DELIVERY_DEADLINE_MS = 30_000;
const POLL_MS = 100;

interface Stored {
  readonly token: string;
  readonly environmentId: string;
  readonly messageId: string;
  readonly runId: string;
}

/** Answers each request with 204 and hangs up. */
function answerAll(socket: Socket): void {
  socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'));
}

/**
 * Stores and delivers one message, in an environment whose channel has a filter, so that a replay needs its payload.
 */
async function store({ target }: AttackContext, payload: string, port: number): Promise<Stored> {
  const config = { url: `http://127.0.0.1:${port}/` };
  const filter = { payload: { list: { $exist: true } } };
  const { environmentId, token } = await target.addEnvironment({
    channels: [{ kind: 'webhook', name: 'hook', config, filter }],
  });
  const event = eventOf('large.message').replace('"payload":{}', `"payload":${payload}`);
  const { status, text } = await postEvent(target, token, event);
  if (status !== 201) throw new Error(`a large message was answered ${status}: ${text.slice(0, 300)}`);
  const { message_id: messageId, delivery_runs: runs } = JSON.parse(text);
  const giveUpAt = performance.now() + DELIVERY_DEADLINE_MS;
  const delivered = () => target.db.deliveryRun.count({ where: { environmentId, status: 'succeeded' } });
  while ((await delivered()) === 0) {
    if (performance.now() > giveUpAt) throw new Error('the large message was not delivered');
    await wait(POLL_MS);
  }
  return { token, environmentId, messageId, runId: runs[0].id };
}

interface Read {
  readonly path: string;
  readonly method?: 'POST';
  readonly token: string;
}

function readsOf({ target }: AttackContext, { token, environmentId, messageId, runId }: Stored): Read[] {
  const message = `/api/v1/messages/${messageId}`;
  const ofOperator = `/admin/v1/environments/${formatId('env', environmentId)}/messages`;
  return [
    { path: message, token },
    { path: `${message}?explain=channels`, token },
    { path: `${message}/deliveries`, token },
    { path: '/api/v1/messages?limit=100', token },
    { path: `${message}/replay`, method: 'POST', token },
    { path: `/api/v1/delivery-runs/${runId}/content`, token },
    { path: `${ofOperator}/${messageId}`, token: target.adminToken },
    { path: `${ofOperator}?limit=100`, token: target.adminToken },
  ];
}

/** Sends each read many times at once, one kind after the other. */
async function readAll(
  context: AttackContext,
  payload: string,
  crowd: { readonly count: number; readonly hangUpAfterMs?: number },
): Promise<Outcome> {
  const receiver = await startPeer(answerAll);
  try {
    return await askFor(context, crowd, readsOf(context, await store(context, payload, receiver.port)));
  } finally {
    await receiver.close();
  }
}

async function askFor(
  { target }: AttackContext,
  crowd: { readonly count: number; readonly hangUpAfterMs?: number },
  reads: readonly Read[],
): Promise<Outcome> {
  const figures: Record<string, number> = { kinds: reads.length, at_once: crowd.count, received_bytes: 0 };
  const violations: string[] = [];
  const add = (name: string, more: number) => {
    figures[name] = (figures[name] ?? 0) + more;
  };
  for (const read of reads) {
    const { statuses, bytes, unfit } = await askAtOnce({ url: target.api.url, ...read, ...crowd });
    violations.push(...unfit);
    add('received_bytes', bytes);
    for (const [status, times] of Object.entries(statuses)) add(`status_${status}`, times);
  }
  return { figures, violations };
}

export const LARGE_READS: readonly Attack[] = [
  {
    name: 'reads of large messages',
    run: (context) => readAll(context, JSON.stringify(EMPTY_OBJECTS), { count: context.amount(100, 600) }),
  },
  {
    name: 'reads of messages with long numbers',
    run: (context) => readAll(context, LONG_NUMBERS, { count: context.amount(20, 100) }),
  },
  {
    name: 'reads of large messages whose clients hang up',
    run: (context) =>
      readAll(context, JSON.stringify(EMPTY_OBJECTS), {
        count: context.amount(100, 600),
        hangUpAfterMs: HANG_UP_AFTER_MS,
      }),
  },
];
