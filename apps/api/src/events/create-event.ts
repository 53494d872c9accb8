import { dated, type EventToAccept } from '@postrider/db';
import {
  decodeFile,
  fileMarker,
  formatId,
  type IdempotencyClaim,
  invalid,
  refuse,
  reject,
  STILL_IN_PROGRESS,
} from '@postrider/domain';
import { MAX_BODY_BYTES } from '../http/admission.ts';
import { MEMORY } from '../http/memory.ts';
import { ACCEPTED_EXAMPLE, EVENT_EXAMPLES } from '../openapi/examples.ts';
import { ref } from '../openapi/schema.ts';
import { rejectIf } from '../pipeline/limits.ts';
import {
  type Operation,
  type OperationDeps,
  operatorAudit,
  type PublicResource,
  type RunOperation,
} from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { parseBody } from '../validation/body.ts';
import { createPayloadCheck } from '../validation/payload-schemas.ts';
import { BATCH_RESULTS_SCHEMA } from './batch-schema.ts';
import { createEvents } from './create-batch.ts';
import { EVENT_BODY_SCHEMA } from './schema.ts';
import {
  CREATED,
  consumerIdOf,
  createValidateEvent,
  draftEvent,
  NO_CONSUMERS,
  refuseBeyondScopes,
} from './validate-event.ts';

/** Shorter strings stay in the payload. */
const MIN_FILE_CHARACTERS = 4 * 1024;
const MAX_FILES = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACES = [0x20, 0x09, 0x0a, 0x0d];

const TOO_LARGE = refuse('payload_too_large', {
  message: `Without files in base64, a body has at most ${MAX_BODY_BYTES} bytes.`,
});
const TOO_MANY = refuse('payload_too_large', { message: `An event has at most ${MAX_FILES} files.` });

/**
 * Takes files out of the body of a large event: base64 strings of 4 KiB and more. The rest is at most as large as any
 * other body, so parsing and checking it costs no more. The number of small strings that it scans is limited in the
 * same way, whatever the body contains. A body that is not JSON is returned unchanged, or refused as too large.
 * @returns the body with markers instead of files, and the files, numbered from 1
 * @throws RefusedError if the body without them is too large, or they are too many
 */
export function takeFiles(body: Uint8Array): {
  readonly bytes: Uint8Array;
  readonly files: readonly Buffer[];
} {
  if (body.byteLength <= MAX_BODY_BYTES) return { bytes: body, files: [] };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const pieces: Buffer[] = [];
  const files: Buffer[] = [];
  let taken = 0;
  let copied = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const close = endOfString(bytes, open, MAX_BODY_BYTES + taken);
    if (close < 0) reject(TOO_LARGE);
    const file = fileAt(bytes, open, close);
    if (file) {
      if (files.length === MAX_FILES) reject(TOO_MANY);
      files.push(file);
      pieces.push(bytes.subarray(copied, open), Buffer.from(`"${fileMarker(files.length, file)}"`));
      copied = close + 1;
      taken += close + 1 - open;
    }
    if (close + 1 - taken > MAX_BODY_BYTES) reject(TOO_LARGE);
    open = bytes.indexOf(QUOTE, close + 1);
  }
  if (bytes.byteLength - taken > MAX_BODY_BYTES) reject(TOO_LARGE);
  return { bytes: Buffer.concat([...pieces, bytes.subarray(copied)]), files };
}

/**
 * The index of the string's closing quote. -1 if there is none, or if a string with escapes, which cannot be a file,
 * ends after `limit`.
 */
function endOfString(bytes: Buffer, open: number, limit: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
    if (at > limit) return -1;
  }
  return -1;
}

/** The file in a string; null for a key, and for other strings. */
function fileAt(bytes: Buffer, open: number, close: number): Buffer | null {
  if (close - open <= MIN_FILE_CHARACTERS) return null;
  let next = close + 1;
  while (SPACES.includes(bytes[next] ?? 0)) next += 1;
  if (bytes[next] === COLON) return null;
  return decodeFile(bytes.toString('latin1', open + 1, close).replace(/\\[rn]/g, ''));
}

function requiredClaim({ claim }: ApiRequest): IdempotencyClaim {
  if (!claim) throw new Error('an event passed the pipeline without an Idempotency-Key');
  return claim;
}

/** Creates a message, with one run per enabled channel that takes the event. */
function runCreate(deps: OperationDeps): RunOperation {
  const { clock, ingest, enqueue, newId, eventConsumers, spentQuota } = deps;
  const validate = createValidateEvent(createPayloadCheck());

  function audited(event: EventToAccept, request: ApiRequest): EventToAccept {
    if (request.actor === null) return event;
    const audit = operatorAudit({ newId }, request, {
      action: 'message.sent',
      resourceId: formatId('msg', event.messageId),
      after: { event_key: event.message.eventKey },
    });
    return { ...event, audit };
  }

  return async (request) => {
    const { snapshot, context } = request;
    const { bytes, files } = takeFiles(request.bytes);
    const body = parseBody(bytes);
    const id = consumerIdOf(body);
    const consumers = id === null ? NO_CONSUMERS : await eventConsumers.find([body], snapshot);
    const validated = validate(body, request, consumers);
    if ('issues' in validated) reject(invalid(validated.issues));
    const refusal = refuseBeyondScopes(validated, request);
    rejectIf(refusal);
    const consumer = id === null ? undefined : consumers.get(id);
    const tokens =
      id === null ? null : await eventConsumers.admit(request, { id, consumer }, { wanted: 1, whole: true });
    rejectIf(tokens?.refusal);

    const claim = requiredClaim(request);
    const ingested = await dated(clock, (now) =>
      ingest(
        audited(draftEvent(validated, request, { claim, now, bytes: bytes.byteLength, files }), request),
      ),
    );
    switch (ingested.outcome) {
      case 'accepted':
        context.facts.message_id = formatId('msg', ingested.messageId);
        spentQuota.accepted(snapshot, ingested.eventsUsed);
        // Best effort, and not awaited: the rows are the outbox, which workers poll.
        void enqueue(ingested.enqueue);
        return { status: CREATED, body: ingested.body };
      case 'quota_exceeded':
        return reject(spentQuota.exceeded(ingested, snapshot, consumer));
      case 'duplicate':
      case 'in_progress':
        tokens?.giveBack(1);
        return reject(STILL_IN_PROGRESS);
    }
  };
}

const createEvent: Operation = {
  method: 'post',
  path: '/api/v1/events',
  operationId: 'createEvent',
  asOperator: 'createEnvironmentEvent',
  scope: 'events:write',
  memory: MEMORY.small,
  summary: 'Send an event',
  description:
    'Accepts one event and creates a message with one delivery run for each enabled channel that takes it. ' +
    'The response means that the event is stored and will be delivered at least once. It does not wait for ' +
    'the delivery. Counts 1 against the quota.',
  traits: {
    idempotency: { operation: 'events.create', key: 'required' },
    acceptsFiles: true,
    share: 'work',
    checksQuotaAndPayment: true,
  },
  parameters: [],
  body: { schema: EVENT_BODY_SCHEMA, examples: EVENT_EXAMPLES },
  success: { status: 201, schema: ref('Accepted'), example: ACCEPTED_EXAMPLE },
  errors: ['token_scope_missing'],
  run: runCreate,
};

export const EVENTS: PublicResource = {
  tag: { name: 'Events', description: 'Events that your product sends.' },
  schemas: { EventResults: BATCH_RESULTS_SCHEMA },
  operations: [createEvent, createEvents],
};
