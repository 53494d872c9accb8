import { enhancedStatus, isPermanentBounce } from '../../bounces.ts';

/** Where a session is when the server refuses. `end` is the reply to the final dot. */
export type SmtpStage = 'connect' | 'hello' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end';

/**
 * What a refusal is about. `login`: the credentials. `sender`: the account, the address of this client, or the sender of the
 * mail. `busy`: the server or the session, for now. `later`: this message or its recipient, for now. `message`: this
 * message, for good. `recipient`: the recipient, for good, with an address that may exist. `address`: an address that
 * does not exist.
 */
export type SmtpRefusal = 'login' | 'sender' | 'busy' | 'later' | 'message' | 'recipient' | 'address';

interface ReplyRule {
  /** All stages by default. */
  readonly stages?: readonly SmtpStage[];
  /** The reply codes; all by default. */
  readonly codes?: RegExp;
  /** The enhanced status codes; all by default. */
  readonly status?: RegExp;
  /** Matches the text without addresses, because recipients choose what is in theirs. */
  readonly text?: RegExp;
  readonly refusal: SmtpRefusal;
  /** Completes `The server answered 550 to RCPT TO: `. */
  readonly why: string;
}

/** Before a recipient is named, nothing can be about it. */
const BEFORE_RECIPIENTS: readonly SmtpStage[] = ['connect', 'hello', 'starttls', 'mail'];

/** Servers that delay their checks refuse the client, the sender or the account at RCPT TO or after the data. */
const SAYS_SENDER = new RegExp(
  [
    'client host|\\behlo\\b|\\bhelo\\b|sender address|sender verif|banned send|bad outbound sender',
    'senda(?:s)?denied|send as this sender|not owned by user|address is not verified|identities failed',
    'not authori[sz]ed to (?:perform|send)|sending (?:has been )?(?:suspended|paused|disabled)',
    'relay(?:ing)? (?:access )?(?:is )?(?:denied|not permitted|not allowed|prohibited)|(?:to|for) relay\\b',
    'authenticat|\\b(?:spf|dkim|dmarc)\\b|reputation|spamhaus|spamcop|blocked using',
    '(?:block|black|deny) ?list|\\b(?:dnsbl|rbl)\\b|\\bip address|\\b(?:your|this) ip\\b|\\bthe ip you',
    'reverse dns|\\bptr\\b|throttl|sending rate|tenant has exceeded|email quota exceeded',
    '(?:daily|hourly|sending|relay).{0,30}(?:quota|limit)',
  ].join('|'),
  'i',
);

/**
 * Statuses about the sender: its mailbox or domain, its quota, its authentication (RFC 7372, RFC 7505), TLS and relaying, and
 * those of Microsoft 365 for clients, senders and tenants.
 */
const SENDER_STATUS = new RegExp(
  `^[45]\\.(?:1\\.[78]|2\\.252|4\\.5|7\\.(?:${[
    ...['3', '4', '1[0-4]', '2[0-9]', '30', '57', '60', '64', '68', '139', '367'],
    ...['50[0-46-9]', '51[13]', '6\\d\\d', '7[0-4]\\d', '750'],
  ].join('|')}))$`,
);

/**
 * The meaning of replies. The first rule that matches a refusal counts (RFC 5321 section 4.2, RFC 3463). Without an
 * enhanced status code and a known text, the stage and the class of the code decide.
 */
export const REPLY_RULES: readonly ReplyRule[] = [
  { codes: /^421$/, refusal: 'busy', why: 'it ends the session' },
  { stages: ['auth'], refusal: 'login', why: 'it refuses the credentials' },
  { codes: /^530$/, text: /\b(?:start)?tls\b/i, refusal: 'sender', why: 'it requires TLS' },
  { codes: /^53[0458]$/, refusal: 'login', why: 'it requires a login, or a different one' },
  {
    stages: ['mail'],
    codes: /^552$/,
    refusal: 'message',
    why: 'the message is larger than it accepts',
  },
  {
    stages: ['mail'],
    status: /^5\.(?:2\.3|3\.4)$/,
    refusal: 'message',
    why: 'the message is larger than it accepts',
  },
  {
    stages: BEFORE_RECIPIENTS,
    codes: /^(?:4|503)/,
    refusal: 'busy',
    why: 'it accepts no mail from this sender now, regardless of the recipient',
  },
  {
    stages: BEFORE_RECIPIENTS,
    refusal: 'sender',
    why: 'it refuses the account, the sender or this client, regardless of the recipient',
  },
  { codes: /^503$/, refusal: 'busy', why: 'it rejects the order of the commands' },
  { codes: /^50[02]$/, refusal: 'sender', why: 'it does not know the command' },
  { status: /^5\.2\.2$/, refusal: 'recipient', why: 'the mailbox is full' },
  { status: /^4\.2\.\d+$/, refusal: 'later', why: 'the mailbox accepts no mail now' },
  {
    status: /^5\.7\.1(?:2\d|3[0-8])$/,
    refusal: 'recipient',
    why: 'the recipient does not accept mail from this sender',
  },
  { codes: /^4/, text: SAYS_SENDER, refusal: 'busy', why: 'it accepts no mail from this sender now' },
  { text: SAYS_SENDER, refusal: 'sender', why: 'it refuses the account, the sender or this client' },
  { codes: /^4/, status: SENDER_STATUS, refusal: 'busy', why: 'it accepts no mail from this sender now' },
  { status: SENDER_STATUS, refusal: 'sender', why: 'it refuses the account, the sender or this client' },
  { status: /^4\.3\.\d+$/, refusal: 'busy', why: 'the server accepts no mail now' },
  { codes: /^4/, refusal: 'later', why: 'it does not accept this mail now' },
  {
    stages: ['rcpt'],
    status: /^5\.(?:2\.3|3\.4|5\.3|6\.\d+|7\.\d+)$/,
    refusal: 'message',
    why: 'it refuses this mail',
  },
  { stages: ['rcpt'], refusal: 'recipient', why: 'it refuses the recipient' },
  { status: /^5\.(?:1\.\d+|2\.(?!3$)\d+)$/, refusal: 'recipient', why: 'it refuses the recipient' },
  { refusal: 'message', why: 'it refuses this mail' },
];

/** A text in angle brackets, or a word: looking for the `@` within the pattern would take quadratic time in a long word. */
const WORD = /<[^<>\s]*>|[^\s<>"]+/g;
const isAddress = (word: string) => word.startsWith('<') || /.@./.test(word);

/** A refusal of a server. */
export interface SmtpReply {
  readonly stage: SmtpStage;
  readonly code: number;
  /** All lines, with their codes. */
  readonly text: string;
}

/** What a reply of 4yz or 5yz is about, and why. */
export function classifyReply({ stage, code, text }: SmtpReply): { refusal: SmtpRefusal; why: string } {
  const said = text.slice(0, 4_000);
  const status = enhancedStatus(...said.split('\n').map((line) => /^\d{3}[ -]([\d.]+)/.exec(line)?.[1]));
  const words = said.replace(WORD, (word) => (isAddress(word) ? ' ' : word));
  const rule = REPLY_RULES.find(
    (one) =>
      (one.stages?.includes(stage) ?? true) &&
      (one.codes?.test(String(code)) ?? true) &&
      (one.status === undefined || (status !== null && one.status.test(status))) &&
      (one.text?.test(words) ?? true),
  );
  if (!rule) throw new Error('the last rule matches every reply');
  const { refusal, why } = rule;
  const isInvalid = refusal === 'recipient' && isPermanentBounce({ texts: [status] });
  return isInvalid ? { refusal: 'address', why: 'the address does not exist' } : { refusal, why };
}
