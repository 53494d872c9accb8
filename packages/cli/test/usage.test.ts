import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { Command } from 'commander';
import { createProgram } from '../src/program.ts';
import { type Finished, postrider } from './support/command-line.ts';

const TOKEN = 'pr_test_secret';
/** Nothing listens there. */
const NOWHERE = { POSTRIDER_URL: 'http://127.0.0.1:64999', POSTRIDER_TOKEN: TOKEN };

let files: string;
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
});
afterAll(() => rm(files, { recursive: true }));

function commandsOf(command: Command, path: string[] = []): string[][] {
  if (command.commands.length === 0) return [path];
  return command.commands.flatMap((child) => commandsOf(child, [...path, child.name()]));
}

const io = {
  env: {},
  stdin: (async function* () {})(),
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  signal: new AbortController().signal,
};
const TREE = commandsOf(createProgram(io)).filter(([name]) => name !== 'complete');

/** The long options of a command and of those below it, with the command that has them. */
function optionsOf(command: Command): [string, string][] {
  const own = command.options.map(({ long }): [string, string] => [command.name(), long ?? '']);
  return [...own, ...command.commands.flatMap(optionsOf)];
}

describe('wrong usage', () => {
  it.each([
    ['an unknown command', 'nonsense'],
    ['a command without its argument', 'messages', 'show'],
    ['an option without its value', 'channels', 'list', '--environment', 'env_1', '--limit'],
    ['a value that is not allowed', 'channels', 'create-email', '--on-exhausted', 'stop'],
  ])('is one JSON document with --json: %s', async (_which, ...args) => {
    const { code, stderr } = await postrider([...args, '--json'], { env: NOWHERE });
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('error: '),
    });
  });
});

describe('the options', () => {
  it('have the same meaning in every command', () => {
    const program = createProgram(io);
    const ofAll = program.options.map(({ long }) => long ?? '');
    const below = program.commands.flatMap(optionsOf);

    expect(below.filter(([, long]) => ofAll.includes(long))).toEqual([]);
  });
});

/** The commands in the console's screens, as the words that are written there. */
async function commandsOfScreens(): Promise<string[][]> {
  const root = new URL('../../console/src/', import.meta.url);
  const screens = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  const texts = await Promise.all(screens.map((name) => readFile(new URL(name, root), 'utf8')));
  const shown = texts.flatMap((text) => [...text.matchAll(/npm run postrider -- ([^`"<\\\n]+)/g)]);
  // A command may be a string in single quotes, and may have such quotes itself.
  return shown.map(([, command = '']) => command.trim().replace(/',$/, '').split(/\s+/));
}

describe('the commands in the screens of the console', () => {
  it('exist, with the options that they need and no others', async () => {
    const commands = await commandsOfScreens();
    expect(commands.length).toBeGreaterThan(10);
    for (const words of commands) {
      let command: Command = createProgram(io);
      for (const word of words) command = command.commands.find((child) => child.name() === word) ?? command;
      const end = words.findIndex((word) => word.startsWith('--'));
      const values = words.slice(words.indexOf(command.name()) + 1, end < 0 ? words.length : end);
      expect({ words, values: values.length }).toEqual({ words, values: command.registeredArguments.length });
      const given = words.filter((word) => word.startsWith('--'));
      const known = command.options.map(({ long }) => long);
      const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long);
      expect({ words, isGroup: command.commands.length > 0 }).toEqual({ words, isGroup: false });
      expect({ words, known }).toEqual({ words, known: expect.arrayContaining(given) });
      expect({ words, given }).toEqual({ words, given: expect.arrayContaining(needed) });
    }
  });
});

describe('the help', () => {
  it.each(TREE.map((path) => [path.join(' '), path]))('explains %s', async (_, path) => {
    const { code, stdout, stderr } = await postrider([...path, '--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: postrider ${(path as string[]).join(' ')}`);
  });

  it('explains each group of commands in words of its own', async () => {
    const { stdout } = await postrider(['--help']);
    expect(stdout).toMatch(/^ {2}attention +what needs attention, such as failing channels$/m);
    expect(stdout).not.toMatch(/bulk replay$/m);
  });

  it('names the variables, the exit codes and the first steps', async () => {
    const { code, stdout } = await postrider(['--help']);

    expect(code).toBe(0);
    for (const text of ['POSTRIDER_URL', 'ADMIN_TOKEN', 'Exit codes', 'Examples'])
      expect(stdout).toContain(text);
  });
});

describe('a usage error', () => {
  it.each([
    ['an unknown command', ['evnts'], /Did you mean events/],
    ['an unknown option', ['messages', 'list', '--sttus', 'x'], /--status/],
    ['a missing argument', ['messages', 'show'], /message/],
    ['a missing option', ['events', 'send'], /--event-key/],
    ['an invalid number', ['messages', 'list', '--limit', 'many'], /whole number/],
    ['an invalid choice', ['messages', 'list', '--status', 'lost'], /pending/],
    [
      'an invalid setting',
      ['environments', 'create', '--tenant', 'ten_1', '--name', 'x', '--unmatched-events', 'lose'],
      /choices are refuse, store/,
    ],
    [
      'a setting that is neither true nor false',
      ['environments', 'update', 'env_1', '--https-only', 'no'],
      /true or false/,
    ],
    ['JSON that is none', ['events', 'send', '--event-key', 'a.b', '--payload', '{'], /JSON/],
    ['JSON that is no object', ['events', 'send', '--event-key', 'a.b', '--payload', '[]'], /JSON object/],
    [
      'a number that would lose digits',
      ['events', 'send', '--event-key', 'a.b', '--payload', '{"order":{"id":9007199254740993}}'],
      /number at \/order\/id is beyond 2\^53/,
    ],
    [
      'a channel of a kind that is not there',
      ['channels', 'create-sms'],
      /There are (?=.*create-email)(?=.*create-kafka).*create-webhook/,
    ],
    [
      'a channel without a kind',
      ['channels', 'create', '--kind', 'sms'],
      /There are (?=.*create-email)(?=.*create-kafka).*create-webhook/,
    ],
    [
      'a template of a kind that is not there',
      ['templates', 'create-sms'],
      /There are (?=.*create-email)(?=.*create-kafka).*create-webhook/,
    ],
    [
      'templates of a kind that is not there',
      ['templates', 'list', '--environment', 'env_1', '--channel-kind', 'sms'],
      /choices are (?=.*email)(?=.*kafka).*webhook/,
    ],
    ['an invalid URL', ['usage', '--api-url', 'localhost:3000'], /http:/],
    ['a missing file', ['events', 'send', '--event-key', 'a.b', '--payload-file', '/no/file'], /\/no\/file/],
  ])('exits with 2 and explains %s', async (_, args, message) => {
    const { code, stdout, stderr } = await postrider(args, { env: NOWHERE });

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\.ts:\d/);
  });

  it('names the missing variable', async () => {
    const { code, stderr } = await postrider(['usage']);

    expect(code).toBe(2);
    expect(stderr).toContain('POSTRIDER_TOKEN');
  });

  it.each([['--json'], []])('is a URL with a password, which is not shown: %s', async (...options) => {
    const url = 'http://me:hunter2@127.0.0.1:64999';
    const { code, stderr } = await postrider(['usage', '--api-url', url, ...options], { env: NOWHERE });

    expect(code).toBe(2);
    expect(stderr).toContain('must not have a user name or password');
    expect(stderr).not.toContain('hunter2');
  });

  it('names a file that is not JSON', async () => {
    const path = join(files, 'payload.json');
    await writeFile(path, '{"order_id": }');
    const send = ['events', 'send', '--event-key', 'a.b', '--payload-file', path];

    expect((await postrider(send, { env: NOWHERE })).stderr).toContain(
      `${path} is not valid JSON at column 14.`,
    );
  });
});

describe('a response that is not from the service', () => {
  async function runAgainst(serve: RequestListener, command: string): Promise<Finished> {
    const server = createServer(serve);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      return await postrider([command], { env: { ...NOWHERE, POSTRIDER_URL: url } });
    } finally {
      server.close();
    }
  }

  async function answered(code: string): Promise<string> {
    const error = { code, message: 'no\u001b[2J', request_id: '\u009b1m', details: [] };
    const serve: RequestListener = (_request, response) =>
      void response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return (await runAgainst(serve, 'usage')).stderr;
  }

  it('is shown without terminal control characters', async () => {
    const said = await answered('x\u001b]0;owned\u0007');

    expect(said.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(said).toContain('x ]0;owned  (400): no [2J');
  });

  it('is read up to 64 MiB', async () => {
    let pieces = 0;
    // Ends some time, so that a command without a limit fails the test instead of filling the memory.
    const endless = new Readable({
      read() {
        pieces += 1;
        this.push(pieces > 1_600 ? null : Buffer.alloc(65_536, 32));
      },
    });
    const { code, stdout } = await runAgainst((_request, response) => void endless.pipe(response), 'doctor');

    expect(code).not.toBe(0);
    expect(stdout).toContain('The response is larger than 64 MiB.');
  });

  it('gets no advice for the code `constructor`', async () => {
    expect(await answered('constructor')).not.toContain('native code');
  });
});

describe('an unreachable service', () => {
  it('exits with 5, and names the address and how to avoid sending twice', async () => {
    const send = ['events', 'send', '--event-key', 'a.b'];
    const { code, stderr } = await postrider(send, { env: NOWHERE });

    expect(code).toBe(5);
    expect(stderr).toMatch(/ECONNREFUSED/);
    expect(stderr).toContain('http://127.0.0.1:64999');
    expect(stderr).toMatch(/--idempotency-key [0-9a-f-]{36}/);
    expect(stderr).not.toContain(TOKEN);
  });

  it('is said to speak no TLS if its address should begin with http', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await postrider(['usage', '--api-url', url], { env: NOWHERE });
    server.close();

    expect(code).toBe(5);
    expect(stderr).toContain('The server does not speak TLS on this port.');
  });

  it('is reported as JSON with --json', async () => {
    const { code, stdout, stderr } = await postrider(['usage', '--json'], { env: NOWHERE });

    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unreachable', url: 'http://127.0.0.1:64999' });
  });

  it('stops at once on Ctrl-C', async () => {
    const controller = new AbortController();
    const ended = postrider(['usage'], { env: NOWHERE, signal: controller.signal });
    controller.abort();

    expect((await ended).code).toBe(130);
  });
});
