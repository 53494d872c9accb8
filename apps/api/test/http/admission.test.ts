import { describe, expect, it } from '@postrider/testing';
import {
  type AdmissionBounds,
  type Admitted,
  admitRequest,
  createAdmission,
  type Ticket,
} from '../../src/http/admission.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { errorCodeOf, sendRaw, statusesOf } from '../support/raw-client.ts';

const world = useApi();
const KIB = 1_024;
const bounds = { total: 400 * KIB, share: 300 * KIB, waitMs: 50, waitingPerOwner: 2, waiting: 3 };

async function ticketOf(admitted: Admitted | Promise<Admitted>): Promise<Ticket> {
  const settled = await admitted;
  if (settled.outcome !== 'admitted') throw new Error(`refused: ${settled.full}`);
  return settled.ticket;
}

/** Requests by name, and who was admitted in which order. A name is an owner, and a part after a slash. */
function scripted(bounds: Partial<AdmissionBounds>) {
  const admit = createAdmission({
    total: 100,
    share: 50,
    waitMs: 60_000,
    waitingPerOwner: 50,
    waiting: 500,
    ...bounds,
  });
  const order: string[] = [];
  const tickets = new Map<string, Ticket>();
  return {
    order,
    async ask(name: string, bytes: number) {
      const [holder = ''] = name.split(' ');
      const [owner = '', part] = holder.split('/');
      const admitted = admit({ owner, part }, bytes);
      const note = (ticket: Ticket) => {
        order.push(name);
        tickets.set(name, ticket);
      };
      // A test may end before all that wait are admitted: they are refused later, when nobody asks any more.
      const settled = (one: Admitted) => one.outcome === 'admitted' && note(one.ticket);
      if ('then' in admitted) void admitted.then(settled);
      else note(await ticketOf(admitted));
    },
    async leave(name: string) {
      tickets.get(name)?.leave();
      await new Promise(setImmediate);
    },
  };
}

describe('bytes in flight', () => {
  it('leave room for others when one holder takes its whole share', async () => {
    const admit = createAdmission({ total: 100, share: 40, waitMs: 10, waitingPerOwner: 5, waiting: 50 });
    for (const _ of Array(4)) await ticketOf(admit({ owner: 'greedy' }, 10));
    expect(await admit({ owner: 'greedy' }, 10)).toEqual({ outcome: 'refused', full: 'share' });
    for (const owner of ['b', 'c']) for (const _ of Array(3)) await ticketOf(admit({ owner }, 10));
    expect(await admit({ owner: 'd' }, 10)).toEqual({ outcome: 'refused', full: 'total' });
  });

  it('are given to waiting owners in turn, and within an owner in order of arrival', async () => {
    const { ask, leave, order } = scripted({ share: 90 });
    await ask('greedy', 50);
    await ask('greedy other', 40);
    for (const name of ['greedy 1', 'greedy 2', 'modest 1', 'modest 2']) await ask(name, 20);
    for (const name of ['greedy other', 'greedy', 'greedy 1', 'modest 1']) await leave(name);
    expect(order).toEqual(['greedy', 'greedy other', 'greedy 1', 'modest 1', 'greedy 2', 'modest 2']);
  });

  it('are given to a waiting large request, not to small ones that arrive later', async () => {
    const { ask, leave, order } = scripted({});
    for (const name of ['a 1', 'a 2', 'b 1', 'b 2']) await ask(name, 25);
    await ask('large', 50);
    for (const [name, later] of [
      ['a 1', 'c'],
      ['b 1', 'd'],
    ] as const) {
      await leave(name);
      await ask(later, 1);
    }
    expect(order).toEqual(['a 1', 'a 2', 'b 1', 'b 2', 'large']);
    await leave('large');
    expect(order.slice(5)).toEqual(['c', 'd']);
  });

  it('are available to others while a request waits for its own tenant’s', async () => {
    const { ask, leave, order } = scripted({});
    await ask('greedy', 40);
    await ask('greedy large', 50);
    await ask('greedy small', 1);
    await ask('other', 50);
    expect(order).toEqual(['greedy', 'other']);
    await leave('greedy');
    expect(order).toEqual(['greedy', 'other', 'greedy large']);
  });

  it('are given to the next waiters when a request gives up', async () => {
    const admit = createAdmission({ total: 100, share: 90, waitMs: 20, waitingPerOwner: 9, waiting: 9 });
    await ticketOf(admit({ owner: 'a' }, 60));
    const large = admit({ owner: 'large' }, 90);
    const small = admit({ owner: 'small' }, 40);
    expect(await large).toEqual({ outcome: 'refused', full: 'total' });
    await ticketOf(small);
  });

  it('leave room for the other tokens of a tenant when one takes its whole share', async () => {
    const { ask, leave, order } = scripted({ partShare: 30 });
    for (const number of [1, 2, 3, 4, 5]) await ask(`tenant/greedy ${number}`, 10);
    await ask('tenant/modest', 20);
    expect(order).toEqual(['tenant/greedy 1', 'tenant/greedy 2', 'tenant/greedy 3', 'tenant/modest']);
    await ask('tenant/other 1', 10);
    await leave('tenant/greedy 1');
    await leave('tenant/greedy 2');
    expect(order.slice(4)).toEqual(['tenant/greedy 4', 'tenant/other 1']);
  });

  it('include additions for a response, and nothing after the end', async () => {
    const admit = createAdmission({ total: 100, share: 50, waitMs: 5, waitingPerOwner: 9, waiting: 9 });
    const ticket = await ticketOf(admit({ owner: 'a' }, 10));
    ticket.add(60);
    expect(await admit({ owner: 'a' }, 1)).toEqual({ outcome: 'refused', full: 'share' });
    ticket.leave();
    ticket.add(60);
    await ticketOf(admit({ owner: 'a' }, 50));
  });
});

describe('a request that is refused while it waits for room', () => {
  it('holds nothing when it is admitted', async () => {
    const admit = createAdmission({
      total: 10_000,
      share: 10_000,
      waitMs: 1_000,
      waitingPerOwner: 9,
      waiting: 9,
    });
    const first = await ticketOf(admit({ owner: 'a' }, 10_000));
    const http = { headers: {}, socket: { destroyed: false } };
    const res = { closed: true, once: () => undefined };
    const waiting = admitRequest(admit, {
      http: http as never,
      res: res as never,
      holder: { owner: 'a' },
      use: 'ignored',
      limit: 0,
    });
    first.leave();
    await waiting;
    await ticketOf(admit({ owner: 'a' }, 10_000));
  });
});

describe('a tenant with endless bodies', () => {
  it('gets 429 when its share is exhausted, and others are served', async () => {
    const greedy = await world.environment();
    const others = await Promise.all([world.environment(), world.environment()]);
    const api = await world.more({ admit: createAdmission(bounds) });
    const open = await Promise.all(
      Array.from({ length: 2 }, () =>
        sendRaw(
          api.url,
          'POST /api/v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n' +
            `Content-Type: application/json\r\nAuthorization: Bearer ${greedy.token}\r\n\r\n1\r\n{\r\n`,
        ),
      ),
    );
    // One of the two waits for bytes of its own tenant, is refused, and the connection stays.
    const refused = await Promise.race(open.map(({ answered }) => answered));
    expect(statusesOf(refused)).toEqual([429]);
    expect(refused).toMatch(/^retry-after: 1\r$/im);
    expect(errorCodeOf(refused)).toBe('rate_limited');

    for (const { token } of others) expect((await api.postEvent(token, anEvent())).status).toBe(201);
    for (const { socket, closed } of open) {
      socket.destroy();
      await closed;
    }
    expect((await api.postEvent(greedy.token, anEvent())).status).toBe(201);
  });
});
