/** Hosts that are this machine: requests to them cross no network. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An AWS region such as `eu-central-1` or `us-gov-west-1`: it becomes part of a host name. */
export const AWS_REGION = /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/;

/** The URL that a text is; null when it is none. */
export const parseUrl = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null);

/** What is wrong with the URL of a service that credentials are sent to; null when nothing is. */
export function serviceUrlProblem(value: string): string | null {
  const url = parseUrl(value);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe) return 'must be an https URL, or http on this machine';
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && !value.includes('?') && !value.includes('#')
    ? null
    : 'must have no credentials, query or fragment';
}
