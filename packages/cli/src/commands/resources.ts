import type { ChangedTemplate, ChangedTemplatePart, Template, TemplatePart } from '@postrider/client';
import type { Examples } from '../command.ts';
import { type FieldOption, fieldOption } from '../field-options.ts';
import type { Style } from '../output/style.ts';
import { type Columns, record } from '../output/table.ts';
import { changedVersion, versionContent } from '../output/template.ts';
import { readJsonObject, readText } from '../values.ts';

/** The fields of a response that notes depend on. */
type Result = { readonly secret?: string | null; readonly unblocked?: boolean };

/** What the OpenAPI document does not say about a command. */
export interface CommandSettings {
  /** Instead of the name of the call. */
  readonly name?: string;
  /** Instead of the summary of the operation. */
  readonly description?: string;
  /** Instead of an option for each field of the body. */
  readonly fields?: readonly FieldOption[];
  /** Instead of all fields that are neither objects nor lists. */
  readonly columns?: Columns;
  /** How people see the response; by default as a report with all fields. */
  readonly view?: (result: object, style: Style) => string;
  /** What has happened to the resource if there is no response. */
  readonly done?: string;
  /** A line after the response. */
  readonly note?: (result: Result) => string | false;
  /** Whether all parameters of the path are options. */
  readonly hasOnlyOptions?: boolean;
  readonly examples?: Examples;
}

/** By the names of the calls. */
type ResourceSettings = Readonly<Record<string, CommandSettings>>;

const CHANNEL_COLUMNS = ['id', 'kind', 'name', 'state.code', 'event_keys'];

/** Printed next to the signing secret of a webhook. */
export const SECRET_SHOWN_ONCE =
  'The signing secret is not shown again: store it where the receiver reads it.';
const TOKEN_SHOWN_ONCE = () => 'The token is not shown again: store it with your secrets.';

const changed = (version: object, style: Style) =>
  changedVersion(version as ChangedTemplate | ChangedTemplatePart, style);

/** The part of a template that a file has. */
const CONTENT = fieldOption('--file <path>', 'its content; - is stdin', {
  field: 'content',
  load: readText,
  isRequired: true,
});

/** The settings of resources with versions. `names` are the fields that name what they are versions of. */
const versionsOf = (names: Columns, activate: string): ResourceSettings => ({
  list: { columns: ['id', ...names, 'version', 'active', 'created_at'] },
  get: { view: (version, style) => versionContent(version as Template | TemplatePart, style) },
  activate: { description: activate, view: changed },
});

/** The settings of `postrider layouts`, `partials` and `translations`. `key` is the field with the name of a part. */
const partsOf = (key: 'name' | 'locale', content: FieldOption, examples: Examples): ResourceSettings => ({
  ...versionsOf([key], 'use this version in all templates from now on; it can be an older one'),
  create: {
    fields: [
      fieldOption(`--${key} <${key}>`, `the ${key}`, { isRequired: true }),
      content,
      fieldOption('--activate', 'activate it, with new versions of the templates that use it'),
    ],
    view: changed,
    examples,
  },
});

const unblocked = (name: string, description: string, does: string): CommandSettings => ({
  name,
  description,
  note: (result) => !result.unblocked && 'The key was not blocked: nothing has changed.',
  examples: { [`postrider channels ${name} chn_01… --ordering-key order-A-1042`]: does },
});

/** The settings of resources whose commands are generated. Other resources have the commands of all their calls. */
export const RESOURCES: Readonly<Record<string, ResourceSettings>> = {
  plans: {
    list: {
      columns: ['code', 'name', 'events_per_month', 'requests_per_second', 'burst', 'channel_kinds'],
    },
    create: {
      description: 'create a plan; limits that are left out are unlimited',
      examples: {
        ['postrider plans create --code team --name Team --events-per-month 10000 ' +
          '--requests-per-second 50 --burst 100']: 'With a quota and a rate.',
      },
    },
    update: {
      description: 'change a plan for all its tenants; options that are left out stay unchanged',
      examples: { 'postrider plans update team --events-per-month none': 'Remove the quota.' },
    },
  },
  tenants: {
    list: { columns: ['id', 'name', 'plan', 'billing_status', 'grace_ends_at', 'created_at'] },
    create: {
      examples: { 'postrider tenants create --name Acme --plan team': 'With an existing plan.' },
    },
    update: {
      description: 'change a tenant; options that are left out stay unchanged',
      examples: {
        'postrider tenants update ten_01… --plan enterprise': 'Move it to another plan.',
        'postrider tenants update ten_01… --billing-status suspended': 'Refuse its events.',
      },
    },
  },
  tokens: {
    list: {
      columns: [
        ...['id', 'name', 'prefix', 'last_four', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'],
      ],
    },
    issue: {
      name: 'create',
      description: 'issue a token of an environment; it is shown only once',
      note: TOKEN_SHOWN_ONCE,
      examples: {
        'postrider tokens create --environment env_01… --name backend': 'For a program.',
        'postrider tokens create --environment env_01… --name portal --scopes channels:write,messages:read':
          'For a customer who manages channels.',
        ['export POSTRIDER_TOKEN=$(postrider tokens create --environment env_01… --name me --json ' +
          '| jq -r .token)']: 'For this shell.',
      },
    },
    rotate: {
      description: 'issue a successor; the old token stays valid during the overlap',
      note: TOKEN_SHOWN_ONCE,
      examples: {
        'postrider tokens rotate tok_01… --overlap-seconds 3600': 'Give clients an hour to switch.',
      },
    },
    revoke: {
      description: 'revoke a token; every API process refuses it within 5 seconds',
      done: 'revoked',
    },
  },
  'operator-tokens': {
    issue: {
      name: 'create',
      description: 'issue a token for the management API; it is shown only once',
      note: TOKEN_SHOWN_ONCE,
      examples: {
        'postrider operator-tokens create --name ci --role developer': 'For a pipeline.',
        'postrider operator-tokens create --name support-bot --scopes messages:read --tenants ten_01…':
          'Only for the messages of one tenant, with recipients masked.',
      },
    },
    revoke: { description: 'revoke a token for the management API', done: 'revoked' },
  },
  channels: {
    list: { columns: CHANNEL_COLUMNS },
    get: { view: record },
    delete: {
      description: 'delete a channel; its waiting runs fail with channel_disabled',
      done: 'deleted',
      examples: { 'postrider channels delete chn_01…': 'Permanently.' },
    },
    pause: {
      description: 'hold the runs of a channel until it is resumed',
      view: record,
      examples: { 'postrider channels pause chn_01…': 'Before moving its endpoint.' },
    },
    resume: {
      description: 'resume a channel; held runs are sent, oldest first',
      view: record,
      examples: { 'postrider channels resume chn_01…': 'Without a probe.' },
    },
    rotateSecret: {
      description: 'create a new signing secret; during the overlap webhooks are signed with both',
      view: record,
      note: ({ secret }) => secret !== null && SECRET_SHOWN_ONCE,
      examples: {
        'postrider channels rotate-secret chn_01… --overlap-seconds 3600':
          'Give the receiver an hour to switch.',
      },
    },
    feedbackToken: {
      description: 'create a new feedback token for providers; the old one becomes invalid at once',
      note: () => 'The token is not shown again: give the address with it to the provider.',
      examples: { 'postrider channels feedback-token chn_01…': 'The address for bounce reports.' },
    },
    filterTest: {
      description: 'try a filter on the newest 1,000 messages of the environment without saving it',
      view: record,
      examples: {
        'postrider channels filter-test chn_01… --filter \'{"payload":{"amount":{"$gte":100}}}\'':
          'Which events would it take?',
      },
    },
    preview: {
      description: 'show what a webhook would send for the newest message that it takes, without sending it',
      examples: {
        'postrider channels preview chn_01… --config \'{"body":"cloudevents-structured"}\'':
          'How would it look as a CloudEvent?',
      },
    },
    // docs/specification.md, "Ordering".
    blockedKeys: {
      description:
        'list the ordering keys of a channel that are blocked because a run has failed permanently',
      columns: [
        ...['ordering_key', 'sequence', 'blocked_at', 'last_error_code', 'waiting', 'delivery_run_id'],
      ],
      examples: { 'postrider channels blocked-keys chn_01… --all': 'Which keys need a decision?' },
    },
    blockedKeysRetry: unblocked(
      'retry-blocked-key',
      'send the failed run of an ordering key again; later runs wait for it',
      'After its cause was fixed.',
    ),
    blockedKeysSkip: unblocked(
      'skip-blocked-key',
      'continue with the next run of an ordering key; the receiver sees a gap in the sequence',
      'If the event is no longer needed.',
    ),
  },
  consumers: {
    list: { columns: ['id', 'name', 'enabled', 'limits.events_per_month', 'limits.channels', 'created_at'] },
    put: {
      examples: {
        'postrider consumers put org_42 --environment env_01… --name Acme --limits \'{"events_per_month":10000}\'':
          'Fields that are left out get their defaults.',
      },
    },
    delete: { done: 'deleted' },
    listChannels: {
      name: 'channels',
      description: 'list the channels of a consumer',
      columns: CHANNEL_COLUMNS,
    },
  },
  templates: {
    ...versionsOf(['event_key', 'channel_kind'], 'use this version from now on; it can be an older one'),
    deactivate: {
      description: 'use no version for this event key and kind from now on',
      view: changed,
    },
  },
  layouts: partsOf('name', CONTENT, {
    'postrider layouts create --environment env_01… --name main --file layout.html --activate':
      'All templates that use it have the new look from now on.',
  }),
  partials: partsOf('name', CONTENT, {
    'postrider partials create --environment env_01… --name footer --file footer.html --activate':
      'For {% render "footer" %}.',
  }),
  translations: partsOf(
    'locale',
    fieldOption('--file <path>', 'its content; - is stdin', {
      field: 'messages',
      load: readJsonObject,
      isRequired: true,
    }),
    {
      'postrider translations create --environment env_01… --locale fr --file fr.json --activate':
        'A JSON object of messages by their keys.',
    },
  ),
  'event-types': {
    list: { columns: ['event_key', 'description', 'stream', 'has_payload_schema', 'updated_at'] },
    get: { hasOnlyOptions: true },
    put: {
      description:
        'describe an event, or change its description, with or without a JSON Schema (2020-12) that its payload must match',
      hasOnlyOptions: true,
      fields: [
        fieldOption('--description <text>', 'what it means'),
        fieldOption('--schema-file <path>', 'the JSON Schema; - is stdin', {
          field: 'payload_schema',
          load: readJsonObject,
        }),
        fieldOption(
          '--stream <name>',
          'the stream from which recipients can unsubscribe; transactional by default',
        ),
        fieldOption(
          '--search-keys <pointers...>',
          'JSON Pointers to business ids in the payload, such as /order_id',
        ),
      ],
      view: record,
      examples: {
        'postrider event-types put --environment env_01… --event-key order.shipped --schema-file shipped.json':
          'From now on, events with an invalid payload are refused.',
      },
    },
  },
  replays: {
    list: { columns: ['id', 'created_at', 'status', 'reason', 'matched', 'replayed'] },
    get: { description: 'show the progress of a replay' },
    cancel: { description: 'stop a replay; existing runs continue' },
  },
  recipients: {
    list: { columns: ['id', 'created_at', 'status', 'messages_erased', 'runs_cancelled', 'completed_at'] },
  },
  suppressions: {
    list: { columns: ['id', 'email', 'scope', 'source', 'reason', 'created_at', 'expires_at'] },
    create: {
      name: 'add',
      description: 'send no more email to an address',
      examples: {
        'postrider suppressions add --environment env_01… --email ada@example.com --reason "asked by telephone"':
          'Also stops retries and scheduled emails.',
      },
    },
    delete: {
      name: 'remove',
      description: 'send email to the address again',
      done: 'removed',
    },
  },
  attention: {
    overview: {
      // With all fields the table would be too wide.
      columns: [
        ...['environment_id', 'environment_name', 'tenant_name', 'failing_channels', 'paused_channels'],
        ...['paused_streams', 'backlog.due', 'backlog.oldest_due_at', 'quota.ratio', 'expiring'],
        'blocked_keys',
        'render_failures.last_hour',
      ],
    },
  },
};
