import { createPostrider, type Postrider, type PostriderOptions } from '@postrider/client';

/** What one try is answered with: a status and body, a wait without an answer, or a broken connection. */
export type Step = { status: number; body?: unknown; headers?: Record<string, string> } | 'break' | 'hang';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

export const ACCEPTED = {
  message_id: 'msg_01kb2t5rwhffh8rkc5f0m1ek9q',
  status: 'pending',
  delivery_runs: [],
};

async function play(step: Step, request: Request): Promise<Response> {
  if (step === 'break') throw new TypeError('fetch failed');
  if (step === 'hang') {
    return new Promise((_, reject) => {
      const end = () => reject(request.signal.reason);
      if (request.signal.aborted) end();
      request.signal.addEventListener('abort', end);
    });
  }
  const body = step.body === undefined ? null : JSON.stringify(step.body);
  return new Response(body, { status: step.status, headers: step.headers });
}

/** A client whose service answers by a script, whose waits take no time and are written down. */
export function scriptedClient(
  script: readonly Step[],
  options: Partial<PostriderOptions> = {},
): { client: Postrider; seen: Seen[]; waits: number[] } {
  const seen: Seen[] = [];
  const waits: number[] = [];
  const steps = [...script];
  const client = createPostrider({
    baseUrl: 'https://notify.example.com',
    token: 'pr_test_token',
    surroundings: {
      fetch: async (request) => {
        const { method, url, headers } = request;
        seen.push({ method, url, headers, body: await request.clone().text() });
        const step = steps.shift();
        if (step === undefined) throw new Error('the script has no more answers');
        return play(step, request);
      },
      random: () => 0.5,
      now: () => Date.parse('2026-11-21T12:00:00Z'),
      wait: async (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(ms);
      },
    },
    ...options,
  });
  return { client, seen, waits };
}
