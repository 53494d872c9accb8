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

/** What the records of a name say; `skipped` if DNS did not answer. */
async function checkRecords(
  resolve: ResolveTxt,
  { check, name, which }: { readonly check: string; readonly name: string; readonly which: RegExp },
  find: (found: readonly string[]) => readonly [CheckState, detail: string],
): Promise<Check> {
  const found = await recordsOf(resolve, name, which);
  return result(check, ...(found ? find(found) : unanswered(name)));
}

const unanswered = (name: string) => ['skipped', `DNS did not answer the query for ${name}.`] as const;

/** RFC 7208: which servers may send for the domain of the return path. */
const checkSpf = (resolve: ResolveTxt, name: string) =>
  checkRecords(resolve, { check: `SPF of ${name}`, name, which: /^v=spf1(\s|$)/i }, ([spf, ...more]) => {
    if (spf === undefined)
      return [
        'warning',
        `There is no record: add a TXT record "v=spf1 …" to ${name} that names your mail servers.`,
      ];
    if (more.length > 0)
      return ['failed', 'There are several records, so receivers ignore them all: keep one.'];
    return /\s\+?all(\s|$)/i.test(spf) ? ['failed', `Anyone may send for it: ${spf}`] : ['ok', spf];
  });

/** RFC 6376: the public key of a selector. */
function checkDkim(resolve: ResolveTxt, domain: string, selector: string): Promise<Check> {
  const name = `${selector}._domainkey.${domain}`;
  return checkRecords(resolve, { check: `DKIM at ${name}`, name, which: /(^|;)\s*p=/i }, ([key]) => {
    if (key === undefined)
      return ['failed', 'There is no public key, so no receiver can verify the signature.'];
    const isRevoked = /(^|;)\s*p=\s*(;|$)/i.test(key);
    return isRevoked
      ? ['failed', 'The key is revoked: its record has an empty p=.']
      : ['ok', 'The public key is there.'];
  });
}

/** RFC 7489: the policy of the domain of From, or of the domain above it. */
async function checkDmarc(resolve: ResolveTxt, domain: string): Promise<Check> {
  const check = `DMARC of ${domain}`;
  const labels = domain.split('.');
  for (let first = 0; first <= Math.max(labels.length - 2, 0); first += 1) {
    const name = `_dmarc.${labels.slice(first).join('.')}`;
    const found = await recordsOf(resolve, name, /^v=DMARC1\s*(;|$)/i);
    if (found === null) return result(check, ...unanswered(name));
    if (found.length > 1) return result(check, 'failed', `There are several records at ${name}: keep one.`);
    if (found[0] !== undefined) return result(check, 'ok', found[0]);
  }
  return result(
    check,
    'warning',
    `There is no record: add a TXT record such as "v=DMARC1; p=none" to _dmarc.${domain}. Large mailbox providers require one.`,
  );
}

/** What a sender of a channel needs of the DNS. */
export interface MailDomain {
  /** The domain of From. */
  readonly from: string;
  /** The domain of the return path. */
  readonly returnPath: string;
  readonly dkim: { readonly domain: string; readonly selectors: readonly string[] } | null;
}

/** Checks SPF, DKIM and DMARC of the domain of a sender. */
export async function checkMailDomain(
  resolve: ResolveTxt,
  { from, returnPath, dkim }: MailDomain,
): Promise<Check[]> {
  const check = `DKIM of ${from}`;
  const checks = [await checkSpf(resolve, returnPath)];
  if (dkim) {
    const { domain, selectors } = dkim;
    checks.push(...(await Promise.all(selectors.map((selector) => checkDkim(resolve, domain, selector)))));
    if (from !== domain && !from.endsWith(`.${domain}`))
      checks.push(
        result(
          check,
          'failed',
          `It is signed by ${domain}, which is not a parent domain of ${from}: DMARC fails.`,
        ),
      );
  } else
    checks.push(
      result(check, 'skipped', 'The mail server or provider signs, with a selector that is not known here.'),
    );
  return [...checks, await checkDmarc(resolve, from)];
}
