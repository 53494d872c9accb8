import { type Check, type CheckState, result } from './check.ts';

/** The TXT records of a name, each as the strings that it consists of. Rejects as `dns.resolveTxt` does. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** The codes with which DNS says that there is no such record. */
const NONE = ['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA'];

/** The TXT records of a name that match; null if DNS did not answer. */
async function recordsOf(resolve: ResolveTxt, name: string, which: RegExp): Promise<string[] | null> {
  try {
    const records = await resolve(name);
    return records.map((parts) => parts.join('')).filter((text) => which.test(text));
  } catch (error) {
    return NONE.includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
}

const unanswered = (check: string, name: string) =>
  result(check, 'skipped', `DNS did not answer the question for ${name}.`);

/** RFC 7208: which servers may send for the domain of the envelope's sender. */
async function checkSpf(resolve: ResolveTxt, domain: string): Promise<Check> {
  const check = `SPF of ${domain}`;
  const found = await recordsOf(resolve, domain, /^v=spf1(\s|$)/i);
  if (found === null) return unanswered(check, domain);
  const [spf] = found;
  if (spf === undefined)
    return result(
      check,
      'warning',
      `There is no record: add a TXT record "v=spf1 …" to ${domain} that names what sends.`,
    );
  if (found.length > 1)
    return result(check, 'failed', 'There are several records, so receivers ignore all: keep one.');
  if (/\s\+?all(\s|$)/i.test(spf)) return result(check, 'failed', `Anybody may send for it: ${spf}`);
  return result(check, 'ok', spf);
}

/** RFC 6376: the public key of a selector. */
async function checkDkim(resolve: ResolveTxt, domain: string, selector: string): Promise<Check> {
  const name = `${selector}._domainkey.${domain}`;
  const check = `DKIM at ${name}`;
  const found = await recordsOf(resolve, name, /(^|;)\s*p=/i);
  if (found === null) return unanswered(check, name);
  const [key] = found;
  if (key === undefined)
    return result(check, 'failed', 'There is no public key, so no receiver can verify the signature.');
  if (/(^|;)\s*p=\s*(;|$)/i.test(key))
    return result(check, 'failed', 'The key is revoked: its record has an empty p=.');
  return result(check, 'ok', 'The public key is there.');
}

/** RFC 7489: the policy of the domain of From, or of the domain above it. */
async function checkDmarc(resolve: ResolveTxt, domain: string): Promise<Check> {
  const check = `DMARC of ${domain}`;
  const labels = domain.split('.');
  for (let first = 0; first <= Math.max(labels.length - 2, 0); first += 1) {
    const name = `_dmarc.${labels.slice(first).join('.')}`;
    const found = await recordsOf(resolve, name, /^v=DMARC1\s*(;|$)/i);
    if (found === null) return unanswered(check, name);
    const [policy] = found;
    if (policy === undefined) continue;
    const state: CheckState = found.length > 1 ? 'failed' : 'ok';
    return result(
      check,
      state,
      found.length > 1 ? `There are several records at ${name}: keep one.` : policy,
    );
  }
  return result(
    check,
    'warning',
    `There is no record: add a TXT record such as "v=DMARC1; p=none" to _dmarc.${domain}. Large receivers demand one.`,
  );
}

/** What a sender of a channel needs of the DNS. */
export interface MailDomain {
  /** The domain of From. */
  readonly from: string;
  /** The domain of the envelope's sender. */
  readonly envelope: string;
  readonly dkim: { readonly domain: string; readonly selectors: readonly string[] } | null;
}

/** Checks SPF, DKIM and DMARC of the domain of a sender. */
export async function checkMailDomain(
  resolve: ResolveTxt,
  { from, envelope, dkim }: MailDomain,
): Promise<Check[]> {
  const isAligned = !dkim || from === dkim.domain || from.endsWith(`.${dkim.domain}`);
  const ofDkim = dkim
    ? await Promise.all(dkim.selectors.map((selector) => checkDkim(resolve, dkim.domain, selector)))
    : [
        result(
          `DKIM of ${from}`,
          'skipped',
          'The mail server or provider signs, with a selector that is not known here.',
        ),
      ];
  return [
    await checkSpf(resolve, envelope),
    ...ofDkim,
    ...(isAligned
      ? []
      : [
          result(
            `DKIM of ${from}`,
            'failed',
            `It is signed by ${dkim?.domain}, which is no parent of ${from}: DMARC fails.`,
          ),
        ]),
    await checkDmarc(resolve, from),
  ];
}
