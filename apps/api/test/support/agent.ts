/** A browser without scripts: keeps cookies of each host and port, and follows redirects. */
export interface Agent {
  /** Gets a page, following redirects until `stopAt` matches a location. Cookies are kept. */
  readonly get: (url: string, stopAt?: RegExp) => Promise<Page>;
  readonly post: (url: string, form: Record<string, string>, stopAt?: RegExp) => Promise<Page>;
  /** The cookies for a URL, as a header. */
  readonly cookies: (url: string) => string;
}

export interface Page {
  /** The URL of the page, or the location at which the agent stopped. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const MAX_REDIRECTS = 12;

export function createAgent(): Agent {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  const cookies = (url: string) => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');

  async function go(first: string, init: RequestInit, stopAt?: RegExp): Promise<Page> {
    let url = first;
    let options = init;
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const response = await fetch(url, {
        ...options,
        redirect: 'manual',
        headers: { ...options.headers, Cookie: cookies(url) },
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';');
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        const isRemoved = attributes.some((each) => /max-age=0|expires=thu, 01 jan 1970/i.test(each));
        if (isRemoved) jarOf(url).delete(name);
        else jarOf(url).set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url).href;
      if (stopAt?.test(url)) return { url, status: response.status, text: await response.text() };
      await response.body?.cancel();
      options = {};
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`);
  }
  return {
    cookies,
    get: (url, stopAt) => go(url, {}, stopAt),
    post: (url, form, stopAt) => go(url, { method: 'POST', body: new URLSearchParams(form) }, stopAt),
  };
}

/** Signs in and consents at the pages of oidc-provider. Returns the page, or the location, to which it leads. */
export async function signInAtProvider(
  agent: Agent,
  start: string,
  subject: string,
  stopAt?: RegExp,
): Promise<Page> {
  let page = await agent.get(start, stopAt);
  for (let step = 0; step < 3 && page.url.includes('/interaction/'); step += 1) {
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    page = await agent.post(page.url, { prompt, login: subject, password: 'any' }, stopAt);
  }
  return page;
}
