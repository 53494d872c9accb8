import { ERROR_CODES } from '@postrider/domain';
import { ERROR_TABLE } from '../http/error-table.ts';
import { ERROR_GUIDE } from './error-guide.ts';
import { RESPONSE_HEADERS } from './headers.ts';
import type { OperationDoc } from './operation-doc.ts';
import { OPERATION_DOCS } from './operations/index.ts';
import { idempotencyKey, REQUEST_ID } from './parameters.ts';
import { responsesOf } from './responses.ts';
import type { Schema } from './schema-object.ts';
import { ACCOUNT_SCHEMAS } from './schemas/account.ts';
import { DELIVERY_SCHEMAS } from './schemas/deliveries.ts';
import { ERROR_SCHEMAS } from './schemas/error.ts';
import { MESSAGE_SCHEMAS } from './schemas/messages.ts';
import { DELIVERY_WEBHOOK } from './webhook.ts';

/** The version of the interface, not of the program: it changes with what clients can see. */
export const INTERFACE_VERSION = '1.0.0';

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly [part: string]: unknown;
  };
  readonly [part: string]: unknown;
};

/**
 * The OpenAPI document of the public API: the living form of the interface specification and the contract.
 * Request schemas are the objects that validate requests; statuses come from the error table.
 */
export function createOpenApiDocument(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Postrider', version: INTERFACE_VERSION, description: introduction() },
    servers: [{ url: '/', description: 'Where this document comes from.' }],
    security: [{ environmentToken: [] }],
    tags: [
      { name: 'Events', description: 'What your product tells the service.' },
      { name: 'Messages', description: 'What has become of it.' },
      { name: 'Delivery runs', description: 'One delivery of a message to one channel.' },
      { name: 'Account', description: 'Usage and limits of the tenant.' },
      { name: 'Webhooks', description: 'What the service sends to you.' },
    ],
    paths: paths(),
    webhooks: { delivery: DELIVERY_WEBHOOK },
    components: {
      securitySchemes: {
        environmentToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of one environment, such as `pr_dev_…`. What it makes belongs to that environment.',
        },
      },
      headers: RESPONSE_HEADERS,
      schemas: { ...ERROR_SCHEMAS, ...MESSAGE_SCHEMAS, ...DELIVERY_SCHEMAS, ...ACCOUNT_SCHEMAS },
    },
  };
}

function paths(): Record<string, Record<string, unknown>> {
  const result: Record<string, Record<string, unknown>> = {};
  for (const doc of OPERATION_DOCS) result[doc.path] = { ...result[doc.path], [doc.method]: operation(doc) };
  return { ...result, '/api/v1/events': { ...result['/api/v1/events'], options: PREFLIGHT } };
}

function operation(doc: OperationDoc): Record<string, unknown> {
  const { key } = doc.traits.idempotency;
  return {
    operationId: doc.operationId,
    tags: [doc.tag],
    summary: doc.summary,
    description: doc.description,
    parameters: [
      ...doc.parameters,
      ...(key === 'ignored' ? [] : [idempotencyKey(key === 'required')]),
      REQUEST_ID,
    ],
    ...(doc.body === undefined
      ? {}
      : {
          requestBody: {
            required: doc.traits.body === 'required',
            content: { 'application/json': doc.body },
          },
        }),
    responses: responsesOf(doc),
  };
}

const PREFLIGHT = {
  operationId: 'preflightEvents',
  tags: ['Events'],
  summary: 'Ask for permission as a browser does',
  description: 'Answers the preflight of CORS, without a token. Every path of the interface has it.',
  security: [],
  responses: {
    '204': {
      description: 'The methods and headers that pages of the allowed origins may use.',
      headers: {
        'Access-Control-Allow-Origin': { schema: { type: 'string' } },
        'Access-Control-Allow-Methods': { schema: { type: 'string' } },
        'Access-Control-Allow-Headers': { schema: { type: 'string' } },
        'Access-Control-Max-Age': { schema: { type: 'integer' } },
        'X-Trace-ID': { $ref: '#/components/headers/X-Trace-ID' },
      },
    },
  },
};

function introduction(): string {
  const rows = ERROR_CODES.map((code) => {
    const { meaning, action } = ERROR_GUIDE[code];
    return `| ${ERROR_TABLE[code].status} | \`${code}\` | ${meaning} | ${action} |`;
  });
  return `Send an event; Postrider sends the e-mails and webhooks that it calls for, at least once, and tells what has become of each.

**Try it here:** press *Authorize*, paste an environment token, open an operation and press *Execute*. Leave the example of \
\`Idempotency-Key\` as it is and this page draws a fresh key for each request; put one of your own to see a request repeated.

**Common rules.** JSON in UTF-8 with \`snake_case\` names. Times are RFC 3339; in answers in UTC with milliseconds. \
A body has at most 256 KiB and 32 levels, and unknown fields of a body are refused. An id of another environment answers exactly as one that \
does not exist.

**Order of the checks.** Token (401), size and type of the body (413, 415), idempotency (400, 409, or the stored answer), quota and \
payment (402), rate (429), then the body itself (400, 422) and the operation. A request that is wrong in two ways gets the earlier answer.

### Errors

| Status | Code | Meaning | What to do |
|---|---|---|---|
${rows.join('\n')}
`;
}
