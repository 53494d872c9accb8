import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/index.ts';
import { ErrorNotice, Notice } from '../ui/display.ts';
import { submitting, TextField, useTask } from '../ui/input.ts';
import { Button, Card, PageHead, Time } from '../ui/parts.tsx';

/** What asks for a sign-in. */
interface Asking {
  readonly client: string;
  readonly address: string;
  readonly created_at: string;
}

/** Approves the sign-in of a command line, after it has shown what asks, and from which address. */
export function Screen() {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, string> });
  const [code, setCode] = useState(search.code ?? '');
  const look = useTask<Asking>();
  const ask = () => look.run(() => call('POST', '/console/device/request', { user_code: code }));
  const decided = useTask<'approved' | 'denied'>();
  const decide = (approve: boolean) =>
    void decided.run(async () => {
      await call('POST', '/console/device/decision', { user_code: code, approve });
      return approve ? 'approved' : 'denied';
    });
  return (
    <>
      <PageHead title="Command line" about="Sign postrider in on your computer, with your own rights." />
      {decided.data ? (
        <Notice
          tone="ok"
          title={decided.data === 'approved' ? 'The command line is signed in.' : 'The sign-in is denied.'}
        >
          <p>You can close this page.</p>
        </Notice>
      ) : (
        <form onSubmit={submitting(() => void (look.data ?? ask()))}>
          <Card
            foot={
              look.data ? (
                <>
                  <Button onClick={() => decide(false)}>Deny</Button>
                  <Button variant="primary" busy={decided.busy} onClick={() => decide(true)}>
                    Approve
                  </Button>
                </>
              ) : (
                <Button type="submit" variant="primary" busy={look.busy}>
                  Continue
                </Button>
              )
            }
          >
            <div className="stack">
              <TextField
                label="Code"
                name="code"
                required
                value={code}
                onChange={(event) => {
                  setCode(event.target.value);
                  // What was shown is about the code before.
                  look.reset();
                }}
                hint="As postrider login shows it. Approve only a code that you have asked for yourself."
              />
              <ErrorNotice error={look.error ?? decided.error} />
              {look.data && (
                <p>
                  <strong>{look.data.client}</strong> asks from <strong>{look.data.address}</strong>,{' '}
                  <Time at={look.data.created_at} format="short" />.
                </p>
              )}
            </div>
          </Card>
        </form>
      )}
    </>
  );
}
