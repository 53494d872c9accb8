import * as json from '../fields.ts';

/** Why an address was added to the list. */
export const SUPPRESSION_SOURCES = [
  'hard_bounce',
  'soft_bounce',
  'complaint',
  'unsubscribe',
  'manual',
  'import',
] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];
/** What recipients asked for themselves. */
export const RECIPIENTS_WISHES: readonly SuppressionSource[] = ['complaint', 'unsubscribe'];

/** The fields of an address to which an environment sends no email. */
export const SUPPRESSION_FIELDS = {
  id: json.id('sup', 'The entry.'),
  environment_id: json.id('env', 'Its environment.'),
  email: json.nullable(
    json.text('The address; null if it was erased or never known. The entry still applies.'),
  ),
  scope: json.text('`all`, or the stream in which it is suppressed.'),
  reason: json.nullable(json.text('Why, for operators.')),
  source: json.oneOf(SUPPRESSION_SOURCES, 'Why it was added.'),
  created_at: json.time('Since when.'),
  expires_at: json.optionalTime('When it ends; null if it stays.'),
};
export type SuppressionRecord = json.RecordOf<typeof SUPPRESSION_FIELDS>;

/** A suppression as the API shows it. */
export const presentSuppression = json.presenterOf(SUPPRESSION_FIELDS, 'sup');

const { email: _email, reason: _reason, ...AUDITED_SUPPRESSION } = SUPPRESSION_FIELDS;
/** A suppression as the audit log stores it: without the address, and without the reason, which may contain it. */
export const suppressionForAudit = json.presenterOf(AUDITED_SUPPRESSION, 'sup');

/** The fields of a stream that was paused because too many recipients complained. Its email is held until it is resumed. */
export const PAUSED_STREAM_FIELDS = {
  environment_id: json.id('env', 'Its environment.'),
  stream: json.text('The stream.'),
  paused_at: json.time('Since when.'),
  resumed_at: json.optionalTime('When it was resumed; null while it is paused.'),
  delivered: json.count('Delivered emails of the stream on the day before the pause.'),
  complained: json.count('Those about which recipients complained.'),
  waiting: json.count('Its held runs, counted up to 10,000.'),
};
export type PausedStreamRecord = json.RecordOf<typeof PAUSED_STREAM_FIELDS>;

/** A paused stream as the API shows it. */
export const presentPausedStream = json.presenterOf(PAUSED_STREAM_FIELDS);

const { environment_id: _environment, waiting: _waiting, ...AUDITED_PAUSE } = PAUSED_STREAM_FIELDS;
/** A paused stream as the audit log and operational events show it. */
export const pausedStreamForAudit = json.presenterOf(AUDITED_PAUSE);
