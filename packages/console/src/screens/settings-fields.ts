import { check, choice, type FormShape, number, several, text, words } from '../ui/fields.ts';

/** The settings of an environment. The names of streams are changed with the command line. */
export const ENVIRONMENT: FormShape = {
  first: [
    choice('unmatched_events', 'Events that no channel takes', {
      options: { refuse: 'Refuse them', store: 'Store them for a replay' },
    }),
    choice('missing_email_template', 'Events without a template for email', {
      options: { refuse: 'Refuse them', skip: 'Send them through the other channels only' },
    }),
    choice('unknown_consumers', 'Events of unknown consumers', {
      options: { refuse: 'Refuse them', create: 'Create the consumer' },
    }),
    choice('idempotency_keys', 'Idempotency keys', {
      options: { uuid: 'UUIDs only', any: 'Any text of up to 255 characters' },
    }),
    check('https_only', 'Channels must have https addresses'),
    text('default_locale', 'Language of recipients without one', {
      placeholder: 'en',
      hint: 'A change creates new versions of the active templates.',
    }),
  ],
  advanced: [
    {
      title: 'Bounces and complaints',
      fields: [
        number('soft_bounce_limit', 'Consecutive temporary bounces that suppress an address', {
          hint: '0: never.',
        }),
        number('soft_bounce_days', 'Within (days)'),
        number('soft_bounce_pause_days', 'Suppressed for (days)'),
        number('pause_streams_at_complaint_rate', 'Pause a stream at a share of complaints of (percent)', {
          per: 0.01,
          placeholder: 'Never',
        }),
      ],
    },
    {
      title: 'Operational events',
      fields: [
        several('outcome_events', 'Outcomes of deliveries that operational channels get', {
          options: {
            'run.succeeded': 'Delivered',
            'run.failed': 'Failed',
            'message.completed': 'Message completed',
            'email.delivered': 'Email reached the mailbox',
            'email.bounced': 'Email bounced',
            'email.complained': 'Reported as spam',
            'email.deferred': 'Email deferred',
            'recipient.unsubscribed': 'Unsubscribed',
          },
          hint: 'Each chosen outcome adds a row per delivery.',
        }),
      ],
    },
    {
      title: 'Portal',
      about: 'The pages that your customers see.',
      fields: [
        words('portal.origins', 'Sites that may embed it', { placeholder: 'https://app.example.com' }),
        choice('portal.locale', 'Language', {
          none: 'The language of the browser',
          options: { en: 'English', de: 'German', es: 'Spanish', fr: 'French' },
        }),
        choice('portal.theme.mode', 'Colours', {
          none: 'Follow the embedding page',
          options: { auto: 'Follow the browser', light: 'Light', dark: 'Dark' },
        }),
        text('portal.theme.accent', 'Colour of buttons and links', { placeholder: '#2353d9' }),
        text('portal.theme.background', 'Colour of the page', { placeholder: '#ffffff' }),
        number('portal.theme.radius', 'Radius of corners (pixels)', { placeholder: '6' }),
        text('portal.theme.logo_url', 'Address of the logo', {
          placeholder: 'https://example.com/logo.svg',
        }),
      ],
    },
  ],
};
