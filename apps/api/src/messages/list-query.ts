import type { MessageFilter } from '@postrider/db';
import {
  type DetailCode,
  isBareEmailAddress,
  isEventKey,
  MESSAGE_STATUSES,
  parseTimestamp,
} from '@postrider/domain';
import type { Detail } from '../http/reply.ts';
import { parseCursor } from './cursor.ts';

/** Contract section 6. */
export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

export interface ListQuery {
  readonly limit: number;
  readonly after: string | null;
  readonly filter: MessageFilter;
}

export type ParsedListQuery =
  | { readonly outcome: 'valid'; readonly query: ListQuery }
  | { readonly outcome: 'invalid'; readonly faults: readonly Detail[] };

type Parser<Value> = {
  readonly parse: (text: string) => Value | null;
  readonly code: DetailCode;
  readonly message: string;
};

const parseLimit = (text: string) =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT ? Number(text) : null;

const PARSERS = {
  limit: {
    parse: parseLimit,
    code: 'invalid_value',
    message: `must be a whole number from 1 to ${MAX_LIMIT}`,
  },
  cursor: {
    parse: parseCursor,
    code: 'invalid_value',
    message: 'must be a next_cursor that this list has given',
  },
  event_key: {
    parse: (text: string) => (isEventKey(text) ? text : null),
    code: 'invalid_format',
    message: 'must be an event key',
  },
  status: {
    parse: (text: string) => MESSAGE_STATUSES.find((status) => status === text) ?? null,
    code: 'invalid_value',
    message: `must be one of ${MESSAGE_STATUSES.join(', ')}`,
  },
  recipient_email: {
    parse: (text: string) => (isBareEmailAddress(text) ? text : null),
    code: 'invalid_format',
    message: 'must be one bare e-mail address',
  },
  created_after: {
    parse: parseTimestamp,
    code: 'invalid_format',
    message: 'must be an RFC 3339 time with offset',
  },
  created_before: {
    parse: parseTimestamp,
    code: 'invalid_format',
    message: 'must be an RFC 3339 time with offset',
  },
} satisfies Record<string, Parser<unknown>>;

type Name = keyof typeof PARSERS;
export const LIST_QUERY_PARAMETERS = Object.keys(PARSERS) as readonly Name[];

/** Reads the query of the message list; unknown, repeated and malformed parameters are all named at once. */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const faults: Detail[] = [];
  for (const name of new Set(parameters.keys())) {
    if (!Object.hasOwn(PARSERS, name)) {
      faults.push({ path: `/${name}`, code: 'unknown_field', message: 'is not a known parameter' });
    } else if (parameters.getAll(name).length > 1) {
      faults.push({ path: `/${name}`, code: 'duplicate', message: 'must be given once' });
    }
  }

  function read<Key extends Name>(name: Key): ReturnType<(typeof PARSERS)[Key]['parse']> | undefined {
    const text = parameters.get(name);
    if (text === null) return undefined;
    const { parse, code, message } = PARSERS[name];
    const value = parse(text) as ReturnType<(typeof PARSERS)[Key]['parse']>;
    if (value === null) faults.push({ path: `/${name}`, code, message });
    return value;
  }

  const query = {
    limit: read('limit') ?? DEFAULT_LIMIT,
    after: read('cursor') ?? null,
    filter: {
      eventKey: read('event_key') ?? undefined,
      status: read('status') ?? undefined,
      recipientEmail: read('recipient_email') ?? undefined,
      createdAfter: read('created_after') ?? undefined,
      createdBefore: read('created_before') ?? undefined,
    },
  };
  return faults.length > 0 ? { outcome: 'invalid', faults } : { outcome: 'valid', query };
}
