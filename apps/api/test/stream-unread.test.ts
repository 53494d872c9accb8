import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestSecretBox } from '@postrider/db/testing';
import { describe, it } from '@postrider/testing';
import { createStreams, STREAM_BOUNDS } from '../src/stream/streams.ts';
import { useApi } from './support/database.ts';
import { until } from './support/waiting.ts';

const { db, environment } = useApi();

describe('a client that does not read', () => {
  it('is disconnected when it leaves more unread than the limit', async () => {
    const { environmentId, tenantId } = await environment();
    const streams = createStreams({
      db: db(),
      secretBox: createTestSecretBox(),
      monotonicMs: () => performance.now(),
      bounds: { ...STREAM_BOUNDS, readEveryMs: 10, tickEveryMs: 10, heartbeatMs: 0, unreadBytes: 1_024 },
    });
    // Before its turn in the connection a response keeps all that is written, as it does when the socket takes nothing.
    const held: ServerResponse[] = [];
    const server = createServer((_request, response) => held.push(response)).listen(0, '127.0.0.1');
    await until(() => server.listening);
    const { port } = server.address() as AddressInfo;
    const request = get({ port, host: '127.0.0.1', agent: false }, (response) => response.pause());
    request.on('error', () => undefined);
    await until(() => held.length === 1);
    const [response] = held as [ServerResponse];
    response.cork();
    const listener = {
      environmentId,
      tenantId,
      callerId: 'x',
      lastEventId: undefined,
      findCaller: async () => undefined,
    };
    const opened = streams.open(listener);
    if (typeof opened !== 'function') throw new Error('refused');
    opened(response as never);
    await until(() => response.destroyed);
    server.closeAllConnections();
    server.close();
  });
});
