import { ENVIRONMENT_NAME_PATTERN, EVENT_KEY_PATTERN } from '@postrider/domain';

/**
 * Text on one line, without any control character (C0, DEL, C1), line or paragraph separator, and without what turns
 * the direction of text (UAX #9: embeddings, overrides, isolates). The marks LRM, RLM and ALM are allowed.
 */
export const PLAIN_TEXT_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';

/** A plan's code: a slug that stands in paths. */
export const PLAN_CODE_PATTERN = '^[a-z0-9][a-z0-9_-]{0,62}$';

/** A channel's public id: docs/specification.md, "Ids". */
export const CHANNEL_ID_PATTERN = '^chn_[0-7][0-9a-hjkmnp-tv-z]{25}$';

/** What to tell somebody whose text does not match; a regular expression tells most people nothing. */
export const SENTENCE_OF_PATTERN: Readonly<Record<string, string>> = {
  [EVENT_KEY_PATTERN]:
    'must be two or more parts of a-z, 0-9, _ and -, separated by dots, such as order.shipped',
  [PLAN_CODE_PATTERN]: 'must be 1 to 63 of a-z, 0-9, _ and -, and begin with a letter or digit',
  [ENVIRONMENT_NAME_PATTERN]: 'must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or digit',
  [CHANNEL_ID_PATTERN]: 'must be an id that begins with chn_',
  [PLAIN_TEXT_PATTERN]: 'must not contain line breaks or other control characters',
};
