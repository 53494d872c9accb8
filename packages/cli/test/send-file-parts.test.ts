import { describe, expect, it } from '@postrider/testing';
import { EventKeys } from '../src/commands/send-file.ts';
import { inputLines, MAX_LINE_BYTES } from '../src/input.ts';

async function linesOf(chunks: readonly (Uint8Array | string)[]): Promise<[number, string][]> {
  async function* input() {
    yield* chunks;
  }
  const lines: [number, string][] = [];
  for await (const { number, text } of inputLines(input())) lines.push([number, text]);
  return lines;
}

describe('the lines of a file', () => {
  it('end at \\n and \\r\\n, but not at other line separators of Unicode', async () => {
    expect(await linesOf(['a\u2028b\u2029c\u0085d\re\r\n\nlast'])).toEqual([
      [1, 'a\u2028b\u2029c\u0085d\re'],
      [2, ''],
      [3, 'last'],
    ]);
    expect(await linesOf(['a\n'])).toEqual([[1, 'a']]);
    expect(await linesOf([])).toEqual([]);
  });

  it('do not depend on the chunks of bytes', async () => {
    const bytes = Buffer.from('{"é":"🚀"}\r\n"ü"\n');
    const cut = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(await linesOf(cut)).toEqual([
      [1, '{"é":"🚀"}'],
      [2, '"ü"'],
    ]);
  });

  it('are a usage error with their number if they are too long or not UTF-8', async () => {
    const half = 'x'.repeat(MAX_LINE_BYTES / 2);
    expect(await linesOf(['\n', half, half, '\n'])).toHaveLength(2);
    await expect(linesOf(['\n', half, half, 'x'])).rejects.toThrow('Line 2 is longer than 1 MiB.');
    await expect(linesOf(['\n\n', Buffer.from([0xff, 0x0a])])).rejects.toThrow('Line 3 is not UTF-8.');
  });
});

describe('the keys of events', () => {
  it('are UUIDs derived from the run, the event and its occurrence', () => {
    const [run, again, other] = [new EventKeys('RUN'), new EventKeys('run'), new EventKeys('other')];
    const keys = ['a', 'b', 'a'].map((json) => run.next(json));
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(['a', 'a', 'b'].map((json) => again.next(json))).toEqual([keys[0], keys[2], keys[1]]);
    expect(keys).not.toContain(other.next('a'));
  });

  it('are limited to a number of different events, and none is dropped', () => {
    const keys = new EventKeys('run', 2);
    const first = ['a', 'b', 'a', 'b'].map((json) => keys.next(json));
    expect(new Set(first).size).toBe(4);
    expect(() => keys.next('c')).toThrow('more than 2 different events');
  });
});
