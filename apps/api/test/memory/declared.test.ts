import { createFairSemaphore } from '@postrider/fairness';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import { BYTES_IN_FLIGHT, type ByteLimit } from '../../src/http/admission.ts';
import { isManagement } from '../../src/openapi/operation.ts';
import { OPERATIONS } from '../../src/resources.ts';
import { ADMIN_TOKEN, anEvent, type TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { createStored, type Stored } from './stored.ts';

/** The bytes that were asked for, since the last request. */
let asked: { readonly body: number[]; readonly stored: number[] } = { body: [], stored: [] };
let admitsBodies = true;
/** Gives nothing, and notes the bytes. */
const refusing = (note: (bytes: number) => void): ByteLimit => ({
  tryAcquire: () => null,
  acquire: async ({ weight = 1 }) => {
    note(weight);
    return null;
  },
  isShareSpent: () => true,
});
const bodies = createFairSemaphore(BYTES_IN_FLIGHT);
const noBodies = refusing((bytes) => asked.body.push(bytes));
const bytesInFlight: ByteLimit = {
  ...noBodies,
  tryAcquire: (ask) => (admitsBodies ? bodies.tryAcquire(ask) : null),
};
const storedBytes = refusing((bytes) => asked.stored.push(bytes));

const world = useApi();
let api: TestApi;
let stored: Stored;
beforeAll(async () => {
  stored = await createStored(world, LONG_NUMBERS);
  api = await world.more({ bytesInFlight, storedBytes });
});

/** A payload of 5 KB that PostgreSQL writes with all of its digits. */
const LONG_NUMBERS = JSON.stringify(anEvent({ payload: null })).replace(
  '"payload":null',
  `"payload":{"list":[${Array.from({ length: 800 }, () => '1e308').join()}]}`,
);
const LONG_NUMBERS_BYTES = 240_000;

type Operation = (typeof OPERATIONS)[number];

function send({ method, path }: Operation) {
  const { token, ids } = stored;
  const place = path.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => (ids as Record<string, string>)[name] ?? `unknown-${name}`,
  );
  return fetch(api.url + place, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${path.startsWith('/admin/') ? ADMIN_TOKEN : token}`,
      'idempotency-key': crypto.randomUUID(),
      ...(method !== 'get' && { 'content-type': 'application/json' }),
    },
  });
}

const COUNTED = OPERATIONS.filter(({ memory }) => typeof memory === 'function');

describe('the memory that an operation declares', () => {
  it.each(OPERATIONS.map((operation) => ({ ...operation, name: operation.operationId })))(
    'is reserved before a request of $name runs, and refused with 429',
    async (operation) => {
      const { memory } = operation;
      asked = { body: [], stored: [] };
      admitsBodies = typeof memory === 'function';
      const response = await send(operation);
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('1');
      const [reserved, ...others] = [...asked.body, ...asked.stored];
      expect(others).toEqual([]);
      expect(asked.stored).toHaveLength(typeof memory === 'function' ? 1 : 0);
      expect(reserved).toBeGreaterThan(typeof memory === 'function' ? LONG_NUMBERS_BYTES : memory);
    },
  );

  it('is counted from what is stored wherever a whole message or configuration is read', () => {
    expect(COUNTED.map(({ operationId }) => operationId).sort()).toEqual([
      'applyConfiguration',
      'exportConfiguration',
      'getConfigurationDrift',
      'getDeliveryContent',
      'getEnvironmentDeliveryContent',
      'getEnvironmentMessage',
      'getMessage',
      'planConfiguration',
      'replayConsumerDelivery',
      'replayEnvironmentMessage',
      'replayMessage',
    ]);
    expect(COUNTED.some(isManagement)).toBe(true);
  });
});
