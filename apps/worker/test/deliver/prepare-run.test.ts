import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChannelKindDefinition } from '@postrider/channels';
import type { ClaimedRun } from '@postrider/db';
import { createEventLoopTurns, LARGE_JSON_CHARACTERS, LARGE_JSON_TURNS } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';
import { describe, expect, it } from '@postrider/testing';
import { type RenderDeps, renderRun } from '../../src/deliver/prepare-run.ts';

/** A kind that sends the first file of a message. */
const kind = {
  suppressibleField: null,
  template: {
    render: async (_renderer: Renderer, run: { readFile(number: number): Promise<Buffer | null> }) => ({
      ok: true,
      content: await run.readFile(1),
    }),
  },
} as unknown as ChannelKindDefinition;
const deps = (readFile: RenderDeps['readFile']): RenderDeps => ({
  renderer: {} as Renderer,
  turns: createEventLoopTurns(LARGE_JSON_TURNS),
  loadTemplate: async () => ({ template: null, resources: null }),
  unsubscribe: { publicUrl: null } as RenderDeps['unsubscribe'],
  readFile,
  findSuppressedCopies: async () => [],
});
const RUN = {
  runId: '018f0000-0000-7000-8000-000000000001',
  environmentId: '018f0000-0000-7000-8000-000000000002',
  tenantId: '018f0000-0000-7000-8000-000000000003',
  sequence: null,
  templateVersionId: null,
  channel: { id: '018f0000-0000-7000-8000-000000000004', kind: 'email', name: 'mail' },
  message: {
    id: '018f0000-0000-7000-8000-000000000005',
    createdAt: new Date(0),
    eventKey: 'order.shipped',
    recipient: {},
    payload: {},
    stream: null,
    test: false,
    characters: 4,
  },
} as unknown as ClaimedRun;
const signal = new AbortController().signal;

describe('a run whose file cannot be read', () => {
  it('fails without sending anything, and is retried', async () => {
    const lost = deps(() => Promise.reject(new Error('the database is away')));
    expect(await renderRun(lost, kind, RUN, signal)).toMatchObject({
      error: { code: 'template_render_failed', retryable: true },
    });
  });

  it('is rendered when the file can be read again', async () => {
    const file = Buffer.from('file');
    expect(
      await renderRun(
        deps(async () => file),
        kind,
        RUN,
        signal,
      ),
    ).toMatchObject({ content: file });
  });
});

describe('a run with copies', () => {
  const copied = { ...kind, copiesOf: () => ['copy@example.com'] };
  const withCopies = (findSuppressedCopies: RenderDeps['findSuppressedCopies']): RenderDeps => ({
    ...deps(async () => null),
    findSuppressedCopies,
  });

  it('fails without sending anything while the suppression list cannot be read, and is retried', async () => {
    const lost = withCopies(() => Promise.reject(new Error('the database is away')));
    expect(await renderRun(lost, copied, RUN, signal)).toMatchObject({
      error: { code: 'template_render_failed', retryable: true },
    });
  });

  it('is rendered with those that are suppressed', async () => {
    expect(
      await renderRun(
        withCopies(async (_run, addresses) => addresses),
        copied,
        RUN,
        signal,
      ),
    ).toMatchObject({
      suppressedCopies: ['copy@example.com'],
    });
  });
});

/** The most by which a count grows in one turn of the event loop, until it reaches `end`. */
async function mostPerTurn(count: () => number, end: number): Promise<number> {
  let before = count();
  let most = before;
  while (before < end) {
    await nextTurn();
    most = Math.max(most, count() - before);
    before = count();
  }
  return most;
}

describe('runs with large messages', () => {
  it('parse the address for the unsubscribe link one by one', async () => {
    const { turns } = deps(async () => null);
    const addresses = { ...kind, suppressibleField: 'email' } as ChannelKindDefinition;
    let read = 0;
    const all = Array.from({ length: 5 }, () => {
      const message = {
        ...RUN.message,
        stream: 'news',
        characters: LARGE_JSON_CHARACTERS,
        get recipient() {
          read += 1;
          return { email: 'ada@example.com' };
        },
      };
      return renderRun({ ...deps(async () => null), turns }, addresses, { ...RUN, message }, signal);
    });
    expect(await mostPerTurn(() => read, all.length)).toBe(1);
    await Promise.all(all);
  });

  it('are rendered one by one, and the event loop handles other events in between', async () => {
    let rendered = 0;
    const counting = {
      ...kind,
      template: {
        render: async () => {
          rendered += 1;
          return { ok: true, content: null };
        },
      },
    } as unknown as ChannelKindDefinition;
    const { turns } = deps(async () => null);
    const all = Array.from({ length: 5 }, () => {
      const large = { ...RUN, message: { ...RUN.message, characters: LARGE_JSON_CHARACTERS } };
      return renderRun({ ...deps(async () => null), turns }, counting, large, signal);
    });
    expect(await mostPerTurn(() => rendered, all.length)).toBe(1);
    await Promise.all(all);
  });
});
