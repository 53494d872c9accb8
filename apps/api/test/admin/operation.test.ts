import { describe, expect, it } from '@postrider/testing';
import { type AdminCall, type AdminDeps, adminOperation } from '../../src/admin/operation.ts';
import { jsonBytes } from '../../src/http/reply.ts';

function call(answer: Record<string, unknown>) {
  const operation = adminOperation({
    path: '/admin/v1/plans',
    operationId: 'count',
    scope: 'tenants:read',
    summary: 'Count',
    description: 'Counts.',
    success: { status: 200, schema: {}, example: {} },
    run: async () => answer,
  });
  const request = { params: {}, url: '', bytes: new Uint8Array() } as unknown as AdminCall;
  return operation.run({} as AdminDeps)(request);
}

describe('the answer of an operation', () => {
  it('is a body although it has a field `refused`', async () => {
    expect(await call({ refused: 3 })).toEqual({ status: 200, body: jsonBytes({ refused: 3 }) });
  });

  it('is a whole reply if it has bytes', async () => {
    const reply = { status: 202, body: jsonBytes({ taken: true }) };
    expect(await call(reply)).toBe(reply);
  });
});
