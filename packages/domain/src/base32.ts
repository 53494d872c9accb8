/** Crockford's alphabet in lower case, as the TypeID specification 0.3 uses it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const HEX = '0123456789abcdef';

const TEXT_LENGTH = 26;
/** 26 digits hold 130 bits; a first digit above 7 would need more than the 128 of a UUID. */
const TEXT = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID_LENGTH = 36;
const SPARE_BITS = 2;
const HYPHEN = 0x2d;

/** The value of characters that are not digits, larger than that of any digit. */
const NO_DIGIT = 0xff;

/** The value of each digit by its character code. */
function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(256).fill(NO_DIGIT);
  for (const [value, digit] of [...digits].entries()) {
    values[digit.charCodeAt(0)] = value;
    values[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return values;
}

/** The value of each hexadecimal digit by its character code; {@link NO_DIGIT} for other characters. */
const HEX_VALUES = valuesOf(HEX);
const BASE32_VALUES = valuesOf(ALPHABET);

const isAtHyphen = (index: number) => index === 8 || index === 13 || index === 18 || index === 23;

const ALPHABET_CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
/** Scratch space for the character codes of {@link uuidToBase32}, shared by all calls. */
const textCodes: number[] = new Array(TEXT_LENGTH).fill(0);

/**
 * Encodes a UUID of any version and variant as 26 base32 digits. Every event and attempt has several ids, so this checks and
 * encodes in one pass. Checking with a regular expression first takes half as long again.
 * @throws TypeError if `uuid` is not the text of a UUID
 */
export function uuidToBase32(uuid: string): string {
  /** Not 0 once a character is in the wrong position. */
  let wrong = uuid.length ^ UUID_LENGTH;
  let length = 0;
  let bits = 0;
  let count = SPARE_BITS;
  for (let index = 0; index < UUID_LENGTH; index += 1) {
    const code = uuid.charCodeAt(index);
    if (isAtHyphen(index)) {
      wrong |= code ^ HYPHEN;
      continue;
    }
    const value = HEX_VALUES[code & 0xff] as number;
    wrong |= (code >> 8) | (value & ~0xf);
    bits = ((bits & 0xf) << 4) | value;
    count += 4;
    if (count < 5) continue;
    count -= 5;
    textCodes[length] = ALPHABET_CODES[(bits >> count) & 0x1f] as number;
    length += 1;
  }
  if (wrong !== 0) throw new TypeError('a UUID in its text form is needed');
  return String.fromCharCode(...textCodes);
}

/** The text of the UUID with these 32 hexadecimal digits. */
export const uuidOfHex = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/**
 * Decodes 26 base32 digits to a UUID (lower case) of any version and variant; null for any other text. Never throws,
 * because clients send such texts.
 */
export function base32ToUuid(text: string): string | null {
  if (!TEXT.test(text)) return null;
  let hex = '';
  let bits = 0;
  let count = -SPARE_BITS;
  for (let index = 0; index < text.length; index += 1) {
    bits = ((bits & 0x1f) << 5) | (BASE32_VALUES[text.charCodeAt(index)] as number);
    count += 5;
    while (count >= 4) {
      count -= 4;
      hex += HEX[(bits >> count) & 0xf];
    }
  }
  return uuidOfHex(hex);
}
