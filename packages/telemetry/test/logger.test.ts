import { describe, expect, it } from '@postrider/testing';
import { recordingLogger } from './lines.ts';

describe('the logger', () => {
  it('writes one JSON object per line, the fixed fields first', () => {
    const { logger, lines, entries } = recordingLogger();

    logger.info('delivery attempted', { run_id: 'run_1', note: 'two\nlines' });

    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('\n');
    expect(Object.keys(entries()[0] ?? {})).toEqual([
      'timestamp',
      'level',
      'service',
      'message',
      'run_id',
      'note',
    ]);
    expect(entries()[0]).toMatchObject({ level: 'info', service: 'test', message: 'delivery attempted' });
    expect(entries()[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('writes nothing below its level', () => {
    const { logger, entries } = recordingLogger('warn');

    logger.debug('a');
    logger.info('b');
    logger.warn('c');
    logger.error('d');

    expect(entries().map((entry) => entry.message)).toEqual(['c', 'd']);
  });

  it('does not let a field replace a fixed one', () => {
    const { logger, entries } = recordingLogger();

    logger.error('real', { message: 'forged', level: 'debug', service: 'other', timestamp: 0, kept: 1 });

    expect(entries()).toEqual([
      expect.objectContaining({ message: 'real', level: 'error', service: 'test', kept: 1 }),
    ]);
  });

  it('adds the fields of its parents; the nearest takes precedence', () => {
    const { logger, entries } = recordingLogger();

    logger.child({ a: 1, b: 1, c: 1 }).child({ b: 2, c: 2 }).info('x', { c: 3 });

    expect(entries()[0]).toMatchObject({ a: 1, b: 2, c: 3 });
  });
});

describe('a value in a log line', () => {
  it('keeps name, message, code, stack and cause of an error, and no other properties', () => {
    const { logger, entries, lines } = recordingLogger();
    const error = Object.assign(new Error('refused', { cause: new TypeError('inner') }), {
      code: 'ECONNREFUSED',
      body: 'what a client sent',
      options: { headers: { authorization: 'Bearer pr_dev_abc' } },
    });

    logger.error('failed', { error });

    expect(entries()[0]?.error).toEqual({
      name: 'Error',
      message: 'refused',
      code: 'ECONNREFUSED',
      stack: expect.stringContaining('Error: refused'),
      cause: expect.objectContaining({ name: 'TypeError', message: 'inner' }),
    });
    expect(lines[0]).not.toContain('what a client sent');
    expect(lines[0]).not.toContain('pr_dev_abc');
  });

  it('omits the message of database errors, which can quote values, and keeps their stack frames', () => {
    const { logger, lines, entries } = recordingLogger();
    const error = new Error('Argument `email`: "ada@example.com" is not valid');
    error.name = 'PrismaClientValidationError';

    logger.error('failed', { error });

    expect(lines[0]).not.toContain('ada@example.com');
    expect(entries()[0]?.error).toMatchObject({
      name: 'PrismaClientValidationError',
      message: '[not logged]',
      stack: expect.stringMatching(/^ {4}at /),
    });
  });

  it('omits bodies, recipients and secrets by name, at any depth', () => {
    const { logger, lines } = recordingLogger();

    logger.info('x', {
      body: 'HIDE',
      request: { Authorization: 'HIDE', nested: [{ password: 'HIDE', payload: { a: 'HIDE' } }] },
      recipient: { email: 'HIDE' },
    });

    expect(lines[0]).not.toContain('HIDE');
  });

  it('omits a field named __proto__, which would set the prototype of the entry', () => {
    const { logger, entries } = recordingLogger();

    logger.info('received', { given: JSON.parse('{"__proto__": {"toJSON": "x"}, "kept": 1}') });

    expect(entries()[0]?.given).toEqual({ kept: 1 });
  });

  it('is limited in length, items and depth', () => {
    const { logger, lines } = recordingLogger();
    const deep: Record<string, unknown> = {};
    deep.self = deep;

    logger.info('x', { long: 'a'.repeat(1_000_000), many: Array.from({ length: 10_000 }, () => 1), deep });

    expect(lines[0]?.length).toBeLessThan(4_000);
    expect(lines[0]).toContain('(1000000 characters)');
    expect(lines[0]).toContain('nested too deep');
  });

  it('may be one that JSON cannot represent', () => {
    const { logger, entries } = recordingLogger();

    logger.info('x', {
      big: 12n,
      when: new Date(0),
      never: new Date(Number.NaN),
      bytes: Buffer.from('abc'),
      f: () => 1,
    });

    expect(entries()[0]).toMatchObject({
      big: '12',
      when: '1970-01-01T00:00:00.000Z',
      never: null,
      bytes: '[3 bytes]',
    });
    expect(entries()[0]).not.toHaveProperty('f');
  });

  it('contains only the domain of an email address, wherever it is', () => {
    const { logger, lines } = recordingLogger();
    logger.warn('refused', {
      reason: '550 5.1.1 <ada.lovelace+x@mail.example.com>: no such user',
      list: ['grace@example.org', { nested: 'to=hopper@example.org;' }],
      error: new Error('no mailbox for jürgen@bücher.example'),
      path: '/app/node_modules/@scope/package/index.js',
    });
    const line = lines.join('\n');
    expect(line).not.toMatch(/lovelace|grace|hopper|jürgen/);
    for (const kept of [
      '***@mail.example.com',
      '***@example.org',
      '***@bücher.example',
      'node_modules/@scope/package',
    ]) {
      expect(line).toContain(kept);
    }
  });

  it.each([
    ['an address that is cut inside its domain', `${'a '.repeat(1_014)}ada@example.example`, 'ada'],
    ['an address with the special characters of a local part', 'to ada=grace/dept@example.com', 'ada'],
    ['an address of this host', 'no mailbox ada@localhost', 'ada'],
    ['the user and password of Postgres', 'postgresql://ada:hopper@postgres:5432/x', 'ada|hopper'],
    ['the password of Redis', 'redis://:hopper@redis', 'hopper'],
  ])('hides %s', (_what, text, hidden) => {
    const { logger, lines } = recordingLogger();
    logger.warn('refused', { reason: text, error: new Error(text) });
    expect(lines[0]).toContain('***@');
    expect(lines[0]).not.toMatch(new RegExp(hidden));
  });

  it('omits the local part of an address that is the name of a field', () => {
    const { logger, entries } = recordingLogger();
    logger.warn('refused', { refused: { 'ada@example.com': 550 } });
    expect(entries()[0]?.refused).toEqual({ '***@example.com': 550 });
  });

  it.each(['@', 'a@', '://:', `://${':'.repeat(1_024)}`, 'a/', `${'a'.repeat(64)}@`, `a@${'a-'.repeat(40)}`])(
    'limits 2 KiB of %j before an address, and masks the address',
    (hostile) => {
      const { logger, lines } = recordingLogger();
      const text = `${hostile.repeat(2_048).slice(0, 2_020)} ada@example.com`;
      logger.warn('refused', { reason: text });
      expect(lines[0]).toContain(' ***@example.com');
      expect(lines[0]?.length).toBeLessThan(10_000);
    },
  );
});
