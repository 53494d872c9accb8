import { hostname, userInfo } from 'node:os';
import { type ChannelInput, type DeliveryToPost, PostriderApiError } from '@postrider/client';
import {
  createWebhookSecret,
  isWebhookSecret,
  LISTENER_ANSWER_LIMITS,
  MAX_IN_FLIGHT_OF_LISTENER,
} from '@postrider/domain';
import type { SessionCommand } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { explain, reasonBelow } from '../failure.ts';
import type { Style } from '../output/style.ts';
import { time } from '../output/text.ts';
import { untilAvailable } from '../poll.ts';
import { isSameAddress, writeProfile } from '../profiles.ts';
import type { Session } from '../session.ts';

/** How long the removal of the channel may take after Ctrl-C. */
const REMOVAL_MS = 5_000;

interface ListenOptions {
  readonly forwardTo: string;
  readonly eventTypes?: string[];
}

/**
 * The secret that signs: that of POSTRIDER_LISTEN_SECRET or of the profile, so that the receiver keeps its setting. A new one is
 * stored in the profile, if there is one for this address: the service gets the secret.
 */
function secretOf(session: Session): string {
  const { io, profile: name, url } = session;
  const stored = session.signedIn();
  const profile = stored && isSameAddress(stored.url, url) ? stored : null;
  const given = io.env.POSTRIDER_LISTEN_SECRET || profile?.listen_secret;
  if (given) {
    if (!isWebhookSecret(given))
      throw new UsageError('POSTRIDER_LISTEN_SECRET must be whsec_ followed by base64.');
    return given;
  }
  const secret = createWebhookSecret();
  if (profile) writeProfile(io, name, { ...profile, listen_secret: secret });
  return secret;
}

/** What the receiver did, in the form in which the service takes it. */
type LocalAnswer =
  | { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  | { readonly error: string; readonly connected: boolean };

/** A delivery that was posted, for people and programs. */
interface Posted {
  readonly at: string;
  readonly delivery_run_id: string;
  readonly status?: number;
  readonly error?: string;
  readonly duration_ms: number;
}

/** Errors before a connection: the receiver has certainly not got the request. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/** The beginning of a body, as text that the service takes: without NUL. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const { bodyLength } = LISTENER_ANSWER_LIMITS;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= bodyLength) break;
  }
  return Buffer.concat(chunks).subarray(0, bodyLength).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Posts a request to a receiver on this machine, within its time limit. Follows no redirect, and never rejects. */
async function postLocally(url: string, { headers, body, timeout_ms }: DeliveryToPost): Promise<LocalAnswer> {
  try {
    const signal = AbortSignal.timeout(timeout_ms);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const kept = [...response.headers]
      .filter(([, value]) => value.length <= LISTENER_ANSWER_LIMITS.headerLength)
      .slice(0, LISTENER_ANSWER_LIMITS.headers);
    const text = await beginningOf(response.body);
    return { status: response.status, headers: Object.fromEntries(kept), body: text };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const code = isLate ? 'ETIMEDOUT' : (reasonBelow(error) ?? 'unknown error');
    return { error: code, connected: !NOT_CONNECTED.includes(code) };
  }
}

/** The channel of this machine, and what it takes. */
function channelOf(eventTypes: string[], secret: string): ChannelInput {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9.-]/g, '-')
    .slice(0, 60);
  return {
    kind: 'webhook',
    name: `listen ${userInfo().username}@${host}`.slice(0, 100),
    event_keys: eventTypes,
    config: {
      url: `listen://${/^[A-Za-z0-9]/.test(host) ? host : 'laptop'}`,
      signature: { type: 'standard', secret },
    },
  };
}

/** A line about a delivery. */
function line({ at, delivery_run_id, duration_ms, status, error }: Posted, style: Style): string {
  const said = String(error ?? status);
  const isTaken = status !== undefined && status < 300;
  return [
    style.dim(time(at)),
    isTaken ? style.green(said) : style.red(said),
    `${duration_ms} ms`,
    style.dim(delivery_run_id),
  ].join('  ');
}

async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { forwardTo, eventTypes = ['*'] } = options;
  if (!URL.canParse(forwardTo) || !/^https?:$/.test(new URL(forwardTo).protocol))
    throw new UsageError('--forward-to must be an http or https URL, such as http://localhost:3000/hook.');
  const { io, call, url } = session;
  /** For what must be done even after Ctrl-C. */
  const { signal: _signal, ...lastCall } = call;
  const { channels } = session.environment();
  const secret = secretOf(session);
  const create = async () => (await channels.create(channelOf(eventTypes, secret), call)).id;
  let channel = await create();

  /** Posts a delivery, and passes the answer on, also after Ctrl-C: the receiver has done its work. Never rejects. */
  async function forward(from: string, delivery: DeliveryToPost): Promise<void> {
    const startedAt = performance.now();
    const answer = await postLocally(forwardTo, delivery);
    const posted: Posted = {
      at: new Date().toISOString(),
      delivery_run_id: delivery.headers['webhook-id'] ?? '',
      ...('error' in answer ? { error: answer.error } : { status: answer.status }),
      duration_ms: Math.round(performance.now() - startedAt),
    };
    session.showLine(posted, line);
    try {
      await channels.listenAnswer(from, { id: delivery.id, ...answer }, lastCall);
    } catch (error) {
      const failure = explain(error, () => url);
      session.note(`The response could not be passed on: ${failure?.error.message ?? String(error)}`);
    }
  }

  session.note(`Posting ${eventTypes.join(', ')} to ${forwardTo}, signed with ${secret}; Ctrl-C ends.`);
  const open = new Set<Promise<void>>();
  try {
    while (!io.signal.aborted) {
      try {
        if (open.size >= MAX_IN_FLIGHT_OF_LISTENER) await Promise.race(open);
        const from = channel;
        const { delivery } = await untilAvailable(session, () => channels.listen(from, {}, call));
        if (!delivery) continue;
        const forwarding = forward(from, delivery).finally(() => open.delete(forwarding));
        open.add(forwarding);
      } catch (error) {
        if (io.signal.aborted) break;
        if (!(error instanceof PostriderApiError && error.status === 404)) throw error;
        session.note('The service has removed the channel: creating another one.');
        channel = await untilAvailable(session, create);
      }
    }
    await Promise.all(open);
  } finally {
    const removal = { ...lastCall, signal: AbortSignal.timeout(REMOVAL_MS) };
    await channels.delete(channel, removal).then(
      () => session.note('The channel is removed.'),
      () => session.note('The channel could not be removed: the service does so after five minutes.'),
    );
  }
}

/** `postrider listen`: receives webhooks on a machine that the service cannot reach. */
export function addListen(program: SessionCommand): void {
  program
    .add(
      'listen',
      'receive webhooks on this machine: creates a channel, posts its deliveries to a URL that this machine can reach, and passes its ' +
        'response on; Ctrl-C removes the channel; with --json one JSON document per delivery',
    )
    .requiredOption('--forward-to <url>', 'where to post, such as http://localhost:3000/hook')
    .option('--event-types <patterns...>', 'the events, such as order.*; all by default')
    .inEnvironment()
    .examples({
      'postrider listen --forward-to http://localhost:3000/hook': 'In one terminal …',
      'postrider trigger order.shipped': '… and in another one.',
    })
    .runs(listen);
}
