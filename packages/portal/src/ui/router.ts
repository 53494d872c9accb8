import { useSyncExternalStore } from 'react';

/** Where the user is: the parts of `#/endpoints/chn_1?status=failed`, decoded. */
export interface Route {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', query] = hash.replace(/^#\/?/, '').split('?', 2);
  return { parts: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function subscribe(onChange: () => void) {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** The fragment of the page. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => window.location.hash);

/** The address of a screen; each part is encoded. */
export function to(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
}

export function go(address: string): void {
  window.location.hash = address;
}
