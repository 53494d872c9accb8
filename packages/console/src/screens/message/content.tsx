import type { SentContent as Content } from '@postrider/client';
import { type LucideIcon, ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { type Columns, Notice, Table, Tag, type Tone, useRead } from '../../ui/display.ts';
import { formatBytes } from '../../ui/format.ts';
import { HtmlFrame } from '../../ui/html-frame.tsx';
import { indented } from '../../ui/json.ts';
import { Dialog, type TabItem, Tabs } from '../../ui/overlays.tsx';
import { CodeBlock, CopyId, copyFacts, Facts, Time } from '../../ui/parts.tsx';

type HeaderList = readonly (readonly string[])[];

const HEADER_COLUMNS: Columns<HeaderList[number]> = {
  Header: ([name]) => <code>{name}</code>,
  Value: ([, value]) => <span className="break mono small">{value}</span>,
};

function HeaderTable({ headers, label }: { headers: HeaderList; label: string }) {
  if (headers.length === 0) return <p className="muted">None were stored.</p>;
  // Headers can be there twice.
  return (
    <Table
      label={label}
      rows={headers}
      columns={HEADER_COLUMNS}
      keyOf={([name], index) => `${name} ${index}`}
    />
  );
}

type File = NonNullable<NonNullable<Content['email']>['attachments']>[number];

const FILE_COLUMNS: Columns<File> = {
  Name: ({ filename }) => <span className="break">{filename}</span>,
  Type: ({ content_type }) => content_type,
  'Shown inline as': ({ cid }) => (cid ? <code>cid:{cid}</code> : '–'),
  Size: { end: ({ bytes }) => (typeof bytes === 'number' ? formatBytes(bytes) : '–') },
};

/** A tab with a text. */
const textTab = (label: string, text: string): TabItem => [
  label,
  <CodeBlock key="t" text={text} label={label} />,
];
const headersTab = (headers: HeaderList): TabItem => [
  'Headers',
  <HeaderTable key="h" headers={headers} label="Headers" />,
];

function emailTabs({ html, text, source, headers, subject, attachments }: NonNullable<Content['email']>) {
  return [
    html !== null && (['HTML', <HtmlFrame key="f" html={html} title={`Email: ${subject}`} />] as const),
    text !== null && textTab('Text', text),
    source !== null && textTab('Source', source),
    headersTab(headers),
    attachments &&
      ([
        `Files (${attachments.length})`,
        <Table
          key="a"
          label="Files"
          rows={attachments}
          columns={FILE_COLUMNS}
          keyOf={({ filename, cid }) => `${filename} ${cid}`}
        />,
      ] as const),
  ];
}

function responseTab({ status, excerpt, headers }: NonNullable<Content['response']>): TabItem {
  const content = (
    <div className="stack">
      <CodeBlock text={`${status}\n${excerpt ?? ''}`.trim()} label="Response" />
      {headers.length > 0 && <HeaderTable headers={headers} label="Response headers" />}
    </div>
  );
  return ['Response', content];
}

const tabsOf = ({ email, request, response }: Content): readonly TabItem[] => [
  ...(email ? emailTabs(email) : []),
  request && textTab('JSON', indented(request.body)),
  request && textTab('Source', request.body),
  request && headersTab(request.headers),
  response && responseTab(response),
];

/** Whether what is shown is what was sent. */
function lookOfContent({
  verified,
  unverified_reason: reason,
}: Content): readonly [LucideIcon, Tone, string] {
  if (verified === true) return [ShieldCheck, 'ok', 'Verified: exactly what was sent'];
  if (verified === false) return [ShieldAlert, 'warn', 'Differs from what was sent'];
  return [ShieldQuestion, reason === 'worker_lost' ? 'warn' : 'neutral', UNVERIFIED[reason ?? 'not_stored']];
}

function Verified({ of }: { of: Content }) {
  const [Icon, tone, text] = lookOfContent(of);
  return (
    <Tag tone={tone}>
      <Icon aria-hidden="true" />
      {text}
    </Tag>
  );
}

/** The end of the dialog's title. */
const TITLES = {
  nothing_sent: 'would have sent',
  in_progress: 'sends',
  worker_lost: 'probably sent',
  not_stored: 'sent',
} as const;

const UNVERIFIED = {
  nothing_sent: 'Nothing was sent: this is what it would have sent',
  in_progress: 'Not verified yet: the attempt is open',
  worker_lost: 'Probably sent: the worker was lost',
  not_stored: 'Not verified: the attempt has no digest',
} as const;

/** The content that an attempt sent, rendered again and compared with the stored digest. */
export function ContentDialog({ runId, attempt }: { runId: string; attempt: number }) {
  const { scope } = useEnvironment();
  const [data, placeholder] = useRead(
    keys.content(runId, attempt),
    () => scope.deliveryRuns.content(runId, { attempt }),
    {
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  return (
    <Dialog wide title={`What attempt ${attempt} ${TITLES[data?.unverified_reason ?? 'not_stored']}`}>
      {placeholder}
      {data && (
        <>
          <div className="row">
            <Verified of={data} />
          </div>
          {data.unverified_reason === 'worker_lost' && (
            <Notice tone="warn" title="Its worker was lost before it recorded what it sends.">
              <p>
                The attempt sent exactly this or nothing, because templates and events do not change. Headers
                come from the current settings of the channel.
              </p>
            </Notice>
          )}
          <Facts
            items={{
              Subject: data.email?.subject,
              From: data.email?.from,
              To: data.email?.to,
              ...copyFacts(data.email ?? {}),
              Request: data.request && <code>{`${data.request.method} ${data.request.url}`}</code>,
              'Rendered as of': data.rendered_at && <Time at={data.rendered_at} />,
              'Connected to': data.connected_address && <CopyId value={data.connected_address} />,
              'SHA-256': data.sha256 && <CopyId value={data.sha256} short />,
            }}
          />
          <Tabs label="Content" items={tabsOf(data)} />
        </>
      )}
    </Dialog>
  );
}
