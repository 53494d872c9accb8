import { Agent } from 'node:http';
import { type Got, got } from 'got';

const TIMEOUT_MS = 15_000;

/** got with the options that the worker's webhook sender gives it. */
export const createGotClient = (): Got =>
  got.extend({
    method: 'POST',
    agent: { http: new Agent({ keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' }) },
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    timeout: { request: TIMEOUT_MS },
  });
