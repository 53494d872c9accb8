import {
  count,
  flag,
  list,
  nullable,
  oneOf,
  openObject,
  optionalTime,
  record,
  ref,
  type Schema,
  text,
  titled,
} from '../../openapi/schema.ts';
import { hashOf } from './difference.ts';

const ACTIONS = ['create', 'update', 'delete'] as const;
const KINDS = [
  'settings',
  'event_type',
  'partial',
  'layout',
  'translation',
  'template',
  'channel',
  'plan',
  'role',
] as const;

const kind = oneOf(KINDS, 'What it is.');
const key = text(
  'Its name, for a template event key and kind, for a channel kind and name; empty for the settings.',
);
const resource = { kind, key };
const value: Schema = { description: 'A value of JSON.' };

const requestId = nullable(
  text('The `request_id` of all its entries in the audit log; null if there are none.'),
);

const CHANGE = record('A change.', {
  action: oneOf(ACTIONS, 'What happens to it.'),
  ...resource,
  fields: list(
    titled('Changed configuration field', {
      ...record('A field that differs. The values of a secret are null.', {
        path: text('A JSON Pointer into the item; empty for the whole of it.'),
        from: value,
        to: value,
      }),
      properties: {
        path: text('A JSON Pointer into the item; empty for the whole of it.'),
        from: { ...value, description: 'What is stored; null for nothing.' },
        to: { ...value, description: 'What will be stored; null for nothing.' },
        secret: flag('Whether it is a secret, which is never shown.'),
      },
    }),
  ),
  scope: text('What its caller must be allowed to do.'),
});

const HASH = text('Of the changes. An apply needs it.');

export const CONFIGURATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  ExportedConfiguration: record('The configuration of an environment.', {
    document: openObject('The document, as `planConfiguration` and `applyConfiguration` take it.'),
    secrets: list(
      titled(
        'Configured secret',
        record('A secret that is stored, and not in the document.', {
          ...resource,
          path: text('A JSON Pointer to its place in the item.'),
        }),
      ),
    ),
    left_out: list(
      titled(
        'Left out resource',
        record('Resources that cannot be told apart.', { ...resource, reason: text('Why.') }),
      ),
    ),
  }),
  ConfigurationChange: CHANGE,
  ConfigurationPlan: record('What a document would change.', {
    hash: HASH,
    changes: list(ref('ConfigurationChange')),
    unmanaged: list(
      titled(
        'Unmanaged resource',
        record('A resource that the document does not have, and that stays.', resource),
      ),
    ),
    checks: list(
      titled(
        'Template check',
        record('A rendered new version of a template.', {
          ...resource,
          event: nullable(
            text('The id of the message whose event it was rendered with, or `example`. Null: not rendered.'),
          ),
          errors: list(openObject('An error, as in a preview of a template.')),
          warnings: list(ref('TemplateWarning')),
        }),
      ),
    ),
    checks_left_out: count('How many new versions of templates were not rendered: there are too many.'),
  }),
  AppliedConfiguration: record('What a document has changed.', {
    request_id: requestId,
    hash: HASH,
    changes: list(ref('ConfigurationChange')),
    secrets: list(
      titled(
        'New signing secret',
        record('A signing secret that the service made. Only this response contains it.', {
          ...resource,
          id: text('The id of the channel.'),
          secret: text('`whsec_…`'),
        }),
      ),
    ),
  }),
  ConfigurationDrift: record('What was changed since the last apply.', {
    applied: nullable(
      titled(
        'Last applied configuration',
        record('The last apply.', {
          at: optionalTime('When.'),
          actor: text('Who.'),
          request_id: requestId,
          hash: nullable(text('Of its changes.')),
        }),
      ),
    ),
    changes: list(
      titled(
        'Drifted resource',
        record('A resource that was created, changed or deleted since.', {
          action: oneOf(ACTIONS, 'What happened to it.'),
          ...resource,
          id: nullable(text('Its id, if it exists and has one.')),
        }),
      ),
    ),
  }),
};

/** Its key is in no other example, so that the hash below is right wherever they are sent. */
const EVENT_TYPE = {
  event_key: 'invoice.paid',
  description: 'An invoice was paid.',
  payload_schema: null,
  stream: null,
  search_keys: ['/invoice_id'],
};

export const DOCUMENT_EXAMPLE = { version: 1, event_types: [EVENT_TYPE] };

const CHANGE_EXAMPLE = {
  action: 'create',
  kind: 'event_type',
  key: EVENT_TYPE.event_key,
  fields: [{ path: '', from: null, to: EVENT_TYPE }],
  scope: 'event-types:write',
};

export const EXPORT_EXAMPLE = {
  document: DOCUMENT_EXAMPLE,
  secrets: [{ kind: 'channel', key: 'email Mail', path: '/config/smtp/password' }],
  left_out: [],
};
export const PLAN_EXAMPLE = {
  hash: hashOf([CHANGE_EXAMPLE]),
  changes: [CHANGE_EXAMPLE],
  unmanaged: [],
  checks: [],
  checks_left_out: 0,
};
export const APPLIED_EXAMPLE = {
  request_id: 'req_01k9w2mz6ff8ft0c0v5n1r7d3q',
  hash: PLAN_EXAMPLE.hash,
  changes: [CHANGE_EXAMPLE],
  secrets: [],
};
export const DRIFT_EXAMPLE = {
  applied: {
    at: '2026-11-28T09:00:00.000Z',
    actor: 'ada@example.com',
    request_id: APPLIED_EXAMPLE.request_id,
    hash: PLAN_EXAMPLE.hash,
  },
  changes: [{ action: 'update', kind: 'event_type', key: EVENT_TYPE.event_key, id: null }],
};
