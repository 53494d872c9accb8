import type { BodyOf, ConfiguredChannel } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { keys, type useAdmin, useEnvironment, useInvalidate } from '../../api/index.ts';
import { ErrorNotice, Notice, typedJson } from '../../ui/display.ts';
import { formatNumber, toJson } from '../../ui/format.ts';
import { Editor, toast, useTask } from '../../ui/input.ts';
import { Button, Card, Figures, May } from '../../ui/parts.tsx';

type Filter = BodyOf<'testChannelFilter'>['filter'];
type Result = Awaited<ReturnType<ReturnType<typeof useAdmin>['channels']['filterTest']>>;

const textOf = (filter: unknown) => (filter ? toJson(filter) : '');

/** Parses the typed filter; an empty text means no filter. */
const filterOf = (text: string) => (text.trim() ? (typedJson(text, 'filter') as Filter) : null);

/** How a filter would have matched the newest messages. */
function TestResult({ result }: { result: Result }) {
  const { screen } = useEnvironment();
  const linkTo = (messageId: string) => screen`/messages/${messageId}`;
  const { tested, matched, not_matched, not_subscribed, too_large, is_complete } = result;
  return (
    <div className="stack" role="status">
      <Figures
        label="What the filter would match"
        items={[
          ['Messages tested', formatNumber(tested)],
          ['Taken', formatNumber(matched)],
          ['Filtered out', formatNumber(not_matched)],
          ['With other event keys', formatNumber(not_subscribed)],
          ['Too large', formatNumber(too_large)],
        ]}
      />
      {!is_complete && <p className="small muted">The test ended early: the messages are large.</p>}
      {result.matched_samples.length > 0 && (
        <p className="small">
          Taken:{' '}
          {result.matched_samples.map((id) => (
            <Link key={id} to={linkTo(id)} className="break">
              <code>{id}</code>{' '}
            </Link>
          ))}
        </p>
      )}
      {result.not_matched_samples.length > 0 && (
        <ul className="small" aria-label="Filtered out">
          {result.not_matched_samples.map(({ message_id, condition }) => (
            <li key={message_id} className="break">
              <Link to={linkTo(message_id)}>
                <code>{message_id}</code>
              </Link>{' '}
              does not match <code>{condition || '/'}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The filter of a channel, which can be tried on the newest messages before it is saved. */
export function ChannelFilter({ channel }: { channel: ConfiguredChannel }) {
  const { environmentId, admin } = useEnvironment();
  const invalidate = useInvalidate();
  const saved = textOf(channel.filter);
  const [text, setText] = useState(saved);
  const testing = useTask<Result>();
  const test = async () => admin.channels.filterTest(channel.id, { filter: filterOf(text) });
  const saving = useTask();
  const save = async () => {
    await admin.channels.update(channel.id, { filter: filterOf(text) });
    await invalidate(keys.channels(environmentId));
    toast('The filter is saved. It applies within 5 seconds.');
  };
  const change = (changed: string) => {
    setText(changed);
    testing.reset();
    saving.reset();
  };
  return (
    <Card
      title="Filter"
      foot={
        <>
          <Button
            icon={FlaskConical}
            operation="testChannelFilter"
            busy={testing.busy}
            onClick={() => void testing.run(test)}
          >
            Test with recent messages
          </Button>
          <May operation="updateChannel" explain="You cannot save the filter.">
            <Button
              variant="primary"
              disabled={text === saved}
              busy={saving.busy}
              onClick={() => void saving.run(save)}
            >
              Save the filter
            </Button>
          </May>
        </>
      }
    >
      <div className="stack">
        <p className="small muted">
          Which events it receives, by <code>event_key</code>, <code>recipient</code> and <code>payload</code>
          , such as <code>{'{"payload": {"amount": {"$gte": 100}}}'}</code>. Empty: all events.
        </p>
        <Editor label="Filter" language="json" value={text} onChange={change} minHeight={90} />
        <ErrorNotice error={testing.error ?? saving.error} />
        {testing.data && <TestResult result={testing.data} />}
        {testing.data?.tested === 0 && (
          <Notice title="There are no messages to test it with yet.">
            <p>Send an event first, or save the filter without a test.</p>
          </Notice>
        )}
      </div>
    </Card>
  );
}
