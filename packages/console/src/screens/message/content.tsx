import { useQuery } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import type { Content } from '../../api/contract.ts';
import type { Scope } from '../../api/scope.ts';
import { ErrorNotice, Notice } from '../../ui/feedback.tsx';
import { formatBytes, toJson } from '../../ui/format.ts';
import { HtmlFrame } from '../../ui/html-frame.tsx';
import { Dialog, type TabItem, Tabs } from '../../ui/overlays.tsx';
import { CodeBlock, CopyId, copyFacts, Facts, Loading, Time } from '../../ui/parts.tsx';
import { Tag } from '../../ui/status.tsx';

type HeaderList = readonly (readonly [string, string])[];

function HeaderTable({ headers, label }: { headers: HeaderList; label: string }) {
  if (headers.length === 0) return <p className="muted">None were stored.</p>;
  return (
    <div className="table-wrap">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Header</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: headers can be there twice
            <tr key={`${name} ${index}`}>
              <td>
                <code>{name}</code>
              </td>
              <td className="break mono small">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FileTable({ files }: { files: NonNullable<NonNullable<Content['email']>['attachments']> }) {
  return (
    <div className="table-wrap">
      <table className="table" aria-label="Files">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Shown inline as</th>
            <th scope="col" className="end">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ filename, content_type, cid, bytes }) => (
            <tr key={`${filename} ${cid}`}>
              <td className="break">{filename}</td>
              <td>{content_type}</td>
              <td className="break">{cid ? <code>cid:{cid}</code> : '–'}</td>
              <td className="end number">{typeof bytes === 'number' ? formatBytes(bytes) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function formatted(body: string): string {
  try {
    return toJson(JSON.parse(body));
  } catch {
    return body;
  }
}

function tabsOf({ email, request, response }: Content): TabItem[] {
  const tabs: TabItem[] = [];
  if (email) {
    if (email.html !== null)
      tabs.push({
        id: 'html',
        label: 'HTML',
        content: <HtmlFrame html={email.html} title={`Email: ${email.subject}`} />,
      });
    if (email.text !== null)
      tabs.push({ id: 'text', label: 'Text', content: <CodeBlock text={email.text} label="Text" /> });
    if (email.source !== null)
      tabs.push({ id: 'source', label: 'Source', content: <CodeBlock text={email.source} label="Source" /> });
    tabs.push({
      id: 'headers',
      label: 'Headers',
      content: <HeaderTable headers={email.headers} label="Headers" />,
    });
    if (email.attachments)
      tabs.push({
        id: 'files',
        label: `Files (${email.attachments.length})`,
        content: <FileTable files={email.attachments} />,
      });
  }
  if (request) {
    tabs.push({
      id: 'body',
      label: 'JSON',
      content: <CodeBlock text={formatted(request.body)} label="JSON" />,
    });
    tabs.push({ id: 'source', label: 'Source', content: <CodeBlock text={request.body} label="Source" /> });
    tabs.push({
      id: 'headers',
      label: 'Headers',
      content: <HeaderTable headers={request.headers} label="Headers" />,
    });
  }
  if (response)
    tabs.push({
      id: 'response',
      label: 'Response',
      content: (
        <div className="stack">
          <CodeBlock text={`${response.status}\n${response.excerpt ?? ''}`.trim()} label="Response" />
          {response.headers.length > 0 && <HeaderTable headers={response.headers} label="Response headers" />}
        </div>
      ),
    });
  return tabs;
}

function Verified({ verified, unverified_reason: reason }: Content) {
  if (verified === true)
    return (
      <Tag tone="ok">
        <ShieldCheck aria-hidden="true" />
        Verified: exactly what was sent
      </Tag>
    );
  if (verified === false)
    return (
      <Tag tone="warn">
        <ShieldAlert aria-hidden="true" />
        Differs from what was sent
      </Tag>
    );
  return (
    <Tag tone={reason === 'worker_lost' ? 'warn' : 'neutral'}>
      <ShieldQuestion aria-hidden="true" />
      {UNVERIFIED[reason ?? 'not_stored']}
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
export function ContentDialog({
  scope,
  runId,
  attempt,
  onClose,
}: {
  scope: Scope;
  runId: string;
  attempt: number;
  onClose: () => void;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['content', scope.environmentId, runId, attempt],
    queryFn: () => scope.content(runId, attempt),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`What attempt ${attempt} ${TITLES[data?.unverified_reason ?? 'not_stored']}`}
      wide
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <div className="row">
            <Verified {...data} />
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
            items={[
              data.email ? ['Subject', data.email.subject] : null,
              data.email ? ['From', data.email.from] : null,
              data.email ? ['To', data.email.to] : null,
              ...copyFacts(data.email ?? {}),
              data.request
                ? ['Request', <code key="r">{`${data.request.method} ${data.request.url}`}</code>]
                : null,
              data.rendered_at ? ['Rendered as of', <Time key="t" at={data.rendered_at} />] : null,
              data.connected_address
                ? ['Connected to', <CopyId key="c" value={data.connected_address} />]
                : null,
              data.sha256 ? ['SHA-256', <CopyId key="s" value={data.sha256} short />] : null,
            ]}
          />
          <Tabs label="Content" items={tabsOf(data)} />
        </>
      )}
    </Dialog>
  );
}
