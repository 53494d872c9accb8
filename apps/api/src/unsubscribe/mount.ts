import type { ChannelRegistry } from '@postrider/channels';
import {
  type Database,
  findSubscription,
  inShare,
  resubscribe,
  type ServiceKeySource,
  type Subscription,
  unsubscribe,
} from '@postrider/db';
import {
  formatId,
  type IdSource,
  type JsonObject,
  reject,
  retryLater,
  sha256,
  streamNameIn,
  UNSUBSCRIBE_PATH,
  type UnsubscribeTarget,
} from '@postrider/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { readBody } from '../http/admission.ts';
import { contextOf } from '../http/request.ts';
import { methodNotAllowed } from '../http/routes.ts';
import { createLocalBuckets } from '../rate-limit/buckets.ts';
import { PAGE_LANGUAGES, PAGE_TEXTS, type PageTexts } from './texts.ts';

type PageContent =
  | {
      readonly state: 'ask' | 'done' | 'resubscribed';
      readonly stream: string;
      readonly sender: string;
      readonly canUndo: boolean;
    }
  | { readonly state: 'invalid' };

const STYLE =
  'body{margin:0;background:#f4f5f7;color:#1b1f24;font:1.0625rem/1.6 system-ui,sans-serif}' +
  'main{max-width:34rem;margin:12vh auto;padding:2rem;background:#fff;border:1px solid #d5d9df;border-radius:.5rem}' +
  'h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1.5rem;overflow-wrap:anywhere}form{margin:0}' +
  'button{padding:.625rem 1.25rem;border:0;border-radius:.375rem;background:#1f4fd8;color:#fff;font:inherit;cursor:pointer}' +
  'button:focus-visible{outline:3px solid #1b1f24;outline-offset:2px}' +
  '@media(prefers-color-scheme:dark){body{background:#15181c;color:#eceff3}main{background:#1f2429;border-color:#3a424b}' +
  'button{background:#9db7ff;color:#10131a}button:focus-visible{outline-color:#fff}}' +
  '@media(max-width:38rem){main{margin:0;min-height:100vh;box-sizing:border-box;border:0;border-radius:0}}';

/** The page loads nothing, runs no script, has one inline style, and posts only to its own origin. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${sha256(STYLE).toString('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A name in its own text direction. */
const isolated = (name: string) => `<bdi>${escapeHtml(name)}</bdi>`;

function sentence(template: string, names: { readonly stream: string; readonly sender: string }): string {
  return escapeHtml(template).replace(/\{(stream|sender)\}/g, (_, name: 'stream' | 'sender') =>
    isolated(names[name]),
  );
}

/** A form with one button, which posts to the page's own address. */
const form = (action: string, label: string) =>
  `<form method="post"><button name="action" value="${action}">${escapeHtml(label)}</button></form>`;

function bodyOf(texts: PageTexts, content: PageContent): { readonly title: string; readonly body: string } {
  if (content.state === 'invalid')
    return { title: texts.invalidTitle, body: `<p>${escapeHtml(texts.invalid)}</p>` };
  const { state, canUndo } = content;
  const button =
    state === 'done'
      ? canUndo
        ? form('resubscribe', texts.undo)
        : ''
      : form('unsubscribe', texts.unsubscribe);
  const role = state === 'ask' ? '' : ' role="status"';
  return { title: texts.title, body: `<p${role}>${sentence(texts[state], content)}</p>${button}` };
}

/** A page without scripts, in one language. */
function formPage(language: string, texts: PageTexts, content: PageContent): string {
  const { title, body } = bodyOf(texts, content);
  return (
    `<!doctype html><html lang="${language}" dir="${texts.direction}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}

interface UnsubscribeDeps {
  readonly db: Database;
  readonly kinds: ChannelRegistry;
  readonly newId: IdSource;
  readonly serviceKeys: ServiceKeySource;
  readonly monotonicMs: () => number;
}

const PATH = `${UNSUBSCRIBE_PATH}/:token`;
/** The size of a form with one field, or of RFC 8058's form, also as multipart. */
const MAX_BODY_BYTES = 4 * 1024;

/**
 * How often the recipients of one address may subscribe to a stream again: five times at once, then once in ten
 * minutes. Each unsubscription after it is one more operational event. Unsubscribing is never refused.
 */
const RESUBSCRIPTIONS = { requestsPerSecond: 1 / 600, burst: 5 };

/** The language of the recipient, else of the browser, else English. */
function languageOf(req: Request, { locale }: JsonObject): string {
  const own = typeof locale === 'string' ? (/^[A-Za-z]{2,3}/.exec(locale)?.[0].toLowerCase() ?? '') : '';
  if (PAGE_LANGUAGES.includes(own)) return own;
  const accepted = req.acceptsLanguages(PAGE_LANGUAGES);
  return accepted === false ? 'en' : accepted;
}

/** The name of a stream in the language of the recipient, of the page, or of the environment. */
function streamNameOf(req: Request, { recipient, streamNames, defaultLocale }: Subscription, stream: string) {
  const own = typeof recipient.locale === 'string' ? [recipient.locale] : [];
  const languages = [...own, languageOf(req, recipient), defaultLocale, 'en'];
  return streamNameIn(streamNames, stream, languages);
}

function show(
  req: Request,
  res: Response,
  status: number,
  recipient: JsonObject,
  content: PageContent,
): void {
  const language = languageOf(req, recipient);
  const page = Buffer.from(formPage(language, PAGE_TEXTS[language] as PageTexts, content), 'utf8');
  res.statusCode = status;
  res.setHeader('Content-Security-Policy', PAGE_POLICY);
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Language', language);
  res.setHeader('Content-Length', page.byteLength);
  res.setHeader('X-Robots-Tag', 'noindex');
  res.end(req.method === 'HEAD' ? undefined : page);
}

/** The address of a recipient, by the kind of the channel that sent the message. */
function addressIn(kinds: ChannelRegistry, { channel, recipient }: Subscription): string | null {
  const field = channel && kinds.find(channel.kind)?.suppressibleField;
  const address = field ? recipient[field] : null;
  return typeof address === 'string' ? address : null;
}

function senderOf(kinds: ChannelRegistry, { channel, tenantName }: Subscription): string {
  const name = channel && kinds.find(channel.kind)?.fromName?.(channel.config);
  return name || tenantName;
}

/** Whether a form is to subscribe again. Any other body, including RFC 8058's, unsubscribes. */
const isResubscription = (body: Uint8Array) =>
  new URLSearchParams(Buffer.from(body).toString('utf8')).get('action') === 'resubscribe';

const tooSoon = (retryAfterMs: number) =>
  retryLater(
    'rate_limited',
    retryAfterMs / 1_000,
    'This address was subscribed again too many times: try again later.',
  );

/** Applies a request and returns the page's content; null if the link is no longer valid. */
type Act = (
  target: UnsubscribeTarget,
  body: Uint8Array,
) => Promise<[Subscription, PageContent['state']] | null>;

/**
 * The pages of unsubscribe links, for recipients, without tokens, cookies and scripts. GET and HEAD change nothing,
 * because mail scanners open links. POST unsubscribes, from the page's button or in one click from a mail program
 * (RFC 8058). It is idempotent. Mount it after the handler that sets the headers of every response.
 */
export function createUnsubscribeRouter(deps: UnsubscribeDeps): Router {
  const { db, kinds, newId, serviceKeys, monotonicMs } = deps;
  const resubscriptions = createLocalBuckets(monotonicMs);
  const router = Router({ caseSensitive: true });

  /** Responds with the page for the result of `act`, or with one that says that there is no such link. */
  const withTarget =
    (act: Act): RequestHandler =>
    async (req, res) => {
      const { facts } = contextOf(res);
      facts.route = PATH;
      const target = (await serviceKeys.get()).links.decrypt(String(req.params.token));
      if (!target) return show(req, res, 404, {}, { state: 'invalid' });
      facts.environment_id = formatId('env', target.environmentId);
      const bytes = await readBody(req, MAX_BODY_BYTES);
      if (!bytes) reject('payload_too_large');
      // Environments take turns. Without a connection in time it is 503, not 429 as after `chargeTo`: the recipient did not cause it.
      const acted = await inShare('read', () => act(target, bytes), target.environmentId);
      if (!acted) return show(req, res, 404, {}, { state: 'invalid' });
      const [found, state] = acted;
      const content = {
        stream: streamNameOf(req, found, target.stream),
        sender: senderOf(kinds, found),
        canUndo: found.canResubscribe,
      };
      return show(req, res, 200, found.recipient, { ...content, state } as PageContent);
    };

  router.get(
    PATH,
    withTarget(async (target) => {
      const found = await findSubscription(db, target);
      return found && [found, found.isUnsubscribed ? 'done' : 'ask'];
    }),
  );
  router.post(
    PATH,
    withTarget(async (target, body) => {
      if (isResubscription(body)) {
        const address = Buffer.from(target.addressHash).toString('hex');
        const key = `${target.environmentId} ${target.stream} ${address}`;
        const { taken, retryAfterMs } = resubscriptions(key, RESUBSCRIPTIONS);
        if (taken === 0) reject(tooSoon(retryAfterMs));
        const found = await resubscribe({ db }, target);
        return found && [found, found.isUnsubscribed ? 'done' : 'resubscribed'];
      }
      const using = { db, newId, keys: await serviceKeys.get() };
      const found = await unsubscribe(using, target, (subscription) => addressIn(kinds, subscription));
      return found && [found, 'done'];
    }),
  );
  router.all(PATH, methodNotAllowed(PATH, ['GET', 'POST']));
  return router;
}
