import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { createSecretBox, parseEncryptionKeys } from '../src/index.ts';

const newKey = (id: string) => ({ id, key: randomBytes(32) });

describe('the secret box', () => {
  it('opens what it encrypted, for any text and binding', () => {
    const box = createSecretBox([newKey('a')]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (plaintext, boundTo) => {
        expect(box.decrypt(box.encrypt(plaintext, boundTo), boundTo)).toEqual({ ok: true, plaintext });
      }),
    );
  });

  it('has the form v1.<key id>.<nonce>.<content>, differs each time, and does not contain the plaintext', () => {
    const box = createSecretBox([newKey('2026-11')]);
    const encrypted = box.encrypt('smtp-password', 'channel:1');
    expect(encrypted).toMatch(/^v1\.2026-11\.[\w-]{16}\.[\w-]+$/);
    expect(encrypted).not.toContain('smtp-password');
    expect(box.encrypt('smtp-password', 'channel:1')).not.toBe(encrypted);
  });

  it('does not decrypt with another binding', () => {
    const box = createSecretBox([newKey('a')]);
    const encrypted = box.encrypt('secret', 'channel:1');
    expect(box.decrypt(encrypted, 'channel:2')).toEqual({ ok: false, reason: 'tampered', keyId: 'a' });
  });

  it('does not decrypt when any character is changed', () => {
    const box = createSecretBox([newKey('a')]);
    const encrypted = box.encrypt('a secret', 'here');
    const characters = fc.stringMatching(/^[A-Za-z0-9_.-]$/);
    fc.assert(
      fc.property(fc.nat(encrypted.length - 1), characters, (at, character) => {
        fc.pre(encrypted[at] !== character);
        expect(box.decrypt(encrypted.slice(0, at) + character + encrypted.slice(at + 1), 'here').ok).toBe(
          false,
        );
      }),
    );
  });

  it.each([
    '',
    'secret',
    'v1.a',
    'v1.a.AAAAAAAAAAAAAAAA.',
    'v2.a.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
    'v1.a..',
  ])('does not decrypt %j', (text) => {
    expect(createSecretBox([newKey('a')]).decrypt(text, 'here')).toEqual({ ok: false, reason: 'tampered' });
  });

  it('decrypts with every key while keys are being rotated, and encrypts with the first', () => {
    const [older, newer] = [newKey('older'), newKey('newer')];
    const encrypted = createSecretBox([older]).encrypt('secret', 'here');
    const rotated = createSecretBox([newer, older]);
    expect(rotated.decrypt(encrypted, 'here')).toEqual({ ok: true, plaintext: 'secret' });
    expect(rotated.isCurrent(encrypted)).toBe(false);
    const encryptedAgain = rotated.encrypt('secret', 'here');
    expect(rotated.isCurrent(encryptedAgain)).toBe(true);
    expect(createSecretBox([newer]).decrypt(encryptedAgain, 'here').ok).toBe(true);
  });

  it('reports the id of an unknown key', () => {
    const encrypted = createSecretBox([newKey('gone')]).encrypt('secret', 'here');
    expect(createSecretBox([newKey('a')]).decrypt(encrypted, 'here')).toEqual({
      ok: false,
      reason: 'unknown_key',
      keyId: 'gone',
    });
  });

  it('does not decrypt with another key of the same id', () => {
    const encrypted = createSecretBox([newKey('a')]).encrypt('secret', 'here');
    expect(createSecretBox([newKey('a')]).decrypt(encrypted, 'here')).toEqual({
      ok: false,
      reason: 'tampered',
      keyId: 'a',
    });
  });

  it('cannot be created without a key, or with a short one', () => {
    expect(() => createSecretBox([])).toThrow(TypeError);
    expect(() => createSecretBox([{ id: 'a', key: randomBytes(16) }])).toThrow(TypeError);
    expect(() => createSecretBox([{ id: 'a.b', key: randomBytes(32) }])).toThrow(TypeError);
  });
});

describe('reading ENCRYPTION_KEYS', () => {
  const [one, two] = [randomBytes(32), randomBytes(32)];

  it('returns the keys in order', () => {
    const text = `b:${one.toString('base64')}, a:${two.toString('base64').replace('=', '')}`;
    expect(parseEncryptionKeys(text)).toEqual({
      ok: true,
      keys: [
        { id: 'b', key: one },
        { id: 'a', key: two },
      ],
    });
  });

  it.each([
    ['nothing', '', 1],
    ['a bare key', one.toString('base64'), 1],
    ['a key of 16 bytes', `a:${randomBytes(16).toString('base64')}`, 1],
    ['a key of 33 bytes', `a:${randomBytes(33).toString('base64')}`, 1],
    ['a key in hex', `a:${one.toString('hex')}`, 1],
    ['an id with a full stop', `a.b:${one.toString('base64')}`, 1],
    ['no id', `:${one.toString('base64')}`, 1],
    ['an id twice', `a:${one.toString('base64')},a:${two.toString('base64')}`, 1],
    ['a comma at the end', `a:${one.toString('base64')},`, 1],
    ['three issues', `x,y:z,:${one.toString('base64')}`, 3],
  ])('reports the issues of %s without any part of a key', (_, text, count) => {
    const parsed = parseEncryptionKeys(text);
    expect(parsed).toEqual({ ok: false, issues: expect.any(Array) });
    if (parsed.ok) return;
    expect(parsed.issues).toHaveLength(count);
    const told = parsed.issues.join();
    for (const secret of [one.toString('base64'), one.toString('hex'), two.toString('base64')]) {
      expect(told).not.toContain(secret.slice(0, 12));
    }
  });
});
