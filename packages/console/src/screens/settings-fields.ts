import type { FormShape } from '../ui/fields.ts';

const OUTCOMES = [
  ['run.succeeded', 'Delivered'],
  ['run.failed', 'Failed'],
  ['message.completed', 'Message completed'],
  ['email.delivered', 'Email reached the mailbox'],
  ['email.bounced', 'Email bounced'],
  ['email.complained', 'Reported as spam'],
  ['email.deferred', 'Email deferred'],
  ['recipient.unsubscribed', 'Unsubscribed'],
] as const;

/** The settings of an environment. The names of streams are changed with the command line. */
export const ENVIRONMENT: FormShape = {
  first: [
    {
      at: 'unmatched_events',
      label: 'Events that no channel takes',
      kind: 'choice',
      options: [
        ['refuse', 'Refuse them'],
        ['store', 'Store them for a replay'],
      ],
    },
    {
      at: 'missing_email_template',
      label: 'Events without a template for email',
      kind: 'choice',
      options: [
        ['refuse', 'Refuse them'],
        ['skip', 'Send them through the other channels only'],
      ],
    },
    {
      at: 'unknown_consumers',
      label: 'Events of unknown consumers',
      kind: 'choice',
      options: [
        ['refuse', 'Refuse them'],
        ['create', 'Create the consumer'],
      ],
    },
    {
      at: 'idempotency_keys',
      label: 'Idempotency keys',
      kind: 'choice',
      options: [
        ['uuid', 'UUIDs only'],
        ['any', 'Any text of up to 255 characters'],
      ],
    },
    { at: 'https_only', label: 'Channels may only have https addresses', kind: 'check' },
    {
      at: 'default_locale',
      label: 'Language of recipients without one',
      placeholder: 'en',
      hint: 'A change creates new versions of the active templates.',
    },
  ],
  advanced: [
    {
      title: 'Bounces and complaints',
      fields: [
        {
          at: 'soft_bounce_limit',
          label: 'Temporary bounces in a row that suppress an address',
          kind: 'number',
          hint: '0: never.',
        },
        { at: 'soft_bounce_days', label: 'Within (days)', kind: 'number' },
        { at: 'soft_bounce_pause_days', label: 'Suppressed for (days)', kind: 'number' },
        {
          at: 'pause_streams_at_complaint_rate',
          label: 'Pause a stream at a share of complaints of (percent)',
          kind: 'number',
          per: 0.01,
          placeholder: 'Never',
        },
      ],
    },
    {
      title: 'Operational events',
      fields: [
        {
          at: 'outcome_events',
          label: 'Outcomes of deliveries that operational channels get',
          kind: 'several',
          options: OUTCOMES,
          hint: 'Each chosen outcome writes a row for every delivery.',
        },
      ],
    },
    {
      title: 'Portal',
      about: 'The pages that your customers see.',
      fields: [
        {
          at: 'portal.origins',
          label: 'Sites that may embed it',
          kind: 'words',
          placeholder: 'https://app.example.com',
        },
        {
          at: 'portal.locale',
          label: 'Language',
          kind: 'choice',
          none: 'The language of the browser',
          options: [
            ['en', 'English'],
            ['de', 'German'],
            ['es', 'Spanish'],
            ['fr', 'French'],
          ],
        },
        {
          at: 'portal.theme.mode',
          label: 'Colours',
          kind: 'choice',
          none: 'Follow the embedding page',
          options: [
            ['auto', 'Follow the browser'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ],
        },
        { at: 'portal.theme.accent', label: 'Colour of buttons and links', placeholder: '#2353d9' },
        { at: 'portal.theme.background', label: 'Colour of the page', placeholder: '#ffffff' },
        { at: 'portal.theme.radius', label: 'Radius of corners (pixels)', kind: 'number', placeholder: '6' },
        {
          at: 'portal.theme.logo_url',
          label: 'Address of the logo',
          placeholder: 'https://example.com/logo.svg',
        },
      ],
    },
  ],
};
