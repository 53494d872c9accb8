import type { MessageFilter } from '@postrider/db';
import { isBareEmailAddress, isEventKey, MESSAGE_STATUSES } from '@postrider/domain';
import type { Detail } from '../http/reply.ts';
import { oneOf, PAGING_PARAMETERS, parseQuery, positionOf, TIME } from '../paging/query.ts';
import { FIELDS_PARAMETER } from './present.ts';

export interface ListQuery {
  readonly limit: number;
  readonly after: string | null;
  readonly filter: MessageFilter;
  /** The fields to show; undefined for all of them. */
  readonly fields: ReadonlySet<string> | undefined;
}

export type ParsedListQuery =
  | { readonly outcome: 'valid'; readonly query: ListQuery }
  | { readonly outcome: 'invalid'; readonly faults: readonly Detail[] };

/** The query parameters of the message list: contract section 6. */
export const LIST_QUERY_PARAMETERS = {
  ...PAGING_PARAMETERS,
  fields: FIELDS_PARAMETER,
  event_key: {
    parse: (text: string) => (isEventKey(text) ? text : null),
    code: 'invalid_format',
    message: 'must be an event key',
  },
  status: oneOf(MESSAGE_STATUSES),
  recipient_email: {
    parse: (text: string) => (isBareEmailAddress(text) ? text : null),
    code: 'invalid_format',
    message: 'must be one bare e-mail address',
  },
  created_after: TIME,
  created_before: TIME,
} as const;

type ListValues = Extract<
  ReturnType<typeof parseQuery<typeof LIST_QUERY_PARAMETERS>>,
  { outcome: 'valid' }
>['values'];

/** What the list's parameters ask of messages. */
export function filterOf(values: ListValues): MessageFilter {
  return {
    eventKey: values.event_key,
    status: values.status,
    recipientEmail: values.recipient_email,
    createdAfter: values.created_after,
    createdBefore: values.created_before,
  };
}

/** Reads the query of the message list; every fault is named at once. */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const parsed = parseQuery(parameters, LIST_QUERY_PARAMETERS);
  if (parsed.outcome === 'invalid') return parsed;
  const { values } = parsed;
  return {
    outcome: 'valid',
    query: { ...positionOf(values), filter: filterOf(values), fields: values.fields },
  };
}
