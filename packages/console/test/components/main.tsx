import '../../src/styles/all.css';
import { PostriderApiError } from '@postrider/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Change, SecretOnce } from '../../src/ui/change.tsx';
import { Chart } from '../../src/ui/chart.tsx';
import Diff from '../../src/ui/diff.tsx';
import { Editor } from '../../src/ui/editor.tsx';
import { Empty, ErrorNotice, InputError } from '../../src/ui/feedback.tsx';
import type { Field, Json } from '../../src/ui/fields.ts';
import { bind, Check, Segmented, SelectField, TextArea, TextField } from '../../src/ui/form.tsx';
import { FormFields } from '../../src/ui/form-fields.tsx';
import { HtmlFrame } from '../../src/ui/html-frame.tsx';
import { Table } from '../../src/ui/list.tsx';
import { LostNotice } from '../../src/ui/live.tsx';
import { Dialog, Tabs } from '../../src/ui/overlays.tsx';
import { Button, CodeBlock, CopyId, PageHead, Time } from '../../src/ui/parts.tsx';
import { Card, Facts, Figures, Loading, Notice } from '../../src/ui/plain.tsx';
import { Status, Tag } from '../../src/ui/status.tsx';
import { ToastList } from '../../src/ui/toast-list.tsx';
import { toast } from '../../src/ui/toasts.ts';

/** A word that has no place to break, as ids and addresses. */
const LONG = `${'0123456789abcdef'.repeat(8)}@example.com`;
const AT = '2026-01-31T12:00:00Z';
const HOUR_MS = 3_600_000;
const STATUSES = [
  'delivered',
  'failed',
  'retrying',
  'scheduled',
  'cancelled',
  'probing',
  'blocked',
  'complained',
];
const TONES = ['info', 'ok', 'warn', 'bad'] as const;

const refused = new PostriderApiError(
  new Response(null, { status: 422, headers: { 'x-request-id': 'console-0123456789abcdef' } }),
  {
    error: {
      code: 'validation_failed',
      message: 'The template is not valid.',
      details: [{ path: `/html/${LONG}`, message: 'is not closed', line: 2, column: 8 }],
    },
  },
  0,
);

const FIELDS: readonly Field[] = [
  { at: 'name', label: 'Text', hint: 'A hint below the field.', required: true },
  { at: 'words', label: 'Words', kind: 'words' },
  { at: 'count', label: 'Number', kind: 'number' },
  { at: 'is', label: 'Check', kind: 'check' },
  {
    at: 'one',
    label: 'Choice',
    kind: 'choice',
    options: [
      ['a', 'The first'],
      ['b', 'The second'],
    ],
  },
  {
    at: 'some',
    label: 'Several',
    kind: 'several',
    options: [
      ['a', 'The first'],
      ['b', 'The second'],
    ],
  },
  { at: 'at', label: 'Moment', kind: 'moment' },
  { at: 'pairs', label: 'Pairs', kind: 'pairs' },
  { at: 'secrets', label: 'Secrets', kind: 'secrets' },
  { at: 'json', label: 'JSON', kind: 'json' },
  { at: 'list', label: 'List', kind: 'list', item: { first: [{ at: 'x', label: 'Item' }], advanced: [] } },
];
const VALUE: Json = {
  name: LONG,
  words: ['order.*', LONG],
  count: 12,
  some: ['a'],
  pairs: { header: LONG },
  secrets: { key: true },
  json: { a: 1 },
  list: [{ x: 'first' }],
};

function Fields() {
  const [value, setValue] = useState(VALUE);
  const [text, setText] = useState(LONG);
  const [range, setRange] = useState('24h');
  return (
    <div className="grid-2">
      <Card title="Controls">
        <div className="stack">
          <TextField label="Text" hint="A hint." error="Is not valid." {...bind(text, setText)} />
          <TextArea label="Long text" {...bind(text, setText)} />
          <SelectField label="Choice" any="Any" options={['first_one', LONG]} {...bind(text, setText)} />
          <Check label="Check" hint="With a hint." error="Must be checked." />
          <Segmented
            label="Range"
            options={[
              ['1h', '1 hour'],
              ['24h', '24 hours'],
              ['7d', '7 days'],
            ]}
            value={range}
            onChange={setRange}
          />
        </div>
      </Card>
      <Card title="A form" foot={<Button variant="primary">Save</Button>}>
        <div className="stack">
          <FormFields
            shape={{ first: FIELDS, advanced: [{ title: 'More', fields: [{ at: 'more', label: 'More' }] }] }}
            value={value}
            onChange={setValue}
            errors={new Map([['count', 'Is too large.']])}
          />
        </div>
      </Card>
    </div>
  );
}

function Buttons() {
  return (
    <Card title="Buttons and small parts" actions={<Button small>Small</Button>}>
      <div className="row">
        <Button>Default</Button>
        <Button variant="primary" icon={Send}>
          Primary
        </Button>
        <Button variant="danger">Danger</Button>
        <Button variant="quiet">Quiet</Button>
        <Button disabled>Disabled</Button>
        <Button busy>Busy</Button>
        <Button iconOnly icon={Send}>
          Send
        </Button>
        <CopyId value={LONG} />
        <CopyId value={LONG} short />
        <Time at={AT} />
        <Time at={AT} format="short" />
        <Tag>Tag</Tag>
        {TONES.map((tone) => (
          <Tag key={tone} tone={tone}>
            {tone}
          </Tag>
        ))}
        {STATUSES.map((status) => (
          <Status key={status} value={status} />
        ))}
      </div>
    </Card>
  );
}

function Notices() {
  return (
    <div className="stack">
      {TONES.map((tone) => (
        <Notice key={tone} tone={tone} title={`Something is ${tone}.`}>
          <p className="break">{LONG}</p>
        </Notice>
      ))}
      <ErrorNotice error={refused} onRetry={() => undefined} />
      <ErrorNotice error={new InputError('The payload is not JSON.')} />
      <LostNotice connection="lost" at={0} />
      <section className="card">
        <Empty title="There is nothing yet" command={`npm run postrider -- events send --to ${LONG}`}>
          What it is for, and what to do next.
        </Empty>
      </section>
      <Card title="Loading">
        <Loading />
      </Card>
    </div>
  );
}

const times = Array.from({ length: 24 }, (_, hour) =>
  new Date(Date.parse(AT) + hour * HOUR_MS).toISOString(),
);
const valuesOf = (factor: number) => times.map((_, hour) => (hour % 5 === 4 ? null : hour * factor));

function Data() {
  const rows = [LONG, 'ada@example.com'];
  const series = [
    { key: 'delivered', label: 'Delivered', token: '--ok', values: valuesOf(1_000) },
    { key: 'failed', label: 'Failed', token: '--bad', values: valuesOf(90) },
  ];
  return (
    <>
      <Figures
        label="Figures"
        items={[
          ['Accepted', '1,234,567'],
          ['Success rate', '99.98 %'],
          ['p95', '120 ms'],
        ]}
      />
      <div className="grid-2">
        <Card title="Bars">
          <Chart
            label="Bars"
            times={times}
            stepMs={HOUR_MS}
            shape="bars"
            series={series}
            onOpen={() => undefined}
          />
        </Card>
        <Card title="Lines">
          <Chart label="Lines" times={times} stepMs={HOUR_MS} shape="lines" series={series} />
        </Card>
        <Card title="Facts">
          <Facts
            items={{
              Id: <CopyId value={LONG} />,
              Address: <code className="break">{LONG}</code>,
              None: null,
            }}
          />
        </Card>
        <Card title="Table" flush>
          <Table
            label="Rows"
            rows={rows}
            keyOf={(row) => row}
            isCurrent={(row) => row === LONG}
            columns={{
              Address: (row) => <span className="break">{row}</span>,
              State: () => <Status value="delivered" />,
              At: { end: () => <Time at={AT} format="short" /> },
            }}
          />
        </Card>
      </div>
    </>
  );
}

function Texts() {
  return (
    <div className="grid-2">
      <Card title="Code">
        <div className="stack">
          <CodeBlock text={`curl https://postrider.example.com/${LONG}`} label="Command" />
          <SecretOnce label="Token" value={LONG} />
          <Tabs
            label="Parts"
            items={[
              ['Difference', <Diff key="d" before={'one\ntwo'} after={`one\n${LONG}`} label="Difference" />],
              ['Mail', <HtmlFrame key="m" html="<p>Hello Ada</p>" title="Mail" />],
            ]}
          />
        </div>
      </Card>
      <Card title="Editor">
        <Editor
          label="Payload"
          language="json"
          value={`{\n  "order_id": "${LONG}"\n}`}
          issues={[{ line: 2, column: 3, message: 'is not known', severity: 'error' }]}
        />
      </Card>
    </div>
  );
}

/** The dialog that the address names: a dialog covers everything else. */
function Overlay() {
  const close = () => undefined;
  switch (location.hash) {
    case '#confirm':
      return (
        <Change
          target={null}
          onClose={close}
          title="Delete the channel"
          action="Delete"
          change={async () => undefined}
        >
          <p className="break">{LONG}</p>
        </Change>
      );
    case '#dialog':
      return (
        <Dialog wide onClose={close} title="Edit" foot={<Button variant="primary">Save</Button>}>
          <Fields />
        </Dialog>
      );
    default:
      return null;
  }
}

function ToastAtFirst() {
  useEffect(() => toast(`The event of ${LONG} was accepted.`), []);
  return <ToastList />;
}

function Components() {
  return (
    <main className="main" id="main">
      <div className="page">
        <PageHead title="Components" about="Everything in src/ui, with long words.">
          <Button>Action</Button>
        </PageHead>
        <ToastAtFirst />
        <Buttons />
        <Notices />
        <Fields />
        <Data />
        <Texts />
        <Overlay />
      </div>
    </main>
  );
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <Components />
      </QueryClientProvider>
    </StrictMode>,
  );
