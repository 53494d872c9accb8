import { readFileSync } from 'node:fs';
import {
  ATTEMPT_TIMEOUT_MS,
  DEFAULT_REPLAY_PACE,
  DEFAULT_RETRY_POLICY,
  FILTER_LIMITS,
  KIND_FACTS,
  MAX_ATTACHED_BYTES,
  MAX_ATTACHMENTS,
  MAX_CHANNELS_PER_CONSUMER,
  MAX_CHANNELS_PER_ENVIRONMENT,
  MAX_COPIES,
  MAX_EMAIL_ADDRESS_LENGTH,
  MAX_EVENT_KEY_LENGTH,
  MAX_FILTER_STEPS,
  MAX_HEADERS,
  MAX_IN_FLIGHT,
  MAX_JSON_DEPTH,
  MAX_LISTENERS_PER_ENVIRONMENT,
  MAX_MESSAGES,
  MAX_ORDERING_KEY_LENGTH,
  MAX_PARTS,
  MAX_PARTS_CHARACTERS,
  MAX_PATTERN_CHARACTERS,
  MAX_PAYLOAD_SCHEMA_LENGTH,
  MAX_PAYLOAD_SCHEMAS_BYTES,
  MAX_PER_SECOND,
  MAX_REPLAY_PACE,
  MAX_RETRY_ATTEMPTS,
  MAX_RETRY_DELAY_SECONDS,
  MAX_SCHEMA_DEPTH,
  MAX_SEARCH_KEYS,
  MAX_SUBSCHEMAS,
  MAX_VALIDATION_STEPS,
  SELF_SERVICE_LIMITS,
} from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { MAX_RESPONSE_BYTES } from '../../../packages/channels/src/sender.ts';
import {
  MAX_WEBHOOK_HEADERS,
  MAX_WEBHOOK_URL_LENGTH,
} from '../../../packages/channels/src/webhook/url-rules.ts';
import { MAX_PAGE_BYTES } from '../../../packages/db/src/pages.ts';
import { MAX_SOURCE_CHARACTERS } from '../../../packages/domain/src/templates/liquid.ts';
import { MAX_RENDERED_CHARACTERS } from '../../../packages/domain/src/templates/metering.ts';
import { MAX_BATCH_EVENTS } from '../src/events/batch-schema.ts';
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES, MAX_EVENT_BYTES } from '../src/http/admission.ts';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../src/paging/query.ts';
import { RESOURCES } from '../src/resources.ts';

const guide = (name: string) =>
  readFileSync(new URL(`../../../docs/guides/${name}`, import.meta.url), 'utf8');
/** The first two cells of each row of a page's tables, without their heads. */
const rowsOf = (page: string) =>
  [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|.*$/gm)]
    .map(([, what = '', limit = '']) => [what, limit] as const)
    .filter(([what]) => what !== 'What');

const number = (value: number) => value.toLocaleString('en');
const kilo = (value: number) => (value % 1_048_576 === 0 ? `${value / 1_048_576} Mi` : `${value / 1_024} Ki`);
const seconds = (ms: number) => `${ms / 1_000}`;
const { count: changes, seconds: changesIn } = SELF_SERVICE_LIMITS.changes;
const { count: newChannels, seconds: newChannelsIn } = SELF_SERVICE_LIMITS.newChannels;
const period = (length: number) => ({ 3600: 'an hour', 86400: 'a day' })[length];

const LIMITS: Readonly<Record<string, string>> = {
  'Body of a request': `${kilo(MAX_BODY_BYTES)}B`,
  'Body of an event with base64 files, if the plan allows it': `${kilo(MAX_EVENT_BYTES)}B`,
  'Levels of JSON in a body': `${MAX_JSON_DEPTH}`,
  'Events of a batch': `${MAX_BATCH_EVENTS}`,
  'Event key': `${MAX_EVENT_KEY_LENGTH} characters`,
  'Ordering key': `${MAX_ORDERING_KEY_LENGTH} characters`,
  'Email address': `${MAX_EMAIL_ADDRESS_LENGTH} characters`,
  'Entries of a page': `${MAX_LIMIT}, by default ${DEFAULT_LIMIT}`,
  '[Configuration document](configuration-document.md)': `${kilo(MAX_DOCUMENT_BYTES)}B`,
  'Bytes of a page': `${kilo(MAX_PAGE_BYTES)}B`,
  'Channels of an environment': `${MAX_CHANNELS_PER_ENVIRONMENT}`,
  'Channels of a consumer': `${MAX_CHANNELS_PER_CONSUMER}`,
  'Time limit of an attempt':
    `${seconds(ATTEMPT_TIMEOUT_MS.least)} to ${seconds(ATTEMPT_TIMEOUT_MS.most)} s, by default ` +
    `${seconds(KIND_FACTS.webhook.defaultTimeoutMs)} s (email: ${seconds(KIND_FACTS.email.defaultTimeoutMs)} s)`,
  'Attempts of a delivery': `${MAX_RETRY_ATTEMPTS}, by default ${DEFAULT_RETRY_POLICY.max_attempts}`,
  'Delay between attempts': `${MAX_RETRY_DELAY_SECONDS / 86_400} days`,
  '`max_per_second`': `${MAX_PER_SECOND.least} to ${number(MAX_PER_SECOND.most)}`,
  '`max_in_flight`': `${MAX_IN_FLIGHT.least} to ${number(MAX_IN_FLIGHT.most)}`,
  'URL of a webhook': `${number(MAX_WEBHOOK_URL_LENGTH)} characters`,
  'Headers of a webhook': `${MAX_WEBHOOK_HEADERS}`,
  'Response of a receiver that is kept': `${kilo(MAX_RESPONSE_BYTES)}B`,
  'Listeners (`postrider listen`) of an environment': `${MAX_LISTENERS_PER_ENVIRONMENT}`,
  'Conditions of a filter': `${FILTER_LIMITS.conditions}`,
  'Levels of a filter': `${FILTER_LIMITS.depth}`,
  'Characters of a filter': number(FILTER_LIMITS.characters),
  'Steps of a filter on the largest event': number(MAX_FILTER_STEPS),
  'Payload schema': `${number(MAX_PAYLOAD_SCHEMA_LENGTH)} characters, ${MAX_SUBSCHEMAS} subschemas, ${MAX_SCHEMA_DEPTH} levels`,
  'All schemas of an environment': `${kilo(MAX_PAYLOAD_SCHEMAS_BYTES)}B`,
  'Steps of a validation': number(MAX_VALIDATION_STEPS),
  'Search keys of an event type': `${MAX_SEARCH_KEYS}`,
  'Source of a template': `${kilo(MAX_SOURCE_CHARACTERS)} characters`,
  'Result of a template': `${kilo(MAX_RENDERED_CHARACTERS)} characters`,
  'Parts of a version': `${MAX_PARTS}, with ${kilo(MAX_PARTS_CHARACTERS)} characters`,
  'Messages of a translation': `${number(MAX_MESSAGES)} of ${number(MAX_PATTERN_CHARACTERS)} characters`,
  'Attachments of an email': `${MAX_ATTACHMENTS}, with ${kilo(MAX_ATTACHED_BYTES)}B`,
  'Copies (`cc` and `bcc`) of an email': `${MAX_COPIES}`,
  'Headers of an email': `${MAX_HEADERS}`,
  'Changes of an environment': `${number(changes)} in ${period(changesIn)}`,
  'New channels': `${newChannels} in ${period(newChannelsIn)}`,
  'Stored versions of templates and parts': number(SELF_SERVICE_LIMITS.versions.count),
  'Event types with a schema or a stream': number(SELF_SERVICE_LIMITS.eventTypes),
  Consumers: number(SELF_SERVICE_LIMITS.consumers),
  Suppressions: number(SELF_SERVICE_LIMITS.suppressions),
  'Bulk replays': `${MAX_REPLAY_PACE} messages a second, by default ${DEFAULT_REPLAY_PACE}`,
};

describe('docs/guides/limits.md', () => {
  it('has every limit as the code has it', () => {
    expect(Object.fromEntries(rowsOf(guide('limits.md')))).toEqual(LIMITS);
  });
});

/** A duration in words, such as "1 h 12 min 35 s". */
function inWords(total: number): string {
  const parts = [Math.floor(total / 3_600), Math.floor((total % 3_600) / 60), total % 60];
  const words = ['h', 'min', 's'].flatMap((unit, index) => (parts[index] ? [`${parts[index]} ${unit}`] : []));
  return words.join(' ') || '0 s';
}

describe('docs/guides/idempotency-and-retries.md', () => {
  it('has the retry schedule as the code has it', () => {
    const policy = DEFAULT_RETRY_POLICY;
    if (!('delays_seconds' in policy)) throw new Error('the default policy has no list of delays');
    let since = 0;
    const expected = [['1', '', '0 s']].concat(
      policy.delays_seconds.map((delay, index) => {
        since += delay;
        return [String(index + 2), inWords(delay), inWords(since)];
      }),
    );
    const rows = guide('idempotency-and-retries.md')
      .split('\n')
      .filter((line) => /^\| \d+ \|/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );

    expect(rows).toEqual(expected);
  });
});

describe('docs/guides/plans-and-quotas.md', () => {
  it('has every limit of a plan', () => {
    const { schemas } = createOpenApiDocument(RESOURCES).components;
    const fields = Object.keys((schemas.Plan as { properties: object }).properties);
    const listed = rowsOf(guide('plans-and-quotas.md')).flatMap(([names]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );

    expect(listed.sort()).toEqual(
      fields.filter((name) => !['code', 'name', 'created_at', 'updated_at'].includes(name)).sort(),
    );
  });
});
