import type { SchemaObject } from 'ajv';
import {
  id,
  nullable,
  optionalTime,
  pageOf,
  record,
  ref,
  type Schema,
  text,
  time,
} from '../../openapi/schema.ts';
import { NAME_SCHEMA } from '../schemas.ts';

export interface TokenBody {
  readonly name: string;
  readonly expires_at?: string | null;
}

/** Body of POST /admin/v1/environments/{environmentId}/tokens: docs/specification.md, "Tokens". */
export const TOKEN_BODY_SCHEMA = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { ...NAME_SCHEMA, description: 'For people; it need not be unique.' },
    expires_at: {
      type: ['string', 'null'],
      format: 'date-time',
      default: null,
      description:
        'From then on, by the database’s clock, it is refused; an RFC 3339 time in the future. Null means never.',
    },
  },
} as const satisfies SchemaObject;

/** 30 days: for longer than that, issue a second token. */
const MAX_OVERLAP_SECONDS = 2_592_000;

export interface RotateTokenBody {
  readonly overlap_seconds?: number;
}

/** Body of POST /admin/v1/tokens/{tokenId}/rotate, which may be left out. */
export const ROTATE_TOKEN_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      default: 86_400,
      description: 'How long the old token works on beside the new one, at most 30 days; 0 ends it at once.',
    },
  },
} as const satisfies SchemaObject;

const TOKEN = {
  id: id('tok', 'The token.'),
  environment_id: id('env', 'Its environment.'),
  name: text('For people.'),
  prefix: text('What it begins with, up to its secret part.'),
  last_four: text('Its last four characters, which tell its owner which one it is.'),
  created_at: time('When it was issued.'),
  expires_at: optionalTime('From this moment on, by the database’s clock, it is refused; null means never.'),
  last_used_at: optionalTime(
    'The minute in which it was last used, known some minutes later; null when it never was.',
  ),
  revoked_at: optionalTime('When it was revoked; null when it was not.'),
  replaced_by: nullable(id('tok', 'The token that a rotation has issued in its place.')),
};

const SECRET = text('The token itself, for the Authorization header: in this answer and never again.');

/** See docs/specification.md, "Tokens". */
export const TOKEN_SCHEMAS: Readonly<Record<string, Schema>> = {
  Token: record('What clients of an environment authenticate with, without its secret.', TOKEN),
  TokenList: pageOf('Token', 'A page of tokens, newest first.'),
  IssuedToken: record('A new token, with its secret.', { ...TOKEN, token: SECRET }),
  RotatedToken: record('A new token, with its secret, and the one that it replaces.', {
    ...TOKEN,
    token: SECRET,
    previous: ref('Token'),
  }),
};
