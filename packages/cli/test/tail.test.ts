import type { DeliveryRun, Message, Page } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { type Change, type FollowDeps, follow } from '../src/follow.ts';
import { startReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');
const at = (ms: number) => new Date(START + ms).toISOString();

type World = Map<string, { message: Message; runs: DeliveryRun[] }>;

const CHANNEL = { id: 'chn_1', kind: 'webhook', name: 'Shop' } as const;

function aMessage(id: string, ms: number): Message {
  const about = {
    event_key: 'order.shipped',
    recipient: {},
    payload: {},
    schedule_at: null,
    expires_at: null,
    ordering_key: null,
    consumer: null,
    erased_at: null,
    test: false,
    request_id: null,
    trace_id: '0af7651916cd43dd8448eb211c80319c',
  };
  return {
    id,
    message_id: id,
    status: 'pending',
    created_at: at(ms),
    delivery_runs: [],
    has_more_runs: false,
    ...about,
  };
}

function aRun(messageId: string, ms: number, changes: Partial<DeliveryRun> = {}): DeliveryRun {
  return {
    ...{
      id: `run_${messageId}`,
      message_id: messageId,
      channel: CHANNEL,
      status: 'queued',
      trigger: 'event',
      replay: 0,
    },
    ...{ template: null, attempt_count: 0, max_attempts: 8, scheduled_at: null, started_at: null },
    ...{
      completed_at: null,
      next_attempt_at: null,
      held_by: null,
      sequence: null,
      queue: null,
      created_at: at(ms),
    },
    ...{ feedback: null, last_error: null },
    attempts: [],
    ...changes,
  };
}

function anAttempt(run: string, number: number, status: 'failed' | 'succeeded', ms: number) {
  const times = { started_at: at(ms), completed_at: at(ms + 5), duration_ms: 5 };
  const outcome = { error_code: null, error_message: null, retryable: null, response: null };
  return { id: `att_${run}_${number}`, delivery_run_id: run, number, status, ...times, ...outcome };
}

const OUTAGE = new Error('the service is away');

/**
 * Follows a world that the test changes between looks: `steps` are run one after another, one at each pause.
 */
async function followed(
  world: World,
  steps: readonly (() => void)[],
  { since, fails = () => false }: { since?: string; fails?: (messageId: string) => boolean } = {},
): Promise<Change[]> {
  const done = new Error('the steps are done');
  const left = [...steps];
  let now = START;
  const newestFirst = () =>
    [...world.values()]
      .map(({ message }) => message)
      .sort((a, b) => b.created_at.localeCompare(a.created_at));
  const messages: FollowDeps['messages'] = {
    page: async (): Promise<Page<Message>> => ({
      data: newestFirst().slice(0, 1),
      has_more: false,
      next_cursor: null,
    }),
    all: async function* (query) {
      yield* newestFirst().filter(({ created_at }) => created_at >= (query?.created_after ?? ''));
    },
    runs: async function* (id) {
      if (fails(id)) throw OUTAGE;
      yield* structuredClone(world.get(id)?.runs ?? []);
    },
  };
  const pause = async () => {
    now += 1_000;
    const step = left.shift();
    if (!step) throw done;
    step();
  };
  const onFailure = (error: unknown) => {
    if (error !== OUTAGE) throw error;
  };
  const deps: FollowDeps = { messages, call: {}, now: () => now, pause, onFailure };
  const changes: Change[] = [];
  try {
    for await (const change of follow(deps, since)) changes.push(change);
  } catch (error) {
    if (error !== done) throw error;
  }
  return changes;
}

function add(world: World, id: string, ms: number, runs: DeliveryRun[] = [aRun(id, ms)]): void {
  world.set(id, { message: aMessage(id, ms), runs });
}

function finish(world: World, id: string, ms: number): void {
  const [run] = world.get(id)?.runs ?? [];
  if (!run) throw new Error('no such message');
  const attempt = anAttempt(run.id, run.attempts.length + 1, 'succeeded', ms);
  Object.assign(run, {
    status: 'succeeded',
    attempt_count: attempt.number,
    attempts: [...run.attempts, attempt],
  });
}

const summaryOf = (changes: readonly Change[]) =>
  changes.map(({ message_id, status, attempt }) => `${message_id} ${status} ${attempt?.number ?? 0}`);

describe('following deliveries', () => {
  it('reports each run and each ended attempt once, in order', async () => {
    const world: World = new Map();
    const changes = await followed(world, [
      () => add(world, 'a', 1_000),
      () => {
        const run = world.get('a')?.runs[0];
        const attempts = [anAttempt('run_a', 1, 'failed', 1_500)];
        Object.assign(run ?? {}, {
          status: 'retrying',
          attempt_count: 1,
          next_attempt_at: at(3_000),
          attempts,
        });
      },
      () => undefined,
      () => finish(world, 'a', 3_100),
      () => undefined,
    ]);

    expect(summaryOf(changes)).toEqual(['a queued 0', 'a retrying 1', 'a succeeded 2']);
    expect(changes[1]).toMatchObject({
      at: at(1_505),
      next_attempt_at: at(3_000),
      attempt: { status: 'failed' },
    });
  });

  it('reports the result of a run that was read while its last attempt was ending', async () => {
    const world: World = new Map();
    const changes = await followed(world, [
      () => add(world, 'a', 1_000),
      () => {
        finish(world, 'a', 1_500);
        Object.assign(world.get('a')?.runs[0] ?? {}, { status: 'running' });
      },
      () => Object.assign(world.get('a')?.runs[0] ?? {}, { status: 'succeeded' }),
      () => undefined,
    ]);
    expect(summaryOf(changes)).toEqual(['a queued 0', 'a succeeded 1']);
  });

  it('starts with new events by default', async () => {
    const world: World = new Map();
    add(world, 'old', 0);
    const changes = await followed(world, [
      () => finish(world, 'old', 500),
      () => add(world, 'new', 1_000),
      () => undefined,
    ]);

    expect(summaryOf(changes)).toEqual(['new queued 0']);
  });

  it('starts at a given time', async () => {
    const world: World = new Map();
    add(world, 'old', -60_000);
    add(world, 'older', -120_000);

    expect(summaryOf(await followed(world, [], { since: at(-90_000) }))).toEqual(['old queued 0']);
  });

  it('reports a message that becomes visible after a newer one', async () => {
    const world: World = new Map();
    const changes = await followed(world, [
      () => add(world, 'newer', 5_000),
      () => add(world, 'late', 1_000),
      () => undefined,
    ]);

    expect(summaryOf(changes)).toEqual(['newer queued 0', 'late queued 0']);
  });

  it('reports all messages if there are more than one poll reads', async () => {
    const world: World = new Map();
    const ids = Array.from({ length: 70 }, (_, n) => `m${String(n).padStart(2, '0')}`);
    const addAll = () =>
      ids.forEach((id, n) => {
        add(world, id, n);
        finish(world, id, n);
      });
    const changes = await followed(world, [addAll, ...Array(5).fill(() => undefined)]);

    expect(new Set(summaryOf(changes))).toEqual(
      new Set(ids.flatMap((id) => [`${id} queued 0`, `${id} succeeded 1`])),
    );
    expect(changes).toHaveLength(140);
  });

  it('reports the other runs when one read fails, and continues', async () => {
    const world: World = new Map();
    const failing = new Set(['a', 'b']);
    const addAll = () =>
      ['a', 'b', 'c'].forEach((id, n) => {
        add(world, id, n);
      });
    const fails = (id: string) => failing.delete(id);
    const changes = await followed(world, [addAll, ...Array(3).fill(() => undefined)], { fails });

    expect(summaryOf(changes)).toEqual(['c queued 0', 'a queued 0', 'b queued 0']);
  });

  it('does not read a run before it is due, and reports a cancellation within a minute', async () => {
    const world: World = new Map();
    const run = aRun('s', 0, { status: 'scheduled', scheduled_at: at(86_400_000) });
    const cancel = () => {
      const attempt = { ...anAttempt('run_s', 1, 'failed', 30_000), status: 'cancelled' as const };
      Object.assign(run, { status: 'cancelled', attempt_count: 1, attempts: [attempt] });
    };
    const steps = [() => add(world, 's', 0, [run]), cancel, ...Array(60).fill(() => undefined)];

    expect(summaryOf(await followed(world, steps))).toEqual(['s scheduled 0', 's cancelled 1']);
  });
});

describe('postrider tail', () => {
  const service = useService({ worker: true });

  it('prints events as NDJSON as they happen, until Ctrl-C', async () => {
    const receiver = await startReceiver();
    receiver.answers.push(500);
    const retry = { max_attempts: 2, delays_seconds: [0] };
    const { token } = await service.fixture({
      channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url }, retry }],
    });
    const env = { POSTRIDER_TOKEN: token };
    const controller = new AbortController();
    let onLine: (text: string) => void = () => undefined;
    const lines: Record<string, unknown>[] = [];
    const delivered = new Promise<void>((resolve) => {
      onLine = (text) => {
        lines.push(JSON.parse(text));
        if (['succeeded', 'failed'].includes(String(lines.at(-1)?.status))) resolve();
      };
    });
    const args = [
      'tail',
      '--json',
      '--interval-ms',
      '200',
      '--since',
      new Date(Date.now() - 60_000).toISOString(),
    ];
    const ended = service.postrider(args, { env, signal: controller.signal, onOutput: onLine });
    const sent = await service.postrider(['events', 'send', '--event-key', 'order.shipped', '--json'], {
      env,
    });
    // It ends by itself only with an error, which its result shows.
    await Promise.race([delivered, ended]);
    controller.abort();

    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(lines.map(({ message_id }) => message_id)).toEqual(Array(3).fill(sent.json().message_id));
    expect(lines.map(({ attempt }) => attempt)).toEqual([
      null,
      expect.objectContaining({ number: 1, status: 'failed', error_code: 'webhook_http_error' }),
      expect.objectContaining({ number: 2, status: 'succeeded' }),
    ]);
    await receiver.close();
  });
});
