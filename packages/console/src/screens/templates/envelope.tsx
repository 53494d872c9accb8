import type { TemplatePreview } from '@postrider/client';
import { ChevronRight } from 'lucide-react';
import { type Field, pairs, text } from '../../ui/fields.ts';
import { Fields } from '../../ui/form-fields.tsx';
import { formatBytes } from '../../ui/format.ts';
import { copyFacts, Facts } from '../../ui/parts.tsx';
import { EMPTY_DRAFT, type Envelope, issuesOf, type PartIssue } from './draft.ts';

const ADDRESSES = [
  text('cc', 'Cc', { hint: 'Addresses separated by commas. Each gets a copy.' }),
  text('bcc', 'Bcc', { hint: 'Copies that the recipient does not see.' }),
  text('reply_to', 'Reply to', { hint: 'Empty: the address of the channel.' }),
];
const FILE = [
  text('content', 'Path of its base64', { hint: 'A path such as payload.invoice.' }),
  text('filename', 'File name', { hint: 'Liquid, such as invoice-{{ payload.number }}.pdf.' }),
  text('content_type', 'Type', { hint: 'Such as application/pdf.' }),
  text('cid', 'Inline name (optional)', { hint: 'For <img src="cid:name"> in the HTML.' }),
];
const HEADERS_AND_FILES: readonly Field[] = [
  pairs('headers', 'Headers', {
    hint: 'One “Name: value” per line, such as X-Order: {{ payload.order_id }}.',
  }),
  {
    at: 'attachments',
    label: 'Files',
    kind: 'list',
    item: { first: FILE, advanced: [] },
    hint: 'From the payload of the event, at most 7 MiB in total.',
  },
];

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
  const errors = new Map(
    [...ADDRESSES, ...HEADERS_AND_FILES].flatMap(({ at }) =>
      issuesOf(issues, `/${at}`)
        .slice(0, 1)
        .map(({ message }) => [at, message] as const),
    ),
  );
  const isUsed = Object.values(envelope).some((value) => value != null);
  const change = ({ attachments, ...others }: Partial<Envelope>) =>
    onChange({ ...EMPTY_DRAFT.envelope, ...others, attachments: attachments?.length ? attachments : null });
  const props = { value: envelope, onChange: change, errors };
  return (
    <details className="disclosure" open={isUsed || errors.size > 0}>
      <summary>
        <ChevronRight className="icon" aria-hidden="true" />
        Copies, reply address, headers and files
      </summary>
      <div className="stack">
        <div className="form-row">
          <Fields fields={ADDRESSES} {...props} />
        </div>
        <Fields fields={HEADERS_AND_FILES} {...props} />
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
