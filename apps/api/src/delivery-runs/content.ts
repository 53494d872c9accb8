import {
  type ChannelRegistry,
  contentDigest,
  type EmailContent,
  presentEnvelope,
  RENDERED_ENVELOPE,
  type ReadFile,
} from '@postrider/channels';
import {
  countRunMessageBytes,
  readInEnvironments,
  readMessageFile,
  readSentAttempt,
  type SentAttempt,
} from '@postrider/db';
import {
  conflict,
  formatId,
  formatTime,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseId,
  reject,
  retryLater,
  templateContextOf,
  type UnsubscribeUrlDeps,
  unsubscribeUrlOf,
} from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';
import { type CountStored, MEMORY } from '../http/memory.ts';
import { CANCELLED_EXAMPLE } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, type Parameter } from '../paging/query.ts';
import { publicOperation, READ } from '../pipeline/operation.ts';

/** Concurrent contents with files of a process. Each takes some 20 MB while it is built. */
const FILES_AT_ONCE = { total: 2, perOwner: 1, maxWaiting: 64, maxWaitingPerOwner: 16 };

const UNVERIFIED_REASONS = ['nothing_sent', 'in_progress', 'worker_lost', 'not_stored'] as const;

/** More than any retry policy allows. */
const MAX_ATTEMPT = 1_000;

const ATTEMPT: Parameter<number> = {
  parse: (given) => (/^\d{1,4}$/.test(given) && +given >= 1 && +given <= MAX_ATTEMPT ? +given : null),
  code: 'invalid_value',
  message: `must be a whole number from 1 to ${MAX_ATTEMPT}`,
};

const HEADERS = json.list(
  { ...json.list(json.text('The name, and the value.')), minItems: 2, maxItems: 2 },
  'Names and values.',
);

export const REQUEST_SCHEMA = json.record('A request.', {
  method: json.text('Its method; `PUBLISH` to a broker.'),
  url: json.text('The channel’s current URL, without parts that could be secret.'),
  headers: HEADERS,
  body: json.text('What was posted.'),
});

export const contentSchemas = ({ kinds }: ChannelRegistry): json.Schemas => {
  const fields = {
    delivery_run_id: json.id('run', 'The delivery run.'),
    attempt: json.ordinal('The attempt.'),
    kind: json.oneOf(kinds, 'The kind of the channel.'),
    verified: {
      type: ['boolean', 'null'],
      description:
        'Whether exactly this was sent: its SHA-256 equals that of the attempt. Null if the attempt has ' +
        'none: see `unverified_reason`.',
    },
    unverified_reason: json.nullable(
      json.oneOf(
        UNVERIFIED_REASONS,
        'Why the attempt has no SHA-256; null if it has one. `nothing_sent`: it failed before it sent. `in_progress`: it ' +
          'may be sending. `worker_lost`: its worker was lost before it had sent for a second, so that it sent this content ' +
          'or nothing. `not_stored`: it is older than this feature.',
      ),
    ),
    sha256: json.nullable(json.text('SHA-256 of the content that the attempt sent, in hexadecimal.')),
    rendered_at: json.optionalTime('When the attempt began, whose template version and data are used.'),
    connected_address: json.nullable(json.text('The remote address and port, if known.')),
    response: json.nullable(
      json.record('The response of the receiver.', {
        status: { type: 'integer', description: 'HTTP status or SMTP reply code.' },
        headers: HEADERS,
        excerpt: json.nullable(json.text('The beginning of its body, or its reply.')),
      }),
    ),
  };
  const mail = json.record('A mail.', {
    subject: json.text('On one line.'),
    from: json.nullable(json.text('As the attempt sent it.')),
    to: json.nullable(json.text('As the attempt sent it.')),
    html: json.nullable(json.text('The HTML part.')),
    text: json.nullable(json.text('The text part.')),
    source: json.text('Headers and parts as text, without MIME encoding.'),
    headers: HEADERS,
  });
  const { headers: _own, ...envelope } = RENDERED_ENVELOPE;
  const email = {
    ...mail,
    properties: { ...(mail.properties as json.Schemas), ...envelope },
  };
  return {
    SentContent: {
      ...json.record('What an attempt sent, rendered again.', fields),
      properties: { ...fields, email, request: REQUEST_SCHEMA },
    },
  };
};

const CONTENT_EXAMPLE = {
  delivery_run_id: CANCELLED_EXAMPLE.id,
  attempt: 1,
  kind: 'email',
  verified: true,
  unverified_reason: null,
  sha256: '5f7c0a5d2d3b6c1e4f8a9b0c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e',
  rendered_at: '2026-11-21T09:30:00.060Z',
  email: {
    subject: 'Order A-1042 has been shipped',
    from: 'Shop <shop@example.com>',
    to: 'Ada Lovelace <ada@example.com>',
    html: '<p>Order A-1042</p>',
    text: 'Order A-1042',
    source: 'Subject: Order A-1042 has been shipped\n\nOrder A-1042',
    headers: [['Subject', 'Order A-1042 has been shipped']],
  },
  connected_address: '198.51.100.7:587',
  response: { status: 250, headers: [], excerpt: '250 2.0.0 Ok: queued' },
};

type Pair = [string, string];

function storedHeaders(exchange: JsonObject | null, field: string): Pair[] {
  const stored = exchange?.[field];
  return Array.isArray(stored) ? (stored as Pair[]) : [];
}

/** The content for people: an email has a subject, others a body. */
function presentContent(
  content: JsonObject,
  {
    target,
    headers,
  }: { readonly target: { readonly method: string; readonly url: string }; readonly headers: Pair[] },
): JsonObject {
  if (typeof content.subject !== 'string') {
    return { request: { ...target, headers, body: String(content.body ?? '') } };
  }
  const header = (name: string) => headers.find(([given]) => given === name)?.[1] ?? null;
  const { subject, html = null, text: plain = null } = content;
  const head = headers.length > 0 ? headers : [['Subject', subject]];
  const parts = [plain, html].filter((part) => part !== null);
  const source = [head.map(([name, value]) => `${name}: ${value}`).join('\n'), ...parts].join('\n\n');
  const { headers: _own, ...envelope } = presentEnvelope(content as unknown as EmailContent);
  const email = { subject, from: header('From'), to: header('To'), html, text: plain, source, headers };
  return { email: { ...email, ...envelope } };
}

/** Why an attempt has no digest; null if it has one. */
function unverifiedReason({
  sha256,
  status,
  errorCode,
  responseStatus,
}: SentAttempt): (typeof UNVERIFIED_REASONS)[number] | null {
  if (sha256 !== null) return null;
  if (status === 'running') return 'in_progress';
  if (status === 'unknown' && errorCode === 'worker_lost') return 'worker_lost';
  return status === 'failed' && responseStatus === null ? 'nothing_sent' : 'not_stored';
}

interface Rendering {
  readonly content: unknown;
  readonly unsubscribeUrl: string | null;
}

function present(
  sent: SentAttempt,
  { content, unsubscribeUrl }: Rendering,
  kinds: ChannelRegistry,
): JsonObject {
  const { exchange, responseStatus, responseExcerpt, channel, message, sha256 } = sent;
  const connected = exchange?.connectedAddress;
  const { config, headersOf, targetOf } = kinds.get(channel.kind);
  const reason = unverifiedReason(sent);
  const runId = formatId('run', sent.runId);
  const headers =
    reason === 'worker_lost' && exchange === null
      ? headersOf?.(channel.config, content, { ids: { run: runId }, message, unsubscribeUrl })
      : storedHeaders(exchange, 'requestHeaders');
  const target = targetOf?.(channel.config) ?? {
    method: 'POST',
    url: String(config.presentForAudit(channel.config).url ?? ''),
  };
  return {
    delivery_run_id: runId,
    attempt: sent.number,
    kind: channel.kind,
    verified: sha256 === null ? null : contentDigest(content) === sha256,
    unverified_reason: reason,
    sha256,
    rendered_at: formatTime(sent.startedAt),
    ...presentContent(isJsonObject(content as JsonValue) ? (content as JsonObject) : {}, {
      target,
      headers: [...(headers ?? [])].map(([name, value]) => [name, value]),
    }),
    connected_address: typeof connected === 'string' ? connected : null,
    response:
      responseStatus === null
        ? null
        : {
            status: responseStatus,
            headers: storedHeaders(exchange, 'responseHeaders'),
            excerpt: responseExcerpt,
          },
  };
}

/** Renders the content of an attempt as its worker did, from the template version and the message. */
async function render(
  {
    kinds,
    renderer,
    serviceKeys,
    publicUrl,
  }: UnsubscribeUrlDeps & {
    readonly kinds: ChannelRegistry;
    readonly renderer: Renderer;
  },
  sent: SentAttempt,
  { owner, readFile }: { readonly owner: string; readonly readFile: ReadFile },
): Promise<JsonObject> {
  const { channel, message } = sent;
  if (message.erasedAt) reject(conflict('The recipient’s data was erased.'));
  const kind = kinds.get(channel.kind);
  const link = await unsubscribeUrlOf({ serviceKeys, publicUrl }, sent, kind.suppressibleField);
  if (!link.ok) reject(conflict('The content has an unsubscribe link, which needs PUBLIC_URL.'));
  const context = templateContextOf(sent, link.url, sent.resources);
  const rendered = await kind.template.render(
    renderer,
    { ...sent, context, readFile },
    { owner, part: channel.id },
  );
  if (rendered.ok) return present(sent, { content: rendered.content, unsubscribeUrl: link.url }, kinds);
  return reject(
    rendered.reason === 'busy' || rendered.reason === 'lost'
      ? retryLater('service_unavailable', 1)
      : conflict(`The content cannot be rendered: ${rendered.message}`),
  );
}

/** Besides the message: template, parts, rendered content and response. */
const CONTENT_BYTES = MEMORY.page;
/** The message is parsed, and kept as objects while its content is rendered. */
const PARSED_FACTOR = 2;

const countContent: CountStored = async (db, { environmentId, params }) => {
  const runId = parseId('run', params.deliveryRunId ?? '');
  if (environmentId === null || runId === null) return 0;
  const message = await countRunMessageBytes(db, { environmentId, runId });
  return CONTENT_BYTES + PARSED_FACTOR * message;
};

export const getContent = publicOperation({
  method: 'get',
  path: '/api/v1/delivery-runs/{deliveryRunId}/content',
  operationId: 'getDeliveryContent',
  asOperator: 'getEnvironmentDeliveryContent',
  forConsumers: true,
  scope: 'messages:content',
  memory: countContent,
  summary: 'Read what an attempt sent',
  description:
    'The content of an attempt, rendered again from the template version of its run, and whether its SHA-256 is ' +
    'the same; the headers with secrets masked, and the response. They differ if the template prints the current ' +
    'time. If a worker was lost before it stored the headers of an email, they are derived from the current ' +
    'settings of the channel. 409 if the data was erased or the template fails.',
  traits: READ,
  query: {
    attempt: described('The number of the attempt; the newest by default.', ATTEMPT, {
      type: 'integer',
      minimum: 1,
      maximum: MAX_ATTEMPT,
    }),
  },
  success: returns('SentContent', CONTENT_EXAMPLE),
  errors: ['conflict'],
  run: ({ db, ...deps }) => {
    const files = createFairSemaphore(FILES_AT_ONCE);
    return async ({ ids: { deliveryRunId: runId }, values, snapshot }) => {
      const environmentId = snapshot.environment.id;
      const number = values.attempt ?? null;
      const sent = await readInEnvironments(db, [environmentId], (tx) =>
        readSentAttempt(tx, { environmentId, runId, number }),
      );
      if (!sent) reject('delivery_run_not_found');
      const messageId = sent.message.id;
      const readFile = (file: number) => readMessageFile(db, { environmentId, messageId, number: file });
      const owner = snapshot.tenant.id;
      const needsFiles = Boolean(sent.template?.envelope);
      const permit = needsFiles ? await files.acquire({ owner, part: runId }) : null;
      if (needsFiles && !permit) reject(retryLater('service_unavailable', 1));
      try {
        return await render(deps, sent, { owner, readFile });
      } finally {
        permit?.release();
      }
    };
  },
});
