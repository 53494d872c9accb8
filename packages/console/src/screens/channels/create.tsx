import type { ChannelInput, ConfiguredChannel } from '@postrider/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keys, useEnvironment, useInvalidate } from '../../api/index.ts';
import { Back, ButtonLink, ErrorNotice } from '../../ui/display.ts';
import { LeaveGuard, useDraft } from '../../ui/draft.tsx';
import type { Json } from '../../ui/fields.ts';
import { FormFields } from '../../ui/form-fields.tsx';
import {
  bind,
  Check,
  FormError,
  RestoredNotice,
  SecretOnce,
  Target,
  TextField,
  useObjectForm,
} from '../../ui/input.ts';
import { Button, Card, PageHead } from '../../ui/parts.tsx';
import { KINDS, shapeOfKind } from './forms/index.ts';
import { Cards } from './logos.tsx';
import { ProviderChoice } from './settings.tsx';
import { TestOutcome, useTestSend } from './test-send.tsx';

interface Created {
  readonly channel: ConfiguredChannel;
  readonly secret: string | null;
  /** The message of the test that was sent with it. */
  readonly messageId: string | null;
  readonly testError: unknown;
}

const EMPTY: Json = {};
const kindOf = ({ kind }: Json) => String(kind ?? '');
const shapeOf = (value: Json) => shapeOfKind(kindOf(value), value);

const focusOn = (element: HTMLElement | null) => element?.focus();

/** The new channel: its secret, the outcome of its test, and where to go next. Its title gets the focus, so screen readers begin there. */
function Result({ created: { channel, secret, messageId, testError } }: { created: Created }) {
  const { screen } = useEnvironment();
  return (
    <Card
      title={
        <span ref={focusOn} tabIndex={-1}>
          {channel.name} was created
        </span>
      }
      foot={
        <ButtonLink to={screen`/channels/${channel.id}`} variant="primary">
          Open the channel
        </ButtonLink>
      }
    >
      <div className="stack">
        {secret !== null && <SecretOnce value={secret} label="Signing secret" />}
        {messageId !== null && <TestOutcome messageId={messageId} />}
        {testError !== null && (
          <>
            <p>The channel exists, but its test could not be sent.</p>
            <ErrorNotice error={testError} />
          </>
        )}
        {messageId === null && testError === null && <p>It gets the events that are accepted from now on.</p>}
      </div>
    </Card>
  );
}

/** Creates a channel, and sends a test through it. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const sendTest = useTestSend();
  const draft = useDraft(`${environmentId}.channel`, EMPTY, shapeOf);
  const { value, change } = draft;
  const [isTested, setTested] = useState(true);
  const [email, setEmail] = useState('');
  const kind = kindOf(value);
  const isEmail = kind === 'email';
  const form = useObjectForm(shapeOf, value, async (sent): Promise<Created> => {
    const channel = await admin.channels.create(environmentId, sent as unknown as ChannelInput);
    draft.forget();
    const secret = 'secret' in channel && channel.secret ? String(channel.secret) : null;
    await invalidate(keys.channels(environmentId));
    const created = { channel, secret, messageId: null, testError: null };
    if (!isTested || (isEmail && email.trim() === '')) return created;
    try {
      return { ...created, messageId: await sendTest(channel.id, { email }) };
    } catch (testError) {
      return { ...created, testError };
    }
  });
  const choose = (chosen: string) => {
    form.reset();
    const { name } = value;
    change({ kind: chosen, ...KINDS[chosen]?.start, ...(name !== undefined && { name }) });
  };
  return (
    <>
      <Back to={screen`/channels`}>Channels</Back>
      <PageHead title="New channel" about="Where events of this environment are delivered." />
      {form.data ? (
        <Result created={form.data} />
      ) : (
        <form ref={form.form} noValidate onSubmit={form.onSubmit}>
          <LeaveGuard draft={draft} />
          <Card
            foot={
              <>
                <Button onClick={() => void navigate({ to: screen`/channels` })}>Cancel</Button>
                {kind !== '' && (
                  <Button type="submit" variant="primary" operation="createChannel" busy={form.busy}>
                    {isTested ? 'Create and test' : 'Create'}
                  </Button>
                )}
              </>
            }
          >
            <div className="stack">
              <Target />
              <RestoredNotice draft={draft} />
              <Cards
                legend="Deliver to"
                options={Object.entries(KINDS).map(([each, { name, about }]) => [each, name, about])}
                value={kind || null}
                onChange={choose}
              />
              {isEmail && <ProviderChoice value={value} onChange={change} />}
              {kind !== '' && (
                <FormFields
                  key={`${kind} ${draft.round}`}
                  shape={form.shape}
                  value={value}
                  onChange={change}
                  errors={form.errors}
                >
                  <div className="form-row form-wide">
                    <Check
                      label="Send a test at once"
                      hint="It shows whether the settings are right."
                      checked={isTested}
                      onChange={({ target }) => setTested(target.checked)}
                    />
                    {isEmail && isTested && (
                      <TextField
                        label="Send the test to"
                        type="email"
                        placeholder="you@example.com"
                        {...bind(email, setEmail)}
                      />
                    )}
                  </div>
                </FormFields>
              )}
              <FormError form={form} />
            </div>
          </Card>
        </form>
      )}
    </>
  );
}
