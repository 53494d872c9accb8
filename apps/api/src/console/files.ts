import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { reject } from '@postrider/domain';
import { type Request, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { contextOf } from '../http/request.ts';
import { methodNotAllowed } from '../http/routes.ts';
import {
  type Content,
  createContent,
  createSendContent,
  type StaticOptions,
  typeOf,
} from '../http/static-content.ts';

/** Names below this folder have a hash of their content. */
const HASHED = 'assets/';

const PAGE = 'index.html';

/** The files of a site by their paths below its folder, read once: every response sends the same bytes. */
export type SiteFiles = ReadonlyMap<string, Content>;

function* pathsBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* pathsBelow(path);
    else if (entry.isFile()) yield path;
  }
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);

/** The files of the build of a package; null if it was not built. */
export function findSite(packageName: '@postrider/console' | '@postrider/portal'): SiteFiles | null {
  try {
    return loadSite(dirname(createRequire(import.meta.url).resolve(`${packageName}/site/index.html`)));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

const isNotFound = (error: unknown) =>
  ['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ENOENT'].includes(
    String((error as NodeJS.ErrnoException).code),
  );

/** Reads the build of a site. `.br` and `.gz` files are the compressed forms of the files beside them. */
export function loadSite(directory: string): SiteFiles {
  const files = new Map<string, Content>();
  for (const path of pathsBelow(directory)) {
    const name = relative(directory, path).split(sep).join('/');
    const type = typeOf(path);
    if (type === undefined) continue;
    const br = readIfThere(`${path}.br`);
    const gzip = readIfThere(`${path}.gz`);
    files.set(name, {
      ...createContent(readFileSync(path), type),
      isImmutable: name.startsWith(HASHED),
      encoded: { ...(br && { br }), ...(gzip && { gzip }) },
    });
  }
  return files;
}

const NOTHING = { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] };

/** Headers of every response: pages of other origins can neither read it nor access its window. */
export const secure = (directives: Record<string, string[]>): RequestHandler =>
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...NOTHING, ...directives } },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });

/** The page loads from and calls only this origin, without inline scripts or styles. */
const ofPage = secure({
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  frameSrc: ["'self'"],
  frameAncestors: ["'none'"],
});

/** A frame for untrusted HTML: styles are allowed, scripts and requests are not. */
const ofFrame = (...images: string[]) =>
  secure({
    styleSrc: ["'unsafe-inline'"],
    imgSrc: images,
    fontSrc: ['data:'],
    frameAncestors: ["'self'"],
  });

const POLICIES: Readonly<Record<string, RequestHandler>> = {
  'frame.html': ofFrame('data:'),
  // Loading an image reveals to its server that the mail was opened, so it needs the reader's consent.
  'frame-images.html': ofFrame('data:', 'https:', 'http:'),
};

/** Without the slash, relative URLs would resolve one level up. The redirect is relative, too. */
const toFolder =
  (folder: string): RequestHandler =>
  (request, response) => {
    const query = request.originalUrl.slice(folder.length + 1);
    response.status(308).setHeader('Location', `${folder}/${query}`).setHeader('Content-Length', 0).end();
  };

/** Serves the console at `/console/`. Mount it after `/console/session`. See docs/console.md. */
export const createConsoleRouter = (files: SiteFiles, options: StaticOptions = {}): Router =>
  createSiteRouter('console', { ...options, files, policyOf: (name) => POLICIES[name] ?? ofPage });

/** Serves the files of a site below `/<folder>/`, each with the headers that `policyOf` sets. */
export function createSiteRouter(
  folder: string,
  {
    files,
    policyOf,
    ...options
  }: StaticOptions & {
    readonly files: SiteFiles;
    readonly policyOf: (name: string) => RequestHandler;
  },
): Router {
  const route = `/${folder}/{path}`;
  const sendContent = createSendContent(options);
  const router = Router({ caseSensitive: true });
  const notAllowed = methodNotAllowed(route, ['GET']);
  const redirect = toFolder(folder);
  const handlers = new Map([...files].map(([name, content]) => [name, sendContent(content)]));

  const nameOf = (request: Request) => request.path.slice(1) || PAGE;

  router.use(
    `/${folder}`,
    (request, response, next) => {
      contextOf(response).facts.route = route;
      if (!['GET', 'HEAD'].includes(request.method)) return notAllowed(request, response, next);
      if (request.originalUrl.split('?', 1)[0] === `/${folder}`) return redirect(request, response, next);
      const name = nameOf(request);
      if (!handlers.has(name)) reject('route_not_found');
      return policyOf(name)(request, response, next);
    },
    // A handler of its own, whose promise Express gets: an error that nobody handles would end the process.
    (request, response, next) => handlers.get(nameOf(request))?.(request, response, next),
  );
  return router;
}
