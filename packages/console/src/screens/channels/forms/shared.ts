import type { Field, Group, Json } from '../../../ui/fields.ts';
import { check, choice, email, getAt, long, number, secret, text, words } from '../../../ui/fields.ts';

export const NAME = text('name', 'Name', { required: true, placeholder: 'Orders' });
export const EVENTS = words('event_keys', 'Events', {
  placeholder: 'All events',
  hint: 'Event keys, separated by commas. order.* matches all that begin with “order.”, * matches all.',
});

/** Whether a part has one of these values. */
export const is =
  (at: string, ...values: readonly unknown[]) =>
  (value: Json): boolean =>
    values.includes(getAt(value, at));

const RETRIES: Group = {
  title: 'Retries and limits',
  fields: [
    number('retry.max_attempts', 'Maximum attempts', { placeholder: '8' }),
    words('retry.delays_seconds', 'Delays between attempts (seconds)', {
      numeric: true,
      placeholder: '5, 30, 120, 600, 3600, 14400, 43200',
      hint: 'The last delay applies to all further attempts. Leave it empty for delays that grow by a factor.',
    }),
    number('retry.base_seconds', 'First delay, if they grow (seconds)', { placeholder: '–' }),
    number('retry.factor', 'Factor by which they grow', { placeholder: '–' }),
    number('retry.max_seconds', 'Longest delay (seconds)', { placeholder: '–' }),
    number('max_per_second', 'Maximum attempts per second', {
      placeholder: 'No limit',
      hint: '0.1 means one every ten seconds.',
    }),
    number('max_in_flight', 'Maximum attempts at once', { placeholder: 'No limit' }),
  ],
};

const FAILURES: Group = {
  title: 'When all attempts fail',
  fields: [
    number('failure_policy.warn_after', 'Report it as failing after (minutes)', {
      per: 60,
      placeholder: '60',
    }),
    number('failure_policy.pause_after', 'Stop sending to it after (hours)', {
      per: 3_600,
      placeholder: '24',
    }),
    choice('failure_policy.then', 'How to stop it', {
      none: 'Pause it (default)',
      options: {
        pause: 'Pause it: deliveries wait, and it is tried from time to time',
        disable: 'Disable it: deliveries fail',
      },
    }),
    number('failure_policy.min_attempts', 'Minimum failed attempts', { placeholder: '5' }),
    number('failure_policy.max_age', 'Deliveries wait at most (days)', { per: 86_400, placeholder: '7' }),
    number('failure_policy.release_per_second', 'Waiting deliveries sent per second after a recovery', {
      placeholder: '100',
    }),
  ],
};

const ORDER: Group = {
  title: 'Order',
  fields: [
    choice('ordering', 'Order of deliveries', {
      none: 'None (default)',
      options: { none: 'None: each as soon as possible', key: 'One at a time for each ordering key' },
    }),
    choice('on_exhausted', 'When one has failed permanently', {
      isKept: true,
      none: 'Later ones of its key wait (default)',
      options: {
        block: 'Later ones of its key wait until somebody retries or skips it',
        skip: 'Continue with the next one',
      },
      when: is('ordering', 'key'),
    }),
  ],
};

const OPERATIONAL = check('operational', 'Send events about this service instead', {
  hint: 'Such as channel.paused. It then gets no other events.',
});
const OPERATIONAL_EMAIL = email('operational_email', 'Send them to', {
  placeholder: 'The contact of the consumer',
  when: is('operational', true),
});

/** What every kind has below "Advanced", with the time limit of the kind. */
export const common = (seconds: string, isEmail = false): readonly Group[] => [
  {
    ...RETRIES,
    fields: [
      ...RETRIES.fields,
      number('config.timeout_ms', 'Time limit of one attempt (seconds)', {
        per: 1_000,
        placeholder: seconds,
      }),
    ],
  },
  FAILURES,
  ORDER,
  { title: 'Operational events', fields: isEmail ? [OPERATIONAL, OPERATIONAL_EMAIL] : [OPERATIONAL] },
];

/** The access key of an AWS account below `at`, unless a role replaces it. */
export const awsKey = (at: string, hint: string): readonly Field[] => {
  const when = (value: Json) => !getAt(value, `${at}.aws_role`);
  return [
    text(`${at}.access_key_id`, 'Access key id', { required: true, hint, when }),
    secret(`${at}.secret_access_key`, 'Secret access key', { when }),
  ];
};
export const awsRole = (at: string) =>
  text(`${at}.aws_role`, 'AWS role instead of an access key', {
    placeholder: 'None',
    hint: '“worker”, or the ARN of a role that trusts the id of this environment as external id. Needs the right keyless:write.',
  });

/** Certificates for a connection, below `at`. */
export const certificates = (at: string): readonly Field[] => [
  long(`${at}.ca`, 'Certificate authorities (PEM)', { hint: 'Trusted instead of the public ones.' }),
  long(`${at}.certificate`, 'Client certificate (PEM)', { hint: 'With its chain.' }),
  long(`${at}.private_key`, 'Key of the client certificate (PEM)', {
    secret: true,
    hint: 'Without a passphrase. It is needed with each new certificate.',
  }),
];
