import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, startHttpReceiver } from '../http-receiver.ts';
import type { Listening } from '../loopback.ts';
import { type Case, DEFAULT_OPTIONS } from './case.ts';
import { problemsOf, type Seen } from './check.ts';
import { ACCEPTED, loadCases } from './load.ts';
import { play } from './play.ts';
import { signed } from './sign.ts';

/** How long a client may take to close what it has left. */
const CLOSE_MS = 5_000;

/** A client doing a case. Its token says which requests are of it. */
interface Run {
  readonly test: Case;
  readonly seen: Seen[];
  readonly open: Set<Promise<void>>;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
}

/** Answers a request of a client as its case says, and records it. */
async function serve(run: Run, received: ReceivedRequest, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = received.path.split('?', 2);
  const headers = Object.fromEntries(
    Object.entries(received.headers).map(([name, value]) => [name, String(value)]),
  );
  const { method, body, monotonicAt: at } = received;
  const request: Seen = {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
    body,
    at,
  };
  const step = run.test.answers?.[run.seen.push(request) - 1];
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  run.open.add(closed);
  void closed.then(() => run.open.delete(closed));
  if (step === undefined)
    json(response, 400, { error: { code: 'no_more_answers', message: 'The case is over.' } });
  else await play(step, received, response, ACCEPTED);
}

/** Whether a client closes all connections in time. */
async function closesAll({ open }: Run): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CLOSE_MS);
  });
  const isClosed = await Promise.race([Promise.all(open).then(() => true), late]);
  clearTimeout(timer);
  return isClosed;
}

async function problemsIn(run: Run, outcomes: unknown): Promise<string[]> {
  const problems = problemsOf(run.test.expect, run.seen, outcomes);
  if (run.test.expect.closed && !(await closesAll(run))) problems.push('the client left a connection open');
  return problems;
}

/**
 * Starts the server that misbehaves on purpose, on a free port of 127.0.0.1. README.md describes how a client asks for
 * the cases and reports what it got.
 */
export async function startConformanceServer(): Promise<Listening> {
  const cases = new Map(loadCases().map((test) => [test.name, test]));
  const runs = new Map<string, Run>();

  function start(name: string, response: ServerResponse): void {
    const test = cases.get(name);
    if (!test) {
      json(response, 404, { problems: [`there is no case "${name}"`] });
      return;
    }
    const token = `pr_test_${randomUUID()}`;
    runs.set(token, { test, seen: [], open: new Set() });
    const options = { ...DEFAULT_OPTIONS, ...test.options };
    json(response, 200, { token, options, calls: test.calls.map(signed) });
  }

  return startHttpReceiver(async (received, response) => {
    const { path, body, headers } = received;
    const run = runs.get((headers.authorization ?? '').replace(/^Bearer /, ''));
    if (run) return serve(run, received, response);
    if (path === '/conformance/cases') return json(response, 200, { cases: [...cases.keys()] });
    if (path === '/conformance/runs') return start(JSON.parse(body).case, response);
    if (path === '/conformance/outcomes') {
      const { token, outcomes } = JSON.parse(body);
      const ended = runs.get(token);
      runs.delete(token);
      const problems = ended ? await problemsIn(ended, outcomes) : ['there is no run with this token'];
      return json(response, 200, { problems });
    }
    return json(response, 401, { error: { code: 'unauthorized', message: 'The token is not of a run.' } });
  });
}

/** `npm run conformance`: serves the cases for clients in any language until it is stopped. */
export async function serveConformance(): Promise<void> {
  const { url } = await startConformanceServer();
  process.stdout.write(`CONFORMANCE_URL=${url}\n`);
  await new Promise(() => undefined);
}
