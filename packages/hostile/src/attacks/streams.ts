import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createFixture } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { postEvent } from '../target/post-event.ts';
import { dropAll, openSocket } from '../target/sockets.ts';
import { eventOf } from './deliveries.ts';

/** More than a tenant may have. */
const STREAMS_OF_TENANT = 24;
const DEADLINE_MS = 20_000;
const POLL_MS = 50;

interface Following {
  readonly status: number;
  readonly hasReceived: (text: string) => boolean;
  readonly close: () => void;
}

/** Opens a stream like a client that reads. */
async function follow(url: string, token: string): Promise<Following> {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: abort.signal });
  let text = '';
  const reading = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  };
  reading().catch(() => undefined);
  return {
    status: response.status,
    hasReceived: (part) => text.includes(part),
    close: () => abort.abort(),
  };
}

/** Requests a stream, and reads no more than the status. Resolves with it, or with 0 if the connection was closed. */
async function request(url: string, token: string): Promise<{ socket: Socket; status: number }> {
  const socket = await openSocket(url);
  const answered = new Promise<number>((resolve) => {
    socket.once('close', () => resolve(0)).once('end', () => resolve(0));
    socket.once('data', (chunk) => {
      socket.pause();
      resolve(Number(chunk.toString('latin1').split(' ', 2)[1]));
    });
  });
  socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return { socket, status: await answered };
}

async function received({ hasReceived }: Following, text: string): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!hasReceived(text)) {
    if (performance.now() > end) throw new Error(`nothing with ${text} has come`);
    await wait(POLL_MS);
  }
}

/** What a stream of somebody else must do: open, and report an event of its environment. */
async function check(
  name: string,
  url: string,
  token: string,
  post: () => Promise<string>,
): Promise<string[]> {
  const stream = await follow(url, token);
  try {
    if (stream.status !== 200) return [`the stream of ${name} was answered ${stream.status}`];
    // A stream reports what happens after its first position.
    await received(stream, 'id: ');
    await received(stream, await post());
    return [];
  } catch (error) {
    return [`the stream of ${name} reported no event: ${error}`];
  } finally {
    stream.close();
  }
}

async function postAs({ target }: AttackContext, token: string): Promise<string> {
  const { status, text } = await postEvent(target, token, eventOf('order.shipped', {}));
  if (status !== 201) throw new Error(`an event was answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text).message_id;
}

/** Some tenants open all the streams that they can and do not read them, while others need one each. */
async function takeStreams(context: AttackContext, tenants: number): Promise<Outcome> {
  const { target, amount } = context;
  const { url } = target.api;
  const attackers = [target.attacker];
  while (attackers.length < tenants) attackers.push(await createFixture(target.db, {}));
  const tokens: string[] = [];
  for (const { tenantId, token } of attackers) {
    tokens.push(token);
    // A token has at most 8 streams.
    for (let count = 1; count < STREAMS_OF_TENANT / 8; count += 1)
      tokens.push((await createFixture(target.db, { tenantId })).token);
  }
  const sockets: Socket[] = [];
  const statuses: Record<string, number> = {};
  const violations: string[] = [];
  for (let round = 0; round < amount(1, 6); round += 1) {
    const requests = tokens.flatMap((token) => Array.from({ length: 8 }, () => request(url, token)));
    for (const { socket, status } of await Promise.all(requests)) {
      statuses[`status_${status}`] = (statuses[`status_${status}`] ?? 0) + 1;
      if (status === 200) sockets.push(socket);
      else socket.destroy();
    }
    for (let posted = 0; posted < amount(5, 50); posted += 1) await postAs(context, target.attacker.token);
    const { victim, attacker, adminToken } = target;
    const operatorUrl = `${url}/admin/v1/environments/${formatId('env', attacker.environmentId)}/stream`;
    violations.push(
      ...(await check('the second tenant', `${url}/api/v1/stream`, victim.token, () =>
        postAs(context, victim.token),
      )),
      ...(await check('an operator', operatorUrl, adminToken, () => postAs(context, attacker.token))),
    );
  }
  dropAll(sockets);
  return { figures: { tenants, opened: sockets.length, ...statuses }, violations };
}

export const STREAM_ATTACKS: readonly Attack[] = [
  { name: 'all the streams of a tenant, never read', run: (context) => takeStreams(context, 1) },
  { name: 'all the streams of six tenants, never read', run: (context) => takeStreams(context, 6) },
];
