import type { TemplatePreview } from '@postrider/client';
import { ChevronRight } from 'lucide-react';
import { ListOf, Translated } from '../../ui/field-parts.tsx';
import { TextField } from '../../ui/form.tsx';
import { formatBytes } from '../../ui/format.ts';
import { copyFacts, Facts } from '../../ui/parts.tsx';
import { type Envelope, issuesOf, type PartIssue } from './draft.ts';

const TEXTS = [
  ['cc', 'Cc', 'Addresses separated by commas. Each gets a copy.'],
  ['bcc', 'Bcc', 'Copies that the recipient does not see.'],
  ['reply_to', 'Reply to', 'Empty: the address of the channel.'],
] as const;

const FILE_FIELDS = [
  ['content', 'Path of its base64', 'A path such as payload.invoice.'],
  ['filename', 'File name', 'Liquid, such as invoice-{{ payload.number }}.pdf.'],
  ['content_type', 'Type', 'Such as application/pdf.'],
  ['cid', 'Inline name (optional)', 'For <img src="cid:name"> in the HTML.'],
] as const;

const PATHS = ['/cc', '/bcc', '/reply_to', '/headers', '/attachments'];

/** The copies, reply address, headers and files of an email. Every text is Liquid. */
export function EnvelopeFields({
  envelope,
  issues,
  onChange,
}: {
  envelope: Envelope;
  issues: readonly PartIssue[];
  onChange: (envelope: Envelope) => void;
}) {
  const isUsed = Object.values(envelope).some((value) => value != null);
  const hasIssues = PATHS.some((path) => issuesOf(issues, path).length > 0);
  return (
    <details className="disclosure" open={isUsed || hasIssues}>
      <summary>
        <ChevronRight className="icon" aria-hidden="true" />
        Copies, reply address, headers and files
      </summary>
      <div className="stack">
        <div className="form-row">
          {TEXTS.map(([name, label, hint]) => (
            <TextField
              key={name}
              label={label}
              hint={hint}
              error={issuesOf(issues, `/${name}`)[0]?.message}
              value={envelope[name] ?? ''}
              onChange={({ target }) => onChange({ ...envelope, [name]: target.value || null })}
            />
          ))}
        </div>
        <Translated
          as="pairs"
          label="Headers"
          hint="One “Name: value” per line, such as X-Order: {{ payload.order_id }}."
          value={envelope.headers}
          onChange={(headers) =>
            onChange({ ...envelope, headers: (headers as Record<string, string> | undefined) ?? null })
          }
        />
        <ListOf
          label="Files"
          hint="From the payload of the event, 7 MiB together at most."
          value={envelope.attachments ?? []}
          onChange={(files) =>
            onChange({
              ...envelope,
              attachments: (files.length > 0 ? files : null) as Envelope['attachments'],
            })
          }
        >
          {(file, _index, change) => (
            <div className="form-row">
              {FILE_FIELDS.map(([name, label, hint]) => (
                <TextField
                  key={name}
                  label={label}
                  hint={hint}
                  value={String(file[name] ?? '')}
                  onChange={({ target }) => {
                    const { [name]: _old, ...others } = file;
                    change(
                      target.value === '' && name === 'cid' ? others : { ...others, [name]: target.value },
                    );
                  }}
                />
              ))}
            </div>
          )}
        </ListOf>
      </div>
    </details>
  );
}

type Mail = Extract<NonNullable<TemplatePreview['rendered']>, { subject: string }>;

/** The rendered copies, reply address, headers and files; nothing if the mail has none. */
export function RenderedEnvelope({ mail }: { mail: Mail }) {
  const { cc, bcc, reply_to, headers, attachments } = mail;
  if (!cc && !bcc && !reply_to && !headers && !attachments) return null;
  return (
    <Facts
      items={{
        ...copyFacts(mail),
        ...headers,
        ...Object.fromEntries(
          (attachments ?? []).map(({ filename, content_type, cid, bytes }, index) => [
            `File ${index + 1}`,
            [filename, content_type, bytes !== null && formatBytes(bytes), cid && `inline as cid:${cid}`]
              .filter(Boolean)
              .join(', '),
          ]),
        ),
      }}
    />
  );
}
