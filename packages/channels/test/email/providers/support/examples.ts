import { RUN_ID } from '../../../support/delivery.ts';

/** What the providers' documentation shows of their webhooks, with the metadata of a run. */

const sendgridEvent = (event: object) => ({
  email: 'example@test.com',
  timestamp: 1_513_299_569,
  'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
  category: 'cat facts',
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  postrider_run: RUN_ID,
  ...event,
});

export const SENDGRID = [
  sendgridEvent({ event: 'processed', sg_event_id: 'rbtnWrG1DVDGGGFHFyun0A==' }),
  sendgridEvent({
    event: 'deferred',
    sg_event_id: 't7LEShmowp86DTdUW8M-GQ==',
    response: '400 try again later',
    attempt: '5',
  }),
  sendgridEvent({ event: 'delivered', sg_event_id: 'rWVYmVk90MjZJ9iohOBa3w==', response: '250 OK' }),
  sendgridEvent({ event: 'open', sg_event_id: 'FOTFFO0ecsBE-zxFXfs6WA==' }),
  sendgridEvent({
    event: 'bounce',
    type: 'bounce',
    sg_event_id: '6g4ZI7SA-xmRDv57GoPIPw==',
    reason: '500 unknown recipient',
    status: '5.0.0',
  }),
  sendgridEvent({ event: 'bounce', type: 'blocked', sg_event_id: 'blocked', reason: '550 spam' }),
  sendgridEvent({
    event: 'dropped',
    sg_event_id: 'zmzJhfJgAfUSOW80yEbPyw==',
    reason: 'Bounced Address',
    status: '5.0.0',
  }),
  sendgridEvent({ event: 'spamreport', sg_event_id: '37nvH5QBz858KGVYCM4uOA==' }),
  sendgridEvent({ event: 'unsubscribe', sg_event_id: 'zz_BjPgU_5pS-J8vlfB1sg==' }),
  sendgridEvent({ event: 'group_unsubscribe', sg_event_id: 'ahSCB7xYcXFb-hEaawsPRw==', asm_group_id: 10 }),
];

export const POSTMARK_BOUNCE = {
  RecordType: 'Bounce',
  ID: 4_323_372,
  Type: 'HardBounce',
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: 'Test',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  ServerID: 23,
  MessageStream: 'outbound',
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Details: 'Test bounce details',
  Email: 'john@example.com',
  From: 'sender@example.com',
  BouncedAt: '2019-11-05T16:33:54.9070259Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: 'Test subject',
  Metadata: { postrider_run: RUN_ID },
};

export const POSTMARK_COMPLAINT = {
  ...POSTMARK_BOUNCE,
  RecordType: 'SpamComplaint',
  ID: 42,
  Type: 'SpamComplaint',
  TypeCode: 512,
  Name: 'Spam complaint',
  Details: 'Test spam complaint details',
};

export const POSTMARK_DELIVERY = {
  RecordType: 'Delivery',
  ServerID: 23,
  MessageStream: 'outbound',
  MessageID: '00000000-0000-0000-0000-000000000000',
  Recipient: 'john@example.com',
  Tag: 'welcome-email',
  DeliveredAt: '2019-11-05T16:33:54.9070259Z',
  Details: 'Test delivery webhook details',
  Metadata: { postrider_run: RUN_ID },
};

export const POSTMARK_UNSUBSCRIBE = {
  RecordType: 'SubscriptionChange',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  ServerID: 123_456,
  MessageStream: 'outbound',
  ChangedAt: '2020-02-01T10:53:34.416071Z',
  Recipient: 'john@example.com',
  Origin: 'Recipient',
  SuppressSending: true,
  SuppressionReason: 'ManualSuppression',
  Tag: 'my-tag',
  Metadata: { postrider_run: RUN_ID },
};

export const MAILGUN = {
  id: 'CPgfbmQMTCKtHW6uIWtuVe',
  timestamp: 1_521_472_262.908181,
  'log-level': 'info',
  event: 'delivered',
  'delivery-status': {
    tls: true,
    'mx-host': 'smtp-in.example.com',
    code: 250,
    description: '',
    'session-seconds': 0.4331989288330078,
    utf8: true,
    'attempt-no': 1,
    message: 'OK',
    'certificate-verified': true,
  },
  message: {
    headers: {
      to: 'Alice <alice@example.com>',
      'message-id': `${RUN_ID}@example.com`,
      from: 'Bob <bob@example.com>',
      subject: 'Test delivered webhook',
    },
    attachments: [],
    size: 111,
  },
  recipient: 'alice@example.com',
  'recipient-domain': 'example.com',
  'user-variables': { postrider_run: RUN_ID },
};

export const RESEND = {
  type: 'email.delivered',
  created_at: '2024-11-22T23:41:12.126Z',
  data: {
    created_at: '2024-11-22T23:41:11.894719+00:00',
    email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
    from: 'Acme <onboarding@resend.dev>',
    to: ['delivered@resend.dev'],
    subject: 'Sending this example',
    tags: { postrider_run: RUN_ID },
  },
};

const sesMail = {
  timestamp: '2016-10-14T05:02:16.645Z',
  source: 'sender@example.com',
  sendingAccountId: '123456789012',
  messageId: 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000',
  destination: ['recipient@example.com'],
  headersTruncated: false,
  headers: [{ name: 'From', value: 'sender@example.com' }],
  tags: { 'ses:configuration-set': ['ConfigSet'], postrider_run: [RUN_ID] },
};

/** Events of Amazon SES, which SNS has as text in its messages. */
export const SES = {
  bounce: {
    eventType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        {
          emailAddress: 'recipient@example.com',
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      timestamp: '2017-08-05T00:41:02.669Z',
      feedbackId: '01000157c44f053b-61b59c11-9236-11e6-8f96-7be8aexample-000000',
    },
    mail: sesMail,
  },
  complaint: {
    eventType: 'Complaint',
    complaint: {
      complainedRecipients: [{ emailAddress: 'recipient@example.com' }],
      timestamp: '2017-08-05T00:41:02.669Z',
      complaintFeedbackType: 'abuse',
    },
    mail: sesMail,
  },
  delivery: {
    eventType: 'Delivery',
    mail: sesMail,
    delivery: {
      timestamp: '2016-10-19T23:21:04.133Z',
      processingTimeMillis: 11_893,
      recipients: ['recipient@example.com'],
      smtpResponse: '250 2.6.0 Message received',
    },
  },
  delay: {
    eventType: 'DeliveryDelay',
    mail: sesMail,
    deliveryDelay: {
      timestamp: '2020-06-16T00:25:40.095Z',
      delayType: 'TransientCommunicationFailure',
      delayedRecipients: [
        { emailAddress: 'recipient@example.com', status: '4.4.1', diagnosticCode: 'smtp; 421 4.4.1' },
      ],
    },
  },
};
