/** Crockford's alphabet in lower case, as the TypeID specification 0.3 uses it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const HEX = '0123456789abcdef';

/** 26 digits hold 130 bits; a first digit above 7 would need more than the 128 of a UUID. */
const TEXT = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Digits of a UUID's text that follow a hyphen. */
const AFTER_HYPHEN = new Set([8, 12, 16, 20]);
const SPARE_BITS = 2;
const HYPHEN = 0x2d;

/** The value of each digit by its character code. */
function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(128);
  for (const [value, digit] of [...digits].entries()) {
    values[digit.charCodeAt(0)] = value;
    values[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return values;
}

const HEX_VALUES = valuesOf(HEX);
const BASE32_VALUES = valuesOf(ALPHABET);

/**
 * Encodes a UUID of any version and variant as 26 base32 digits.
 * @throws TypeError if `uuid` is not the text of a UUID
 */
export function uuidToBase32(uuid: string): string {
  if (!UUID.test(uuid)) throw new TypeError('a UUID in its text form is needed');
  let text = '';
  let bits = 0;
  let count = SPARE_BITS;
  for (let index = 0; index < uuid.length; index += 1) {
    const code = uuid.charCodeAt(index);
    if (code === HYPHEN) continue;
    bits = ((bits & 0xf) << 4) | (HEX_VALUES[code] as number);
    count += 4;
    if (count < 5) continue;
    count -= 5;
    text += ALPHABET[(bits >> count) & 0x1f];
  }
  return text;
}

/**
 * Decodes 26 base32 digits to a UUID (lower case) of any version and variant; null for any other text. Never throws,
 * because clients send such texts.
 */
export function base32ToUuid(text: string): string | null {
  if (!TEXT.test(text)) return null;
  let uuid = '';
  let digits = 0;
  let bits = 0;
  let count = -SPARE_BITS;
  for (let index = 0; index < text.length; index += 1) {
    bits = ((bits & 0x1f) << 5) | (BASE32_VALUES[text.charCodeAt(index)] as number);
    count += 5;
    while (count >= 4) {
      count -= 4;
      if (AFTER_HYPHEN.has(digits)) uuid += '-';
      uuid += HEX[(bits >> count) & 0xf];
      digits += 1;
    }
  }
  return uuid;
}
