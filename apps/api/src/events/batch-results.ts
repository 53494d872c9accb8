import { type Detail, type IdempotencyClaim, invalid, type JsonObject, refuse } from '@postrider/domain';
import { formRefusal, type Reply, type Success } from '../http/reply.ts';

/** Issues in a whole response. Each can have a path of 256 characters. */
const MAX_BATCH_DETAILS = 500;

/** An event of the batch that is being processed. */
export interface Item {
  readonly index: number;
  readonly claim: IdempotencyClaim;
  readonly event: JsonObject;
  /** Length of its JSON. */
  readonly bytes: number;
}

/** The results of a batch, by index of the event. Events without a result are open. */
export class Results {
  readonly #replies: (Reply | null)[];
  #detailsLeft = MAX_BATCH_DETAILS;

  constructor(count: number) {
    this.#replies = Array.from({ length: count }, () => null);
  }

  set({ index }: Pick<Item, 'index'>, reply: Reply): void {
    this.#replies[index] = reply;
  }

  /** Sets a 422 with at least one issue, and as many as still fit in the response. */
  setInvalid(item: Pick<Item, 'index'>, issues: readonly Detail[]): void {
    const shown = issues.slice(0, Math.max(1, this.#detailsLeft));
    this.#detailsLeft -= shown.length;
    this.set(item, invalid(shown));
  }

  /** The items without a result. */
  open(items: readonly Item[]): Item[] {
    return items.filter(({ index }) => this.#replies[index] === null);
  }

  hasRefusal(): boolean {
    return this.#replies.some((reply) => reply !== null && 'refused' in reply);
  }

  /** The items with a refusal. */
  refused(items: readonly Item[]): Item[] {
    return items.filter(({ index }) => {
      const reply = this.#replies[index];
      return reply && 'refused' in reply;
    });
  }

  /** All results. Events that are still open were not stored. */
  final(): readonly Reply[] {
    return this.#replies.map((reply) => reply ?? refuse('batch_aborted'));
  }
}

/** What follows the body of a result within the response. */
function endOfResult({ headers = {} }: Success): string {
  const replayed = headers['Idempotent-Replayed'] === undefined ? '' : ',"idempotent_replayed":true';
  const retryAfter = headers['Retry-After'];
  return `${replayed}${retryAfter === undefined ? '' : `,"retry_after":${retryAfter}`}}`;
}

/** The response with the results in order. The bytes of a stored response are not changed. */
export function respond(replies: readonly Reply[], requestId: string | null): Success {
  const parts: Uint8Array[] = [];
  let between = '{"results":[';
  for (const reply of replies) {
    const result = 'refused' in reply ? formRefusal(reply, requestId) : reply;
    parts.push(Buffer.from(`${between}{"status":${result.status},"body":`), result.body);
    between = `${endOfResult(result)},`;
  }
  parts.push(Buffer.from(`${between.slice(0, -1)}]}`));
  return { status: 200, body: Buffer.concat(parts) };
}
