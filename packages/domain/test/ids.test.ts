import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { createUuidV7Source, formatId, ID_PREFIXES, parseId } from '../src/index.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('public ids', () => {
  it('encodes the example of the TypeID specification', () => {
    expect(formatId('msg', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('msg_01h455vb4pex5vsknk084sn02q');
  });

  it('returns the UUID in lower case, for every prefix and UUID', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ID_PREFIXES), fc.uuid(), (prefix, uuid) => {
        expect(parseId(prefix, formatId(prefix, uuid))).toBe(uuid);
        expect(formatId(prefix, uuid.toUpperCase())).toBe(formatId(prefix, uuid));
      }),
    );
  });

  it('has exactly one text for any 128 bits, including those that are no UUID of RFC 9562', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(fc.constantFrom(...ID_PREFIXES), bytes, (prefix, bits) => {
        const hex = Buffer.from(bits).toString('hex');
        const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
        const id = formatId(prefix, uuid);
        expect(id).toMatch(/^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        expect(parseId(prefix, id)).toBe(uuid);
      }),
    );
  });

  it.each([
    ['msg_00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
    ['msg_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['msg_0000000000000000000000000g', '00000000-0000-0000-0000-000000000010'],
  ])('parses %s, without version or variant', (id, uuid) => {
    expect(parseId('msg', id)).toBe(uuid);
    expect(formatId('msg', uuid)).toBe(id);
  });

  it.each([
    ['another prefix', 'run_01h455vb4pex5vsknk084sn02q'],
    ['no prefix', '01h455vb4pex5vsknk084sn02q'],
    ['upper case', 'msg_01H455VB4PEX5VSKNK084SN02Q'],
    ['a letter outside the alphabet', 'msg_01h455vb4pex5vsknk084sn0il'],
    ['more than 128 bits', 'msg_81h455vb4pex5vsknk084sn02q'],
    ['too short', 'msg_01h455vb4pex5vsknk084sn02'],
    ['too long', 'msg_01h455vb4pex5vsknk084sn02qq'],
    ['a line break at the end', 'msg_01h455vb4pex5vsknk084sn02q\n'],
    ['a bare UUID', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['nothing', ''],
    ['the prefix alone', 'msg_'],
  ])('refuses %s', (_, text) => {
    expect(parseId('msg', text)).toBeNull();
  });

  it('never throws, whatever a client sends', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseId('msg', `msg_${text}`) === null));
  });

  it('throws for a stored id that is not a UUID', () => {
    expect(() => formatId('msg', 'nonsense')).toThrow(TypeError);
  });
});

describe('the UUIDv7 source', () => {
  it('creates UUIDs of version 7 that contain the time', () => {
    const id = createUuidV7Source(() => 0x0123456789ab)();
    expect(id).toMatch(UUID_V7);
    expect(id.replaceAll('-', '').slice(0, 12)).toBe('0123456789ab');
  });

  it('increases strictly, within a millisecond and when the clock steps back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 200 }), (times) => {
        const clock = times.values();
        const next = createUuidV7Source(() => Number(clock.next().value));
        const ids = times.map(() => next());
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('does not repeat ids of another source in the same millisecond', () => {
    const [one, other] = [createUuidV7Source(() => 1), createUuidV7Source(() => 1)];
    const ids = Array.from({ length: 1_000 }, () => [one(), other()]).flat();
    expect(new Set(ids).size).toBe(2_000);
  });
});
