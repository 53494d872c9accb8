import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { BASE_URL, keys, useEnvironment } from '../../api/index.ts';
import { ButtonLink, useRead } from '../../ui/display.ts';
import { Card, CodeBlock } from '../../ui/parts.tsx';

/** How often the page looks for the first event. */
const LOOK_MS = 2_000;

const EVENT = `curl ${new URL('api/v1/events', BASE_URL).href} \\
  -H 'Authorization: Bearer YOUR_TOKEN' -H 'Idempotency-Key: first-event' -H 'Content-Type: application/json' \\
  -d '{"event_key":"order.shipped","recipient":{"email":"ada@example.com","name":"Ada"},"payload":{"order_id":"A-1001"}}'`;

/** The id of a message of the environment; undefined while it loads, null while there is none. */
export function useFirstMessage(isOn: boolean) {
  const { environmentId, scope } = useEnvironment();
  const [data] = useRead(
    keys.messages(environmentId, 'first'),
    async () => (await scope.rows({ limit: 1 })).data[0]?.id ?? null,
    { enabled: isOn, refetchInterval: ({ state }) => (state.data ? false : LOOK_MS) },
  );
  return data;
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  number: number;
  title: string;
  isDone?: boolean;
  children: ReactNode;
}) {
  return (
    <li className="first-step">
      <span className={isDone ? 'event-mark tone-ok' : 'event-mark'}>
        {isDone ? <Check aria-label="Done" /> : number}
      </span>
      <div className="stack-tight grow">
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  );
}

/** What to do in an environment that has not accepted an event yet. */
export function FirstRun({ messageId }: { messageId: string | null }) {
  const { screen } = useEnvironment();
  return (
    <Card title="Start here">
      <ol className="stack">
        <Step number={1} title="Send an event" isDone={messageId !== null}>
          <p className="muted">This page updates as soon as it arrives.</p>
          <div className="row">
            <ButtonLink operation="createEnvironmentEvent" to={screen`/send`} variant="primary">
              Send one from here
            </ButtonLink>
            <ButtonLink operation="listTokens" to={screen`/tokens`}>
              Issue a token
            </ButtonLink>
          </div>
          <p className="muted">Or paste this into a terminal, with a token of this environment:</p>
          <CodeBlock text={EVENT} label="Command" />
        </Step>
        <Step number={2} title="Look at the mail">
          <p className="muted">
            The message shows what the mail server replied, and under “What was sent” the mail itself.
            {messageId === null && ' It needs a channel that takes the event, and for mail a template.'}
          </p>
          <div className="row">
            {messageId ? (
              <ButtonLink to={screen`/messages/${messageId}`} variant="primary">
                Open your first message
              </ButtonLink>
            ) : (
              <>
                <ButtonLink operation="createChannel" to={screen`/channels`}>
                  Channels
                </ButtonLink>
                <ButtonLink operation="createTemplate" to={screen`/templates`}>
                  Templates
                </ButtonLink>
              </>
            )}
          </div>
        </Step>
        <Step number={3} title="Connect your service">
          <p className="muted">
            Your backend sends events with this client, or with any HTTP client. Keep the token in its
            configuration.
          </p>
          <CodeBlock text="npm install @postrider/client" label="Installation" />
          <a href={new URL('docs', BASE_URL).href} target="_blank" rel="noreferrer">
            Read the API’s documentation
          </a>
        </Step>
      </ol>
    </Card>
  );
}
