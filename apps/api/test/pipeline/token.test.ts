import { createToken, orRefusal } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { createResolveEnvironmentFromToken } from '../../src/access/access.ts';
import type { FirstStage } from '../../src/pipeline/stage.ts';

/** The stage on a database that knows every token, and what it asked and noted. */
function createStage({ known = true } = {}) {
  const asked: string[] = [];
  const used: string[] = [];
  const resolve = createResolveEnvironmentFromToken({
    snapshots: {
      token: async (hash) => {
        asked.push(Buffer.from(hash).toString('hex'));
        return known
          ? {
              id: 'the-token',
              environmentId: 'the-environment',
              scopes: new Set<string>(),
              consumerId: null,
              expiresAt: Number.POSITIVE_INFINITY,
            }
          : null;
      },
      environment: async () => null,
      consumer: async () => null,
      drop: () => undefined,
    },
    recordUse: (_table, id) => used.push(id),
    sessions: null,
  });
  const present = (token: string) =>
    orRefusal(() =>
      resolve({ http: { headers: { authorization: `Bearer ${token}` } } } as Parameters<FirstStage>[0]),
    );
  return { asked, used, present };
}

/** A token with one character of its secret mistyped. */
function mistyped(token: string): string {
  const at = token.length - 20;
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
}

describe('the token of a request', () => {
  it('is not queried if its checksum is wrong', async () => {
    const { asked, present } = createStage();
    const token = createToken('production');
    const swapped = token.replace('pr_production_', 'pr_staging_');
    for (const text of [mistyped(token), swapped, token.slice(0, -1), `${token}0`, 'x', '', 'pr__']) {
      expect(await present(text)).toMatchObject({ refused: 'unauthorized' });
    }
    expect(asked).toEqual([]);
    await present(token);
    expect(asked).toHaveLength(1);
  });

  it('is not recorded as used if it is refused', async () => {
    const { used, present } = createStage({ known: false });
    await present(createToken('production'));
    expect(used).toEqual([]);
  });
});
