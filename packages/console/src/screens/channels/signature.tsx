import type { ConfiguredChannel } from '@postrider/client';
import { keys, useEnvironment, useMay } from '../../api/index.ts';
import { useRead } from '../../ui/display.ts';
import { shellQuoted } from '../../ui/format.ts';
import { Card, CodeBlock, Time } from '../../ui/parts.tsx';
import { VerifyCard } from '../../ui/verify.tsx';

/** Stands for a stored header that may be secret, such as a login. */
const MASKED = '(masked)';

/** The last request as a command that sends it to a receiver on this machine. */
function LastRequest({ channel }: { channel: ConfiguredChannel }) {
  const { scope } = useEnvironment();
  const last = channel.state.last_reply;
  const [data, placeholder] = useRead(
    keys.content(last?.delivery_run_id, last?.attempt),
    () => scope.deliveryRuns.content(last?.delivery_run_id ?? '', { attempt: last?.attempt ?? 1 }),
    { enabled: last !== null, rows: 2 },
  );
  if (!last)
    return <p className="muted">Nothing was sent yet. Send a test to have a request to try it on.</p>;
  if (!data || placeholder) return placeholder;
  if (!data.request) return <p className="muted">The last request is not stored.</p>;
  const isSigned = data.request.headers.some(
    ([name, value]) => name?.toLowerCase().endsWith('signature') && value !== MASKED,
  );
  const headers = data.request.headers
    .filter(([, value]) => value !== MASKED)
    .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  const lines = [
    'curl http://localhost:3000/webhooks',
    ...headers,
    `--data-binary ${shellQuoted(data.request.body)}`,
  ];
  return (
    <div className="stack-tight">
      <p className="small muted">
        Sent <Time at={last.at} />.{' '}
        {isSigned
          ? 'The code above verifies its signature, but refuses its time when it is more than five minutes old. Send a test for a new one.'
          : 'Its signature is not stored, so your receiver must refuse it. Send a test to get a request that it must accept.'}
      </p>
      <CodeBlock text={lines.join(' \\\n  ')} label="Last request" />
    </div>
  );
}

const TEXTS = {
  steps: [
    'Put the signing secret into the variable WEBHOOK_SECRET of your server.',
    'Use the unchanged bytes of the body: parsed and serialised again, it has a different signature.',
    'Drop requests whose webhook-id you have already processed: one can come twice.',
    'Respond with a status from 200 to 299 within the time limit, and do long work afterwards.',
  ],
  language: 'Language',
  code: (language: string) => `Code for ${language}`,
};

/** How a receiver verifies the requests of a webhook, with the last one to try it on. */
export function SignatureHelp({ channel }: { channel: ConfiguredChannel }) {
  const may = useMay();
  return (
    <>
      <VerifyCard title="Verify that requests come from here" texts={TEXTS} />
      {may('getEnvironmentDeliveryContent') && (
        <Card title="Try it on the last request">
          <LastRequest channel={channel} />
        </Card>
      )}
    </>
  );
}
