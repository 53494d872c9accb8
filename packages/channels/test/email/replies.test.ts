import { describe, expect, it } from '@postrider/testing';
import {
  classifyReply,
  REPLY_RULES,
  type SmtpRefusal,
  type SmtpStage,
} from '../../src/email/providers/smtp/replies.ts';

type Case = readonly [stage: SmtpStage, reply: string, refusal: SmtpRefusal];

/** Replies as the documentation and the programs of these services have them. */
const REPLIES: Readonly<Record<string, readonly Case[]>> = {
  'Gmail and Google Workspace': [
    [
      'connect',
      '421 4.7.0 Our system has detected an unusual rate of unsolicited mail from your IP address',
      'busy',
    ],
    [
      'auth',
      '535-5.7.8 Username and Password not accepted. For more information, go to\n535 5.7.8 gsmtp',
      'login',
    ],
    ['auth', '534-5.7.9 Application-specific password required. gsmtp', 'login'],
    ['mail', '530-5.7.0 Authentication Required. gsmtp', 'login'],
    ['mail', '530 5.7.0 Must issue a STARTTLS command first. gsmtp', 'sender'],
    ['mail', '552 5.3.4 Your message exceeded Google’s message size limits. gsmtp', 'message'],
    [
      'rcpt',
      '550-5.1.1 The email account that you tried to reach does not exist.\n550 5.1.1 gsmtp',
      'address',
    ],
    ['rcpt', '550 5.2.1 The email account that you tried to reach is disabled. gsmtp', 'address'],
    [
      'rcpt',
      '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents',
      'later',
    ],
    ['rcpt', '452 4.2.2 The email account that you tried to reach is over quota.', 'later'],
    ['rcpt', '552 5.2.2 The email account that you tried to reach is over quota.', 'recipient'],
    ['rcpt', '550 5.4.5 Daily user sending limit exceeded. gsmtp', 'sender'],
    ['data', '550 5.4.5 Daily SMTP relay sending limit exceeded for user. gsmtp', 'sender'],
    ['rcpt', '550 5.7.1 Invalid credentials for relay [192.0.2.1]. gsmtp', 'sender'],
    [
      'end',
      '550-5.7.1 [192.0.2.1] Our system has detected that this message is likely\n550 5.7.1 unsolicited mail.',
      'message',
    ],
    ['end', '550-5.7.26 This mail has been blocked because the sender is unauthenticated.', 'sender'],
    ['end', '550-5.7.25 The IP address sending this message does not have a PTR record setup.', 'sender'],
    [
      'end',
      '552 5.7.0 This message was blocked because its content presents a potential security issue.',
      'message',
    ],
  ],
  'Microsoft 365': [
    ['mail', '530 5.7.57 Client not authenticated to send mail.', 'login'],
    ['auth', '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled.', 'login'],
    [
      'rcpt',
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      'address',
    ],
    ['rcpt', '550 5.4.1 Recipient address rejected: Access denied. [AS(201806281)]', 'recipient'],
    ['rcpt', '550 5.7.606 Access denied, banned sending IP [192.0.2.1].', 'sender'],
    ['rcpt', '550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus.', 'sender'],
    ['rcpt', '550 5.1.8 Access denied, bad outbound sender AS(42004)', 'sender'],
    ['rcpt', '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup', 'recipient'],
    ['end', '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.', 'sender'],
    ['end', '550 5.7.705 Service unavailable. Access denied, tenant has exceeded threshold.', 'sender'],
    ['end', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'sender'],
    ['end', '554 5.2.252 SendAsDenied; shop@example.com not allowed to send as other@example.com', 'sender'],
    ['rcpt', '451 4.7.500 Server busy. Please try again later from [192.0.2.1].', 'busy'],
    ['rcpt', '452 4.5.3 Too many recipients', 'later'],
  ],
  'Amazon SES': [
    ['connect', '421 Too many concurrent SMTP connections', 'busy'],
    ['mail', '530 Authentication required', 'login'],
    ['auth', '535 Authentication Credentials Invalid', 'login'],
    ['auth', '454 Temporary authentication failure', 'login'],
    ['end', '454 Throttling failure: Maximum sending rate exceeded.', 'busy'],
    ['end', '454 Throttling failure: Daily message quota exceeded.', 'busy'],
    [
      'end',
      '554 Message rejected: Email address is not verified. The following identities failed the check',
      'sender',
    ],
    ['end', '554 Message rejected: Sending suspended for this account.', 'sender'],
    ['end', '554 Access denied: User is not authorized to perform ses:SendRawEmail', 'sender'],
    ['end', '554 Transaction failed: Missing start boundary', 'message'],
    ['end', '451 Temporary service failure', 'later'],
  ],
  Yahoo: [
    [
      'connect',
      '553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus',
      'sender',
    ],
    [
      'connect',
      '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints',
      'busy',
    ],
    [
      'end',
      '554 delivery error: dd This user doesn’t have a yahoo.com account (ada@yahoo.com) [0]',
      'message',
    ],
    ['rcpt', '550 User does not exist', 'recipient'],
    ['end', '552 1 Requested mail action aborted, mailbox not found', 'message'],
    ['end', '451 4.3.2 Internal server error', 'busy'],
    ['end', '554 5.7.9 Message not accepted for policy reasons.', 'message'],
  ],
  Postfix: [
    ['connect', '521 5.7.1 Service unavailable; client [192.0.2.1] blocked using zen.spamhaus.org', 'sender'],
    ['mail', '452 4.3.1 Insufficient system storage', 'busy'],
    ['mail', '552 5.3.4 Message size exceeds fixed limit', 'message'],
    ['mail', '501 5.1.7 Bad sender address syntax', 'sender'],
    [
      'rcpt',
      '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
      'address',
    ],
    ['rcpt', '450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address', 'later'],
    ['rcpt', '501 5.1.3 Bad recipient address syntax', 'address'],
    ['rcpt', '554 5.7.1 <ada@example.com>: Relay access denied', 'sender'],
    ['rcpt', '554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied', 'sender'],
    [
      'rcpt',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
      'sender',
    ],
    ['rcpt', '553 5.7.1 <shop@example.com>: Sender address rejected: not owned by user shop', 'sender'],
    ['rcpt', '450 4.1.8 <shop@nowhere.test>: Sender address rejected: Domain not found', 'busy'],
    ['rcpt', '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname', 'sender'],
    ['rcpt', '504 5.5.2 <ada>: Recipient address rejected: need fully-qualified address', 'recipient'],
    ['rcpt', '450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted', 'later'],
    ['rcpt', '552 5.2.2 <ada@example.com>: user is over quota', 'recipient'],
    ['rcpt', '451 4.3.5 <ada@example.com>: Recipient address rejected: Server configuration error', 'busy'],
    ['end', '550 5.7.1 Message content rejected', 'message'],
    ['end', '503 5.5.1 Error: need MAIL command', 'busy'],
  ],
  Exim: [
    ['connect', '554 SMTP synchronization error', 'sender'],
    ['rcpt', '550 relay not permitted', 'sender'],
    ['rcpt', '550-Verification failed for <shop@example.com>\n550 Sender verify failed', 'sender'],
    ['rcpt', '550 rejected because 192.0.2.1 is in a black list at zen.spamhaus.org', 'sender'],
    ['rcpt', '550 Unrouteable address', 'recipient'],
    ['rcpt', '550 authentication required', 'sender'],
    ['rcpt', '451 Temporary local problem - please try later', 'later'],
    ['end', '550 This message was classified as spam', 'message'],
  ],
  'the reports of users': [
    ['mail', '550 account suspended', 'sender'],
    ['connect', '554 Your host is on a blocklist', 'sender'],
    ['mail', '530 5.7.1 Authentication required', 'login'],
    ['rcpt', '554 5.7.1 relay denied', 'sender'],
    ['mail', '554 sender not verified', 'sender'],
    ['rcpt', '550 5.4.5 daily limit', 'sender'],
  ],
};

describe.each(Object.entries(REPLIES))('a reply of %s', (_service, cases) => {
  it.each(cases)('at %s: %s is about: %s', (stage, text, refusal) => {
    expect(classifyReply({ stage, code: Number(text.slice(0, 3)), text }).refusal).toBe(refusal);
  });
});

describe('the rules of replies', () => {
  const stages: readonly SmtpStage[] = [
    'connect',
    'hello',
    'starttls',
    'auth',
    'mail',
    'rcpt',
    'data',
    'end',
  ];

  it('are never about the recipient before one is named, whatever the reply says', () => {
    const said = '5.1.1 <ada@example.com>: User unknown';
    for (const stage of stages.slice(0, 5)) {
      for (const code of [421, 450, 451, 454, 500, 501, 503, 521, 530, 535, 550, 553, 554]) {
        const { refusal } = classifyReply({ stage, code, text: `${code} ${said}` });
        expect(['login', 'sender', 'busy']).toContain(refusal);
      }
    }
  });

  it('do not take a part of an IP address for a status, or an address for what the server says', () => {
    const of = (text: string) => classifyReply({ stage: 'rcpt', code: 550, text }).refusal;
    expect(of('550 rejected: 195.1.1.1 may not send to you')).toBe('recipient');
    expect(of('550 5.1.1.7 is not allowed')).toBe('recipient');
    expect(of('550 5.1.1 <relay.denied-spamhaus@example.com>: unknown')).toBe('address');
    expect(of('550 5.1.1 relay.denied-spamhaus@example.com: unknown')).toBe('address');
  });

  it('take no more work in one long word than in many short ones', () => {
    function cpuOf(words: string): number {
      const before = process.cpuUsage();
      for (let times = 0; times < 50; times += 1) {
        expect(classifyReply({ stage: 'rcpt', code: 550, text: `550 ${words}` }).refusal).toBe('recipient');
      }
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }
    const shortWords = 'xxxxxxx '.repeat(500);
    const longWord = 'x'.repeat(4_000);
    // The first calls compile the patterns.
    cpuOf(shortWords);
    cpuOf(longWord);
    // Work that grows with the square of the length of a word would be hundreds of times as much.
    expect(cpuOf(longWord)).toBeLessThan(20 * cpuOf(shortWords));
  });

  it('are each reached by a reply above', () => {
    const all = Object.values(REPLIES).flat();
    const reasons = new Set(
      all.map(([stage, text]) => classifyReply({ stage, code: Number(text.slice(0, 3)), text }).why),
    );
    const never = REPLY_RULES.filter(({ why }) => !reasons.has(why)).map(({ why }) => why);
    expect(never).toEqual(['it does not know the command']);
  });
});
