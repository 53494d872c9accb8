import { useQuery } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import type { Content } from '../../api/contract.ts';
import type { Scope } from '../../api/scope.ts';
import { ErrorNotice } from '../../ui/feedback.tsx';
import { toJson } from '../../ui/format.ts';
import { HtmlFrame } from '../../ui/html-frame.tsx';
import { Dialog, type TabItem, Tabs } from '../../ui/overlays.tsx';
import { CodeBlock, CopyId, Facts, Loading, Time } from '../../ui/parts.tsx';
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

function Verified({ verified }: { verified: boolean | null }) {
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
    <Tag>
      <ShieldQuestion aria-hidden="true" />
      Not verified: nothing was sent, or before digests were kept
    </Tag>
  );
}

/** Exactly what an attempt sent, rendered again and held against the digest that was stored. */
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
    <Dialog open onClose={onClose} title={`What attempt ${attempt} sent`} wide>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <div className="row">
            <Verified verified={data.verified} />
          </div>
          <Facts
            items={[
              data.email ? ['Subject', data.email.subject] : null,
              data.email ? ['From', data.email.from] : null,
              data.email ? ['To', data.email.to] : null,
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
