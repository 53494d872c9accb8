import { describe, expect, it } from '@postrider/testing';
import { crc32c, murmur2, ProtocolError, Reader, varint } from '../src/wire.ts';

describe("Kafka's primitive types", () => {
  it.each([
    ['', 0],
    ['123456789', 0xe3069283],
    [Buffer.alloc(32), 0x8a9136aa],
    [Buffer.alloc(32, 0xff), 0x62a8ab43],
  ])('CRC-32C of %j is that of RFC 3720', (data, crc) => {
    expect(crc32c(Buffer.from(data as string))).toBe(crc);
  });

  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('murmur2 of %s is that of the Java client', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
  });

  it.each([
    [0, [0]],
    [-1, [1]],
    [1, [2]],
    [63, [126]],
    [-64, [127]],
    [64, [128, 1]],
    [300, [216, 4]],
    [2_147_483_647, [254, 255, 255, 255, 15]],
    [-2_147_483_648, [255, 255, 255, 255, 15]],
  ])('%i is a varint of these octets', (value, octets) => {
    expect([...varint(value)]).toEqual(octets);
  });

  it('reads nothing beyond the end, and allocates nothing for a count that cannot be', () => {
    const read = (octets: number[]) => new Reader(Buffer.from(octets));
    expect(() => read([0, 5, 97]).string()).toThrow(ProtocolError);
    expect(() => read([0xff, 0xfe]).string()).toThrow(ProtocolError);
    expect(() => read([0, 0, 0]).int32()).toThrow(ProtocolError);
    const many = read([0x7f, 0xff, 0xff, 0xff]);
    expect(() => many.array(many.int16)).toThrow(ProtocolError);
  });
});
