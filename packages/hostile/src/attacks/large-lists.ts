import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { postEvent } from '../target/post-event.ts';
import { eventOf } from './deliveries.ts';

const MESSAGES = 100;
const PAYLOAD_BYTES = 250_000;
const AT_ONCE = 10;

const filled = new WeakSet<object>();

/** Posts the attacker's large messages, once for each target. */
async function fill({ target }: AttackContext): Promise<void> {
  if (filled.has(target)) return;
  const body = eventOf('large.message', { text: 'x'.repeat(PAYLOAD_BYTES) });
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    const { status, text } = await postEvent(target, target.attacker.token, body);
    if (status !== 201) throw new Error(`a large message was answered ${status}: ${text.slice(0, 300)}`);
  }
  filled.add(target);
}

async function readLists(context: AttackContext): Promise<Outcome> {
  await fill(context);
  const { target, amount } = context;
  const statuses: Record<string, number> = {};
  let bytes = 0;
  async function read(): Promise<void> {
    const response = await fetch(`${target.api.url}/api/v1/messages?limit=100`, {
      headers: { authorization: `Bearer ${target.attacker.token}` },
    });
    const name = `status_${response.status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
    if (!response.body) return;
    for await (const chunk of response.body) bytes += chunk.length;
  }
  for (let round = 0; round < amount(1, 5); round += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, read));
  }
  return { figures: { received_bytes: bytes, ...statuses } };
}

export const LARGE_LISTS: Attack = {
  name: 'ten lists at once of 100 messages of 250 KB',
  run: readLists,
};
