import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** The service's own limit. */
const BODY_LIMIT = '1mb';

/** Starts a route that parses an event and answers as the service does, and does nothing else. Returns its URL. */
async function start(_: null): Promise<string> {
  const app = express();
  app.disable('x-powered-by');
  app.post('/api/v1/events', express.json({ limit: BODY_LIMIT }), (request, response) => {
    response.status(201).json({
      message_id: 'msg_01jd5q7m6kfxz8v3m0t4w9c2ae',
      status: 'accepted',
      event_key: request.body.event_key,
      created_at: '2026-11-21T08:00:00.000Z',
      delivery_runs: [
        {
          id: 'run_01jd5q7m6kfxz8v3m0t4w9c2af',
          channel_id: 'chn_01jd5q7m6kfxz8v3m0t4w9c2ag',
          status: 'queued',
        },
      ],
    });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/events`;
}

/** The questions that the bare route's process answers. */
export const handlers = { start };
export type ExpressFloor = typeof handlers;
