import {
  CID_PATTERN,
  CONTENT_TYPE_PATTERN,
  EVENT_KEY_PATTERN,
  LOCALE_PATTERN,
  PART_NAME_PATTERN,
  STREAM_SCHEMA,
} from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { compileBody } from '../src/validation/body.ts';

describe('a text in the wrong form', () => {
  it.each([
    ['an event key', EVENT_KEY_PATTERN, 'Order'],
    ['a locale', LOCALE_PATTERN, 'fr_CA'],
    ['the name of a part', PART_NAME_PATTERN, 'My layout'],
    ['the content id of a file', CID_PATTERN, '<logo>'],
    ['a media type', CONTENT_TYPE_PATTERN, 'PDF'],
    ['a stream', STREAM_SCHEMA.pattern, 'News!'],
  ])('is refused in words: %s', (_what, pattern, value) => {
    const { issues } = compileBody({ type: 'string', pattern })(value);
    expect(issues).toEqual([expect.objectContaining({ code: 'invalid_format' })]);
    expect(issues[0]?.message).toMatch(/^must be [^^]*$/);
  });
});
