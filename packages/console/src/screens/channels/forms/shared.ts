import type { Field, Group, Json } from '../../../ui/fields.ts';
import { getAt } from '../../../ui/fields.ts';

export const NAME: Field = { at: 'name', label: 'Name', required: true, placeholder: 'Orders' };
export const EVENTS: Field = {
  at: 'event_keys',
  label: 'Events',
  kind: 'words',
  placeholder: 'All events',
  hint: 'Event keys, separated by commas. order.* matches all that begin with “order.”, * matches all.',
};

/** Whether a part has one of these values. */
export const is =
  (at: string, ...values: readonly unknown[]) =>
  (value: Json): boolean =>
    values.includes(getAt(value, at));

const RETRIES: Group = {
  title: 'Retries and limits',
  fields: [
    { at: 'retry.max_attempts', label: 'Maximum attempts', kind: 'number', placeholder: '8' },
    {
      at: 'retry.delays_seconds',
      label: 'Delays between attempts (seconds)',
      kind: 'words',
      numeric: true,
      placeholder: '5, 30, 120, 600, 3600, 14400, 43200',
      hint: 'The last delay applies to all further attempts. Leave it empty for delays that grow by a factor.',
    },
    {
      at: 'retry.base_seconds',
      label: 'First delay, if they grow (seconds)',
      kind: 'number',
      placeholder: '–',
    },
    { at: 'retry.factor', label: 'Factor by which they grow', kind: 'number', placeholder: '–' },
    { at: 'retry.max_seconds', label: 'Longest delay (seconds)', kind: 'number', placeholder: '–' },
    {
      at: 'max_per_second',
      label: 'Maximum attempts per second',
      kind: 'number',
      placeholder: 'No limit',
      hint: '0.1 is one in ten seconds.',
    },
    {
      at: 'max_in_flight',
      label: 'Maximum attempts at once',
      kind: 'number',
      placeholder: 'No limit',
    },
  ],
};

const FAILURES: Group = {
  title: 'When all attempts fail',
  fields: [
    {
      at: 'failure_policy.warn_after',
      label: 'Report it as failing after (minutes)',
      kind: 'number',
      per: 60,
      placeholder: '60',
    },
    {
      at: 'failure_policy.pause_after',
      label: 'Stop sending to it after (hours)',
      kind: 'number',
      per: 3_600,
      placeholder: '24',
    },
    {
      at: 'failure_policy.then',
      label: 'How to stop it',
      kind: 'choice',
      none: 'Pause it (default)',
      options: [
        ['pause', 'Pause it: deliveries wait, and it is tried from time to time'],
        ['disable', 'Disable it: deliveries fail'],
      ],
    },
    {
      at: 'failure_policy.min_attempts',
      label: 'Minimum failed attempts',
      kind: 'number',
      placeholder: '5',
    },
    {
      at: 'failure_policy.max_age',
      label: 'Deliveries wait at most (days)',
      kind: 'number',
      per: 86_400,
      placeholder: '7',
    },
    {
      at: 'failure_policy.release_per_second',
      label: 'Waiting deliveries sent per second after a recovery',
      kind: 'number',
      placeholder: '100',
    },
  ],
};

const ORDER: Group = {
  title: 'Order',
  fields: [
    {
      at: 'ordering',
      label: 'Order of deliveries',
      kind: 'choice',
      none: 'None (default)',
      options: [
        ['none', 'None: each as soon as possible'],
        ['key', 'One after the other for each ordering key'],
      ],
    },
    {
      at: 'on_exhausted',
      label: 'When one has failed permanently',
      isKept: true,
      kind: 'choice',
      none: 'Later ones of its key wait (default)',
      options: [
        ['block', 'Later ones of its key wait until somebody retries or skips it'],
        ['skip', 'Continue with the next one'],
      ],
      when: is('ordering', 'key'),
    },
  ],
};

const operational = (isEmail: boolean): Group => ({
  title: 'Operational events',
  fields: [
    {
      at: 'operational',
      label: 'Send events about this service instead',
      kind: 'check',
      hint: 'Such as channel.paused. It then gets no other events.',
    },
    ...(isEmail
      ? [
          {
            at: 'operational_email',
            label: 'Send them to',
            kind: 'email',
            placeholder: 'The contact of the consumer',
            when: is('operational', true),
          } as const,
        ]
      : []),
  ],
});

const timeLimit = (seconds: string): Field => ({
  at: 'config.timeout_ms',
  label: 'Time limit of one attempt (seconds)',
  kind: 'number',
  per: 1_000,
  placeholder: seconds,
});

/** What every kind has below "Advanced", with the time limit of the kind. */
export const common = (seconds: string, isEmail = false): readonly Group[] => [
  { ...RETRIES, fields: [...RETRIES.fields, timeLimit(seconds)] },
  FAILURES,
  ORDER,
  operational(isEmail),
];

/** The access key of an AWS account below `at`, unless a role replaces it. */
export const awsKey = (at: string, hint: string): readonly Field[] => {
  const when = (value: Json) => !getAt(value, `${at}.aws_role`);
  return [
    { at: `${at}.access_key_id`, label: 'Access key id', required: true, hint, when },
    { at: `${at}.secret_access_key`, label: 'Secret access key', secret: true, when },
  ];
};
export const awsRole = (at: string): Field => ({
  at: `${at}.aws_role`,
  label: 'AWS role instead of an access key',
  placeholder: 'None',
  hint: '“worker”, or the ARN of a role that trusts the id of this environment as external id. Needs the right keyless:write.',
});

/** Certificates for a connection, below `at`. */
export const certificates = (at: string, more: Partial<Field> = {}): readonly Field[] => [
  {
    at: `${at}.ca`,
    label: 'Certificate authorities (PEM)',
    kind: 'long',
    hint: 'Trusted instead of the public ones.',
    ...more,
  },
  {
    at: `${at}.certificate`,
    label: 'Client certificate (PEM)',
    kind: 'long',
    hint: 'With its chain.',
    ...more,
  },
  {
    at: `${at}.private_key`,
    label: 'Key of the client certificate (PEM)',
    kind: 'long',
    secret: true,
    hint: 'Without a passphrase. It is needed with each new certificate.',
    ...more,
  },
];
