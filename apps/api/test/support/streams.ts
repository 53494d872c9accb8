import { get, type IncomingMessage } from 'node:http';
import { type Database, openDatabase } from '@postrider/db';
import { createTestSecretBox } from '@postrider/db/testing';
import { afterAll, afterEach, expect } from '@postrider/testing';
import { createStreams, STREAM_BOUNDS, type StreamBounds } from '../../src/stream/streams.ts';
import type { TestApi } from './api.ts';
import type { useApi } from './database.ts';
import { until } from './waiting.ts';

const QUICK: StreamBounds = { ...STREAM_BOUNDS, readEveryMs: 10, tickEveryMs: 10 };
/** Streams end only if a test ends them. */
const never = () => false;
const secretBox = createTestSecretBox();

export interface Listening {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The text received so far. */
  readonly text: () => string;
  readonly events: () => { event: string; data: Record<string, string> }[];
  /** The last position. */
  readonly lastId: () => string | undefined;
  readonly hasEnded: () => boolean;
  readonly close: () => void;
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The ids of the messages whose acceptance a stream has reported. */
export const messagesOf = (stream: Listening) =>
  stream.events().flatMap(({ event, data }) => (event === 'message.accepted' ? [data.message_id] : []));

/** Streams of the API of a test file. They are closed after each test: a process that stops waits for them. */
export function useStreams({ url, more }: Pick<ReturnType<typeof useApi>, 'url' | 'more'>) {
  const open: IncomingMessage[] = [];
  let restricted: Database | undefined;
  afterEach(() => {
    for (const response of open.splice(0)) response.destroy();
  });
  afterAll(() => restricted?.$disconnect());

  function openStreams(bounds: Partial<StreamBounds> = {}, isStopping = never) {
    // As the role to which the row-level policies apply.
    restricted ??= openDatabase(url());
    return createStreams({
      db: restricted,
      secretBox,
      monotonicMs: () => performance.now(),
      isStopping,
      bounds: { ...QUICK, ...bounds },
    });
  }

  /** An API whose streams have these bounds; each can continue from the positions of the others. */
  const startStreaming = (bounds: Partial<StreamBounds> = {}, isStopping = never): Promise<TestApi> =>
    more({ streams: openStreams(bounds, isStopping), isStopping });

  function listen(
    api: Pick<TestApi, 'url'>,
    headers: Record<string, string>,
    path = '/api/v1/stream',
  ): Promise<Listening> {
    return new Promise((resolve, reject) => {
      const request = get(`${api.url}${path}`, { headers, agent: false }, (response) => {
        open.push(response);
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('error', () => undefined);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: () => text,
          events: () =>
            [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event = '', data = '{}']) => ({
              event,
              data: JSON.parse(data),
            })),
          lastId: () => [...text.matchAll(/^id: (.*)\n/gm)].at(-1)?.[1],
          hasEnded: () => response.closed || response.complete,
          close: () => response.destroy(),
        });
      });
      request.on('error', reject);
    });
  }

  /** Opens a stream and waits for its position: from then on it reports everything. */
  async function follow(
    api: Pick<TestApi, 'url'>,
    headers: Record<string, string>,
    path?: string,
  ): Promise<Listening> {
    const stream = await listen(api, headers, path);
    expect(stream.status).toBe(200);
    await until(() => stream.lastId() !== undefined);
    return stream;
  }

  return { openStreams, startStreaming, listen, follow };
}
