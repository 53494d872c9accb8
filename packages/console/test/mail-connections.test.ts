import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCleanup, startMailCatcher } from '@postrider/local-stack';
import { waitFor } from '@postrider/rig';
import { chooseFreePort } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import nodemailer from 'nodemailer';
import { launchBrowser } from './support/browser.ts';
import { type ConsolePage, goTo, setUpConsole, type World } from './support/console.ts';

const service = setUpConsole();

/** HTML that makes a browser connect to a host, or that could. */
const ELEMENTS: Readonly<Record<string, (url: string) => string>> = {
  iframe: (url) => `<iframe src="${url}"></iframe>`,
  'iframe with a document': (url) =>
    `<iframe srcdoc="<img src='${url}'><iframe src='${url}'></iframe>"></iframe>`,
  'frame set': (url) => `<frameset><frame src="${url}"></frameset>`,
  object: (url) => `<object data="${url}" type="text/html"></object>`,
  embed: (url) => `<embed src="${url}" type="text/html">`,
  portal: (url) => `<portal src="${url}"></portal>`,
  fencedframe: (url) => `<fencedframe src="${url}"></fencedframe>`,
  'link to a style sheet': (url) => `<link rel="stylesheet" href="${url}">`,
  'link preconnect': (url) => `<link rel="preconnect" href="${url}">`,
  'link preload': (url) => `<link rel="preload" as="image" href="${url}">`,
  'link prefetch': (url) => `<link rel="prefetch" href="${url}">`,
  'link prerender': (url) => `<link rel="prerender" href="${url}">`,
  'link modulepreload': (url) => `<link rel="modulepreload" href="${url}">`,
  'link manifest': (url) => `<link rel="manifest" href="${url}">`,
  'link icon': (url) => `<link rel="icon" href="${url}">`,
  'meta refresh': (url) => `<meta http-equiv="refresh" content="0; url=${url}">`,
  base: (url) => `<base href="${url}"><img src="relative.png"><link rel="preconnect" href="/">`,
  image: (url) => `<img src="${url}">`,
  'image srcset': (url) =>
    `<img srcset="${url} 1x, ${url}b 2x"><picture><source srcset="${url}c"><img></picture>`,
  'lazy image': (url) =>
    `<img loading="eager" fetchpriority="high" lowsrc="${url}" dynsrc="${url}" src="${url}">`,
  background: (url) => `<table background="${url}"><tr><td background="${url}">x</td></tr></table>`,
  'style attribute': (url) =>
    `<p style="background:url(${url});list-style-image:url(${url});cursor:url(${url}),auto">x</p>`,
  'style element': (url) =>
    `<style>@import url(${url}); p { background: url(${url}) } @font-face { font-family: f; src: url(${url}) } b { font-family: f }</style><b>x</b>`,
  'image-set and content': (url) =>
    `<style>i::before { content: image-set("${url}" 1x) } i { mask-image: url(${url}) }</style><i>x</i>`,
  svg: (url) =>
    `<svg><image href="${url}" xlink:href="${url}"/><use href="${url}#a"/><style>@import url(${url})</style><foreignObject><iframe src="${url}"></iframe></foreignObject><feImage href="${url}"/></svg>`,
  math: (url) => `<math href="${url}"><mtext><iframe src="${url}"></iframe></mtext></math>`,
  video: (url) => `<video src="${url}" poster="${url}" autoplay></video>`,
  audio: (url) => `<audio src="${url}" autoplay></audio><bgsound src="${url}">`,
  'video source and track': (url) =>
    `<video autoplay><source src="${url}"><track default src="${url}"></video>`,
  form: (url) => `<form action="${url}"><button>go</button><input type="image" src="${url}"></form>`,
  template: (url) => `<template shadowrootmode="open"><iframe src="${url}"></iframe></template>`,
  'shadow root': (url) =>
    `<div><template shadowrootmode="open"><link rel="stylesheet" href="${url}"><iframe src="${url}"></iframe></template></div>`,
  'speculation rules': (url) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}"]}]}</script>`,
  script: (url) => `<script src="${url}"></script><noscript><iframe src="${url}"></iframe></noscript>`,
  link: (url) =>
    `<a id="link" href="${url}" ping="${url}">link</a><map name="m"><area href="${url}" ping="${url}"></map>`,
  'conditional comment': (url) =>
    `<!--[if gte IE 4]><iframe src="${url}"></iframe><![endif]--><![if !mso]><iframe src="${url}"></iframe><![endif]>`,
  'broken markup': (url) =>
    `<p title="</p><iframe src='${url}'>"><xmp></p title="</xmp><iframe src='${url}'></iframe>">`,
  'legacy attributes': (url) =>
    `<body background="${url}"><img longdesc="${url}" usemap="${url}"><q cite="${url}">q</q><applet code="${url}" archive="${url}"></applet><isindex action="${url}">`,
};

/** A host that strangers name: only that somebody connects to it is counted. */
async function startHost(): Promise<{ server: Server; url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await waitFor('the host', () => server.listening);
  const { port } = server.address() as { port: number };
  return { server, url: `http://127.0.0.1:${port}/`, connections: () => connections };
}

/** What the reader allows with "Load remote images". */
const IMAGES = [
  ...['image', 'lazy image', 'background', 'style attribute', 'style element', 'image-set and content'],
  ...['base', 'legacy attributes'],
];
/** These change how the rest of an email is read, so each has an email of its own. */
const ALONE = [
  'frame set',
  'meta refresh',
  'base',
  'broken markup',
  'legacy attributes',
  'conditional comment',
];

describe('the HTML of an email in the console', () => {
  const hosts = new Map<string, Awaited<ReturnType<typeof startHost>>>();
  beforeAll(async () => {
    for (const name of [...Object.keys(ELEMENTS), 'control']) hosts.set(name, await startHost());
  });
  afterAll(() => {
    for (const { server } of hosts.values()) server.close();
  });
  const htmlOf = (name: string) => ELEMENTS[name]?.(hosts.get(name)?.url ?? '') ?? '';
  const connected = () =>
    [...hosts].flatMap(([name, { connections }]) => (connections() > 0 && name !== 'control' ? [name] : []));

  /** Delivers an email with this HTML. Returns the address of its message. */
  async function deliver(world: World, at: number, html: string): Promise<string> {
    const event_key = `mail.number-${at}`;
    await service.admin().templates.create(world.environmentId, {
      ...{ event_key, channel_kind: 'email', subject: 'Hello', activate: true },
      html: `<html><body><p id="begin">begin</p>${html}</body></html>`,
    });
    const messageId = await service.deliver(world, { event_key });
    return `/e/${world.environmentId}/messages/${messageId}`;
  }

  /** What connected before this frame of a page without a policy did. */
  async function connectsItself({ context }: ConsolePage): Promise<void> {
    const control = hosts.get('control');
    const before = control?.connections() ?? 0;
    const page = await context.newPage();
    await page.setContent(`<iframe src="${control?.url}"></iframe>`);
    await waitFor('the connection of the control', () => (control?.connections() ?? 0) > before);
    await page.close();
  }

  it('connects to no host, and to those of images alone if the reader loads them', async () => {
    const world = await service.world('Connections');
    const together = Object.keys(ELEMENTS).filter((name) => !ALONE.includes(name));
    const mails = [together.map(htmlOf).join('\n'), ...ALONE.map(htmlOf)];
    const paths = await Promise.all(mails.map((html, at) => deliver(world, at, html)));
    const opened = await service.operator({ path: paths[0] ?? '' });
    const { page, context, complaints } = opened;
    // The policy of the frame blocks most requests, and the browser reports those that it began.
    const requests: string[] = [];
    context.on('request', (request) => {
      const [name] = [...hosts].find(([, { url }]) => request.url().startsWith(url)) ?? [];
      if (name && name !== 'control' && !IMAGES.includes(name)) requests.push(name);
    });
    const frame = page.frameLocator('iframe');
    const show = async (path: string) => {
      await goTo(opened, path);
      const sent = page.locator('.event', { hasText: 'replied 250' });
      await sent.getByRole('button', { name: 'What was sent' }).click();
      await frame.locator('#begin').waitFor({ state: 'attached' });
    };
    const shown: string[] = [];
    for (const path of paths) {
      await show(path);
      shown.push(
        await frame.locator('html').evaluate((html) => String((html as { outerHTML?: string }).outerHTML)),
      );
      await page.getByRole('button', { name: 'Close' }).click();
    }
    await connectsItself(opened);
    expect([...connected(), ...requests]).toEqual([]);

    await show(paths[0] ?? '');
    const link = frame.locator('#link');
    expect(await link.getAttribute('title')).toBe(hosts.get('link')?.url);
    await link.hover();
    await link.click();
    await page.getByRole('button', { name: 'Close' }).click();
    await connectsItself(opened);
    expect([...connected(), ...requests]).toEqual([]);

    for (const path of paths) {
      await show(path);
      const load = page.getByRole('button', { name: 'Load remote images' });
      if ((await load.count()) > 0) {
        await load.click();
        await load.waitFor({ state: 'detached' });
        await frame.locator('#begin').waitFor({ state: 'attached' });
      }
      await page.getByRole('button', { name: 'Close' }).click();
    }
    await waitFor('the image', () => connected().includes('image'));
    // What was shown connects to no other host even where no policy holds.
    const bare = await context.newPage();
    for (const html of shown) {
      await bare.goto('about:blank');
      await bare.setContent(html);
    }
    await connectsItself(opened);
    expect(connected().filter((name) => !IMAGES.includes(name))).toEqual([]);
    expect(requests).toEqual([]);
    // It is parsed where its styles are allowed.
    expect(complaints.filter((each) => each.includes('inline style'))).toEqual([]);
  }, 240_000);
});

/** Shows images and plays media, as a mail program does: it is for the emails of one's own templates. */
const SHOWN_LOCALLY = /^(?!link).*(image|background|style|svg|video|audio|legacy)/;

/** Sends an email with this HTML. */
async function sendMail(port: number, html: string): Promise<void> {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, secure: false });
  await transport.sendMail({ from: 'shop@example.com', to: 'ada@example.com', subject: 'Hello', html });
  transport.close();
}

describe('the mail page of the local stack', () => {
  const cleanup = createCleanup();
  afterAll(() => cleanup.run());

  it('connects to no host of a frame, an object, a link or a form', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'postrider-mail-'));
    cleanup.add(() => rm(directory, { recursive: true, force: true }));
    const [smtpPort, pagePort] = [await chooseFreePort(), await chooseFreePort()];
    const catcher = await startMailCatcher({ directory, smtpPort, pagePort });
    cleanup.add(() => catcher.program.stop());
    const names = Object.keys(ELEMENTS).filter((name) => !SHOWN_LOCALLY.test(name));
    const hosts = new Map<string, Awaited<ReturnType<typeof startHost>>>();
    for (const name of [...names, 'control']) hosts.set(name, await startHost());
    cleanup.add(async () => {
      for (const { server } of hosts.values()) server.close();
    });
    for (const name of names)
      await sendMail(smtpPort, `<p id="begin">${name}</p>${ELEMENTS[name]?.(hosts.get(name)?.url ?? '')}`);

    const emails = async () => (await (await fetch(`${catcher.pageUrl}email`)).json()) as { id: string }[];
    await waitFor('the emails', async () => (await emails()).length === names.length);
    const browser = await launchBrowser();
    cleanup.add(() => browser.close());
    const page = await browser.newPage();
    for (const { id } of await emails()) {
      await page.goto(`${catcher.pageUrl}email/${id}/html`);
      await page.locator('#begin').waitFor({ state: 'attached' });
    }
    const control = hosts.get('control');
    await page.setContent(`<iframe src="${control?.url}"></iframe>`);
    await waitFor('the connection of the control', () => (control?.connections() ?? 0) > 0);
    const connected = [...hosts].filter(([name, { connections }]) => name !== 'control' && connections() > 0);
    expect(connected.map(([name]) => name)).toEqual([]);
  }, 240_000);
});
