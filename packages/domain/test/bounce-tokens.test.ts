import { createHash } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { BOUNCE_TOKEN_LENGTH, createBounceTokens, deriveServiceKeys, formatId } from '../src/index.ts';

const keyOf = (name: string) => createHash('sha256').update(name).digest();
const tokens = createBounceTokens(keyOf('one'));
const RUN = 'run_01jd4q9v8wfq3vj1m0f4e9x7cz';

describe('the tokens of return paths', () => {
  it('return their run, whatever the case, and leave 22 octets of the local part', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const runId = formatId('run', uuid);
        const token = tokens.tokenOf(runId);
        expect(token).toMatch(/^[0-9a-hjkmnp-tv-z]{42}$/);
        expect(token).toHaveLength(BOUNCE_TOKEN_LENGTH);
        expect([tokens.runIdOf(token), tokens.runIdOf(token.toUpperCase())]).toEqual([runId, runId]);
      }),
    );
  });

  it('cannot be made without the key, or moved to another run', () => {
    const token = tokens.tokenOf(RUN);
    const other = tokens.tokenOf('run_01jd4q9v8wfq3vj1m0f4e9x7d0');
    expect(tokens.runIdOf(createBounceTokens(keyOf('other')).tokenOf(RUN))).toBeNull();
    expect(tokens.runIdOf(other.slice(0, 26) + token.slice(26))).toBeNull();
    for (let at = 0; at < token.length; at += 1) {
      const digit = token[at] === '0' ? '1' : '0';
      expect(tokens.runIdOf(token.slice(0, at) + digit + token.slice(at + 1))).toBeNull();
    }
    for (const text of ['', token.slice(1), `${token}0`, 'u'.repeat(42)])
      expect(tokens.runIdOf(text)).toBeNull();
  });

  it('are the same in every process', () => {
    const one = deriveServiceKeys(keyOf('root')).bounces.tokenOf(RUN);
    expect(deriveServiceKeys(keyOf('root')).bounces.runIdOf(one)).toBe(RUN);
  });
});
