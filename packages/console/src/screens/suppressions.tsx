import type { BodyOf, Suppression } from '@postrider/client';
import { useSearch } from '@tanstack/react-router';
import { MailX, Play, Trash2 } from 'lucide-react';
import { keys, useEnvironment } from '../api/index.ts';
import { ListScreen, MaskedNote, SearchForm, Tag, useRead } from '../ui/display.ts';
import { formatNumber } from '../ui/format.ts';
import { ChangeButton, ChangeForm, email, moment, text } from '../ui/input.ts';
import { Card, CodeBlock, May, Time } from '../ui/parts.tsx';

/** The most streams that are shown: an environment with more has other problems. */
const MAX_SHOWN = 100;

/** The streams of the environment whose email is held; nothing if there are none. */
function PausedStreams() {
  const { environmentId, admin } = useEnvironment();
  const [data, placeholder, { error }] = useRead(keys.pausedStreams(environmentId), () =>
    admin.pausedStreams.of(environmentId).page({ limit: MAX_SHOWN }),
  );
  const streams = data?.data ?? [];
  return (
    <>
      {error && placeholder}
      {streams.length > 0 && (
        <Card title="Paused streams" flush>
          <ul>
            {streams.map(({ stream, paused_at, delivered, complained, waiting }) => (
              <li key={stream} className="card-foot">
                <div className="grow">
                  <strong className="break">{stream}</strong>{' '}
                  <Tag tone="warn">
                    {waiting === 1 ? '1 delivery waits' : `${formatNumber(waiting)} deliveries wait`}
                  </Tag>
                  <div className="muted break">
                    {`${formatNumber(complained)} complaints about ${formatNumber(delivered)} emails, paused since `}
                    <Time at={paused_at} />
                  </div>
                </div>
                <ChangeButton
                  inRow
                  label="Resume"
                  of={stream}
                  variant="default"
                  icon={Play}
                  operation="resumeStream"
                  action="Resume the stream"
                  change={() => admin.pausedStreams.resume(environmentId, stream)}
                  shownIn={[keys.pausedStreams(environmentId)]}
                  done="The stream is resumed. Held email is sent, oldest first."
                >
                  <p>
                    Its held email is sent. Mailbox providers refuse senders from 0.3 % of complaints: check
                    first how the recipients were asked, and that they can unsubscribe.
                  </p>
                </ChangeButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const SOURCES: Readonly<Record<Suppression['source'], string>> = {
  hard_bounce: 'Hard bounce',
  soft_bounce: 'Soft bounces',
  complaint: 'Complaint',
  unsubscribe: 'Unsubscribed',
  manual: 'By an operator',
  import: 'Import',
};

const scopeName = (scope: string) => (scope === 'all' ? 'everything' : scope);
/** An erased entry stays in force by its hash but has no text. */
const addressOf = ({ email }: Suppression) => email ?? 'an erased address';

const FIELDS = [
  email('email', 'Email', { required: true, placeholder: 'ada@example.com' }),
  text('scope', 'Stream', { placeholder: 'All email', hint: 'Only email of this stream is held back.' }),
  text('reason', 'Reason', { hint: 'For your colleagues.' }),
  moment('expires_at', 'Until', { hint: 'Empty: until it is removed.' }),
];

function Add() {
  const { environmentId, admin } = useEnvironment();
  return (
    <ChangeForm
      wide
      draft={`${environmentId}.suppression`}
      title="Suppress an address"
      action="Suppress the address"
      about={<p>Email to it fails from now on: new events, retries, schedules and replays.</p>}
      fields={FIELDS}
      change={(value) =>
        admin.suppressions.create(environmentId, value as unknown as BodyOf<'createSuppression'>)
      }
      shownIn={[keys.suppressions(environmentId)]}
      done="The address is suppressed."
    />
  );
}

function ImportAndExport() {
  const { environmentId } = useEnvironment();
  return (
    <Card title="Import and export">
      <div className="stack">
        <p className="small muted">Import and export whole lists as CSV with the command line.</p>
        <May operation="importSuppressions">
          <CodeBlock
            text={`npm run postrider -- suppressions import suppressions.csv --environment ${environmentId}`}
            label="Command to import"
          />
        </May>
        <CodeBlock
          text={`npm run postrider -- suppressions export --environment ${environmentId} > suppressions.csv`}
          label="Command to export"
        />
      </div>
    </Card>
  );
}

/** Addresses that get no email, or none of a stream. */
export function Screen() {
  const { environmentId, admin } = useEnvironment();
  const { email } = useSearch({ strict: false }) as { email?: string };
  return (
    <>
      <ListScreen
        title="Suppressions"
        about="Addresses that get no email: after a hard bounce, a complaint, an unsubscription, or by hand."
        create={{ label: 'Suppress an address', operation: 'createSuppression', dialog: <Add /> }}
        queryKey={keys.suppressions(environmentId, email)}
        read={(query) => admin.suppressions.of(environmentId).page({ ...query, ...(email && { email }) })}
        columns={{
          Address: (each) => <span className={each.email ? 'break' : 'muted'}>{addressOf(each)}</span>,
          Scope: ({ scope }) => <Tag>{scopeName(scope)}</Tag>,
          Source: ({ source }) => SOURCES[source],
          Reason: ({ reason }) => <span className="break">{reason ?? '–'}</span>,
          Until: { end: ({ expires_at: at }) => <Time at={at} format="short" none="no end" /> },
          Since: { end: ({ created_at: at }) => <Time at={at} format="short" /> },
        }}
        actions={(each) => (
          <ChangeButton
            inRow
            label="Remove"
            of={addressOf(each)}
            icon={Trash2}
            operation="deleteSuppression"
            action="Remove from the list"
            change={() => admin.suppressions.delete(each.id)}
            shownIn={[keys.suppressions(environmentId)]}
            done="The address is removed from the list."
          >
            <p>
              It gets email again ({scopeName(each.scope)}). Providers count bounces and complaints against
              you: remove an address only if you know that it works and wants your email.
            </p>
          </ChangeButton>
        )}
        empty={
          email
            ? {
                icon: MailX,
                title: 'This address is not suppressed',
                children: 'Email is sent to it in every stream.',
              }
            : {
                icon: MailX,
                title: 'No address is suppressed',
                children: 'Providers report bounces and complaints once a channel has a feedback address.',
              }
        }
      >
        <MaskedNote />
        <May operation="listPausedStreams">
          <PausedStreams />
        </May>
        <May operation="getEnvironmentDeliveryContent">
          <SearchForm param="email" label="Address" placeholder="ada@example.com" />
        </May>
      </ListScreen>
      <ImportAndExport />
    </>
  );
}
