import type { Attempt, DeliveryRun, Message } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import pc from 'picocolors';
import { record, report, table } from '../src/output/table.ts';
import { templatePreview } from '../src/output/template.ts';
import { json, plain, withoutControls } from '../src/output/text.ts';
import { timeline } from '../src/output/timeline.ts';

const style = pc.createColors(false);

const MESSAGE: Message = {
  id: 'msg_1',
  message_id: 'msg_1',
  event_key: 'order.shipped',
  status: 'failed',
  recipient: {},
  payload: {},
  schedule_at: null,
  expires_at: null,
  ordering_key: null,
  consumer: null,
  erased_at: null,
  request_id: null,
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  test: false,
  created_at: '2026-11-21T10:00:00.000Z',
  delivery_runs: [],
  has_more_runs: false,
};

const attempt = (number: number, statusCode: number, body: string | null): Attempt => ({
  id: `att_${number}`,
  delivery_run_id: 'run_1',
  number,
  status: 'failed',
  error_code: 'webhook_http_error',
  error_message: `The endpoint responded with HTTP ${statusCode}.`,
  retryable: true,
  started_at: `2026-11-21T10:00:0${number}.000Z`,
  completed_at: `2026-11-21T10:00:0${number}.005Z`,
  duration_ms: 5,
  response: { status_code: statusCode, body_excerpt: body },
  sender: null,
  provider_message_id: null,
  tried: [],
  skipped_copies: [],
});

const runsWith = (attempts: Attempt[]): DeliveryRun[] => [
  {
    id: 'run_1',
    message_id: 'msg_1',
    channel: { id: 'chn_1', kind: 'webhook', name: 'Shop' },
    status: 'failed',
    trigger: 'event',
    replay: 0,
    template: null,
    attempt_count: attempts.length,
    max_attempts: attempts.length,
    scheduled_at: null,
    started_at: '2026-11-21T10:00:01.000Z',
    completed_at: null,
    next_attempt_at: null,
    held_by: null,
    sequence: null,
    queue: null,
    created_at: '2026-11-21T10:00:00.000Z',
    feedback: null,
    last_error: null,
    attempts,
  },
];

describe('output for people', () => {
  it('is a table with one line per item', () => {
    const rows = [
      { id: 'ten_1', name: 'Acme', plan: { code: 'free' }, active: true },
      { id: 'ten_22', name: null, plan: { code: 'team' }, active: false },
    ];

    expect(table(['id', 'name', 'plan.code', 'active'], rows, style).split('\n')).toEqual([
      'ID      NAME  PLAN CODE  ACTIVE',
      'ten_1   Acme  free       yes',
      'ten_22  -     team       no',
    ]);
  });

  describe('in a terminal', () => {
    const ids = ['msg_01m80em8mqekasjx4m4d49ea6e', 'msg_01m80em8mqekasjx4m4d49ea6f'];
    const rows = ids.map((id, row) => ({
      id,
      status: 'delivered',
      email: `${'somebody.'.repeat(row + 3)}@example.com`,
      created_at: '2026-11-21T10:00:00.000Z',
    }));
    const columns = ['id', 'status', 'email', 'created_at'];
    const linesAt = (width?: number) => table(columns, rows, { ...style, width }).split('\n');

    it('is a table as wide as its values, if that fits', () => {
      const whole = linesAt();
      expect(whole[2]).toContain(rows[1]?.email);
      expect(linesAt(Math.max(...whole.map(({ length }) => length)))).toEqual(whole);
    });

    it('cuts the widest columns of a table, but no id', () => {
      expect(linesAt(80)).toEqual([
        'ID                              STATUS     EMAIL              CREATED AT',
        `${ids[0]}  delivered  somebody.somebod…  2026-11-21T10:00:…`,
        `${ids[1]}  delivered  somebody.somebod…  2026-11-21T10:00:…`,
      ]);
      for (const width of [68, 75, 90, 110])
        expect(Math.max(...linesAt(width).map(({ length }) => length))).toBeLessThanOrEqual(width);
    });

    it('cuts a coloured value without its colours', () => {
      const colours = { ...pc.createColors(true), width: 24 };
      const [, line] = table(['status', 'name'], [{ status: 'failed', name: 'x'.repeat(40) }], colours).split(
        '\n',
      );
      expect(line).toBe(`${colours.red('failed')}  ${'x'.repeat(15)}…`);
    });

    it('has a line for each field of an item, if cutting does not suffice', () => {
      expect(linesAt(60).slice(0, 6)).toEqual([
        `ID          ${ids[0]}`,
        'STATUS      delivered',
        `EMAIL       ${rows[0]?.email}`,
        'CREATED AT  2026-11-21T10:00:00.000Z',
        '',
        `ID          ${ids[1]}`,
      ]);
    });
  });

  it('says that a list is empty', () => {
    expect(table(['id'], [], style)).toBe('none');
  });

  it('has one line for each field of a resource', () => {
    const resource = { id: 'chn_1', event_keys: ['*', 'order.*'], config: { url: 'https://x', headers: {} } };

    expect(record(resource, style).split('\n')).toEqual([
      'id          chn_1',
      'event_keys  *, order.*',
      'config.url  https://x',
    ]);
  });

  it('contains no terminal control characters from stored text', () => {
    expect(plain('ok\u001b[2J\u001b]0;owned\u0007\r\nrm -rf')).toBe('ok [2J ]0;owned rm -rf');
    expect(table(['name'], [{ name: 'a\u001b[31mb\nc' }], style).split('\n')).toEqual(['NAME', 'a [31mb c']);
    expect(record({ schema: { 'a\u001b[2J\u009b1m': 1 } }, style)).toBe('schema.a [2J 1m  1');
    expect(report({ list: [{ 'a\u001b[2J\u009b1m': 1 }] }, style).split('\n')).toEqual(['A [2J 1M', '1']);
    expect(plain('invoice\u202efdp.exe\u2066\u2028x')).toBe('invoice fdp.exe x');
  });

  it('contains none from names in a template or a payload', () => {
    const place = { path: '/body/a\u001b[2J', part: null, line: null, column: null };
    const preview = {
      template_id: 'tpl_1',
      deliverable: false,
      rendered: null,
      missing_variables: [{ name: 'x', ...place }],
      errors: [{ message: 'x', ...place, part: 'partial a\u001b', line: 1, column: 2 }],
      warnings: [{ code: 'payload_schema_mismatch' as const, path: '/payload/\u009b1m', message: 'x' }],
      parts: [],
    };

    expect(templatePreview(preview, style).split('\n')).toEqual([
      'would fail',
      'missing: x (/body/a [2J)',
      'error: x (/body/a [2J, partial a line 1, column 2)',
      'warning: /payload/ 1m x',
    ]);
  });

  it('contains none from values that a view prints unchanged, and keeps its colours and line breaks', () => {
    const colours = pc.createColors(true);
    const shown = timeline(
      { ...MESSAGE, event_key: 'a\u001b[2J\u009b\t\u202e\u001b]0;b\u0007' },
      [],
      colours,
    );

    expect(withoutControls(shown).split('\n')[0]).toBe(
      `${colours.bold('msg_1')}  a [2J    ]0;b   ${colours.red('failed')}`,
    );
    expect(withoutControls(shown).split('\n')).toHaveLength(2);
  });

  it('escapes control characters in JSON, with the same meaning', () => {
    const value = { name: 'a\u001b\u009b\u007f\u202e\u2028é😀' };

    expect(json(value)).toBe('{"name":"a\\u001b\\u009b\\u007f\\u202e\\u2028é😀"}');
    expect(JSON.parse(json(value, 2))).toEqual(value);
  });

  it('shows the response to each attempt below it, without control characters', () => {
    const said = '\u001b]0;owned\u0007\u001b[2J{"error":\r\n "no such order"}\u202e';
    const shown = timeline(MESSAGE, runsWith([attempt(1, 500, said), attempt(2, 204, null)]), style);

    expect(shown.split('\n').slice(4)).toEqual([
      '├─ +0.000 s  ○ queued',
      '├─ +1.000 s  ✗ attempt 1 failed  5 ms  response 500  webhook_http_error: The endpoint responded with HTTP 500.',
      '│              ]0;owned [2J{"error":  "no such order"}',
      '└─ +2.000 s  ✗ attempt 2 failed  5 ms  response 204  webhook_http_error: The endpoint responded with HTTP 204.',
    ]);
  });

  it('shows the feedback on a mail on one line with its time', () => {
    const [run] = runsWith([attempt(1, 250, null)]);
    const at = '2026-11-21T10:00:07.000Z';
    const feedback = { type: 'bounced', permanent: true, at, reason: '550\u001b[2J no such\nuser' } as const;
    const shown = timeline(MESSAGE, run ? [{ ...run, feedback }] : [], style);
    expect(shown.split('\n').at(-1)).toBe(
      '└─ +7.000 s  ! reported as bounced permanently: 550 [2J no such user',
    );
  });

  it('truncates a long response', () => {
    const shown = timeline(MESSAGE, runsWith([attempt(1, 500, '😀'.repeat(16_000))]), style);

    expect(shown.split('\n').at(-1)).toBe(`               ${'😀'.repeat(200)}…`);
  });

  it('shows the states of checks in their colours', () => {
    const colours = pc.createColors(true);
    const states = ['ok', 'warning', 'failed', 'skipped'];
    const checks = states.map((state) => ({ state }));
    expect(table(['state'], checks, colours).split('\n').slice(1)).toEqual([
      ...[colours.green('ok'), colours.yellow('warning'), colours.red('failed'), colours.dim('skipped')],
    ]);
  });

  it('shows an unknown status unchanged, also `constructor`', () => {
    expect(record({ status: 'constructor' }, style)).toBe('status  constructor');
  });
});
