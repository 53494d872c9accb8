import type { TemplatePreview } from '@postrider/client';
import { ErrorNotice, Notice, Tag } from '../../ui/display.ts';
import { toJson } from '../../ui/format.ts';
import { HtmlFrame } from '../../ui/html-frame.tsx';
import { Tabs } from '../../ui/overlays.tsx';
import { CodeBlock, Loading } from '../../ui/parts.tsx';
import type { PartIssue } from './draft.ts';
import { RenderedEnvelope } from './envelope.tsx';

const positionOf = ({ path, part, line, column }: PartIssue) =>
  [part ?? path, line !== null && `line ${line}, column ${column ?? 1}`].filter(Boolean).join(', ');

/** Errors and warnings as a list, for users who do not see the marks in the editor. */
export function IssueList({ issues }: { issues: readonly PartIssue[] }) {
  const list = (severity: PartIssue['severity'], titleOf: (count: number) => string) => {
    const shown = issues.filter((issue) => issue.severity === severity);
    if (shown.length === 0) return null;
    return (
      <Notice tone={severity === 'error' ? 'bad' : 'warn'} title={titleOf(shown.length)}>
        <ul>
          {shown.map((issue) => (
            <li key={`${positionOf(issue)} ${issue.message}`} className="break">
              <code>{positionOf(issue)}</code>: {issue.message}
            </li>
          ))}
        </ul>
      </Notice>
    );
  };
  return (
    <>
      {list('error', (count) => (count === 1 ? 'One error' : `${count} errors`))}
      {list('warning', () => 'Missing in the example: its delivery would fail.')}
    </>
  );
}

/** Warnings about what readers of the mail would notice, such as a missing translation. */
export function Warnings({ warnings }: { warnings: TemplatePreview['warnings'] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title={warnings.length === 1 ? 'One warning' : `${warnings.length} warnings`}>
      <ul>
        {warnings.map(({ code, path, message }) => (
          <li key={`${code} ${path} ${message}`} className="break">
            <Tag tone="warn">{code.replaceAll('_', ' ')}</Tag> <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

type Rendered = NonNullable<TemplatePreview['rendered']>;

function RenderedContent({ rendered }: { rendered: Rendered }) {
  if ('body' in rendered) return <CodeBlock text={toJson(rendered.body)} label="Body" />;
  const { subject, html, text } = rendered;
  return (
    <>
      <p className="break">
        <span className="muted">Subject: </span>
        <strong>{subject}</strong>
      </p>
      <RenderedEnvelope mail={rendered} />
      <Tabs
        label="Preview"
        items={[
          html !== null && ['HTML', <HtmlFrame key="h" html={html} title={`Preview: ${subject}`} />],
          ['Text', <CodeBlock key="t" text={text ?? ''} label="Text" />],
        ]}
      />
    </>
  );
}

/** The preview of the mail, with its warnings. */
export function Preview({
  preview,
  error,
  isPending,
}: {
  preview: TemplatePreview | undefined;
  error: unknown;
  isPending: boolean;
}) {
  if (error) return <ErrorNotice error={error} />;
  if (!preview) return isPending ? <Loading /> : null;
  return (
    <div className="stack">
      <Warnings warnings={preview.warnings} />
      {preview.rendered && <RenderedContent rendered={preview.rendered} />}
    </div>
  );
}
