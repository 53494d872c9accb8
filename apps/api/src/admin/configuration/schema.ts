import * as json from '../../openapi/schema.ts';
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

const kind = json.oneOf(KINDS, 'What it is.');
const key = json.text(
  'Its name, for a template event key and kind, for a channel kind and name; empty for the settings.',
);
const resource = { kind, key };

const requestId = json.nullable(
  json.text('The `request_id` of all its entries in the audit log; null if there are none.'),
);

const FIELD = {
  path: json.text('A JSON Pointer into the item; empty for the whole of it.'),
  from: { description: 'What is stored; null for nothing.' },
  to: { description: 'What will be stored; null for nothing.' },
};

const CHANGE = json.record('A change.', {
  action: json.oneOf(ACTIONS, 'What happens to it.'),
  ...resource,
  fields: json.list(
    json.titled('Changed configuration field', {
      ...json.record('A field that differs. The values of a secret are null.', FIELD),
      properties: { ...FIELD, secret: json.flag('Whether it is a secret, which is never shown.') },
    }),
  ),
  scope: json.text('What its caller must be allowed to do.'),
});

const HASH = json.text('Of the changes. An apply needs it.');

export const CONFIGURATION_SCHEMAS: json.Schemas = {
  ExportedConfiguration: json.record('The configuration of an environment.', {
    document: json.openObject('The document, as `planConfiguration` and `applyConfiguration` take it.'),
    secrets: json.list(
      json.titled(
        'Configured secret',
        json.record('A secret that is stored, and not in the document.', {
          ...resource,
          path: json.text('A JSON Pointer to it in the item.'),
        }),
      ),
    ),
    left_out: json.list(
      json.titled(
        'Left out resource',
        json.record('Resources that cannot be told apart.', { ...resource, reason: json.text('Why.') }),
      ),
    ),
  }),
  ConfigurationChange: CHANGE,
  ConfigurationPlan: json.record('What a document would change.', {
    hash: HASH,
    changes: json.list(json.ref('ConfigurationChange')),
    unmanaged: json.list(
      json.titled(
        'Unmanaged resource',
        json.record('A resource that the document does not have, and that stays.', resource),
      ),
    ),
    checks: json.list(
      json.titled(
        'Template check',
        json.record('A rendered new version of a template.', {
          ...resource,
          event: json.nullable(
            json.text(
              'The id of the message whose event it was rendered with, or `example`. Null: not rendered.',
            ),
          ),
          errors: json.list(json.openObject('An error, as in a preview of a template.')),
          warnings: json.list(json.ref('TemplateWarning')),
        }),
      ),
    ),
    checks_left_out: json.count('How many new versions of templates were not rendered: there are too many.'),
  }),
  AppliedConfiguration: json.record('What a document has changed.', {
    request_id: requestId,
    hash: HASH,
    changes: json.list(json.ref('ConfigurationChange')),
    secrets: json.list(
      json.titled(
        'New signing secret',
        json.record('A signing secret that the service made. Only this response contains it.', {
          ...resource,
          id: json.text('The id of the channel.'),
          secret: json.text('`whsec_…`'),
        }),
      ),
    ),
  }),
  ConfigurationDrift: json.record('What was changed since the last apply.', {
    applied: json.nullable(
      json.titled(
        'Last applied configuration',
        json.record('The last apply.', {
          at: json.optionalTime('When.'),
          actor: json.text('Who.'),
          request_id: requestId,
          hash: json.nullable(json.text('Of its changes.')),
        }),
      ),
    ),
    changes: json.list(
      json.titled(
        'Drifted resource',
        json.record('A resource that was created, changed or deleted since.', {
          action: json.oneOf(ACTIONS, 'What happened to it.'),
          ...resource,
          id: json.nullable(json.text('Its id, if it exists and has one.')),
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
};
export const PLAN_EXAMPLE = {
  hash: hashOf([CHANGE_EXAMPLE]),
  changes: [CHANGE_EXAMPLE],
};
export const APPLIED_EXAMPLE = {
  request_id: 'req_01k9w2mz6ff8ft0c0v5n1r7d3q',
  hash: PLAN_EXAMPLE.hash,
  changes: [CHANGE_EXAMPLE],
};
export const DRIFT_EXAMPLE = {
  applied: {
    at: '2026-11-28T09:00:00.000Z',
    actor: 'ada@example.com',
    request_id: APPLIED_EXAMPLE.request_id,
    hash: PLAN_EXAMPLE.hash,
  },
  changes: [{ action: 'update', kind: 'event_type', key: EVENT_TYPE.event_key }],
};
