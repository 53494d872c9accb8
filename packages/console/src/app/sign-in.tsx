import { PostriderApiError } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../api/keys.ts';
import { type Provider, queryClient, readProviders, signIn } from '../api/session.ts';
import { ErrorNotice, InputError, Notice } from '../ui/feedback.tsx';
import { bind, submitting, TextField, useTask } from '../ui/form.tsx';
import { Button } from '../ui/parts.tsx';

const LINK_REFUSED =
  'This link was already used, has expired, or was revoked. Ask for another one, or use a token.';
const TOKEN_REFUSED = 'This token is not valid. It may be incomplete, revoked or expired.';

/** An error for people, because that of the service is for programs: it explains the request's header. */
const explained = (error: unknown, refusal: string): unknown =>
  error instanceof PostriderApiError && error.status === 401 ? new InputError(refusal) : error;

/** Why a sign-in at a provider failed, in words. */
const FAILURES: Readonly<Record<string, string>> = {
  away: 'The provider did not respond. Try again later, or sign in another way.',
  refused: 'The provider refused the sign-in.',
  invalid: 'The response of the provider is not valid for this sign-in. Try again.',
  misconfigured: 'The provider does not accept this service. Ask the person who set it up.',
  expired: 'This sign-in was already used, took too long, or was started in another browser. Try again.',
  too_many: 'Too many failed sign-ins. Wait a minute, and try again.',
  unavailable: 'Nobody can sign in at the moment. Try again shortly.',
  no_group: 'You are signed in at the provider, but none of your groups has access to this console.',
  email_missing: 'The provider did not report your email address.',
  email_unverified: 'Your email address is not verified at the provider.',
  email_domain: 'Email addresses of your domain have no access to this console.',
  email_taken: 'Another operator has your email address. Ask an administrator.',
  disabled: 'Your access to this console is disabled. Ask an administrator.',
  unknown_role: 'The role of your group does not exist. Ask an administrator.',
};

const RETURN_KEY = 'postrider.return';

/** Takes the failure of a sign-in from the URL's fragment, and returns to the screen from which it was begun. */
function takeOutcome(): string | null {
  const [, failure] = /^#sign-in=(\w+)&/.exec(window.location.hash) ?? [];
  if (failure !== undefined)
    window.history.replaceState(
      null,
      '',
      `${window.location.pathname}${sessionStorage.getItem(RETURN_KEY) ?? '#/'}`,
    );
  return failure === undefined ? null : (FAILURES[failure] ?? FAILURES.invalid ?? null);
}

/** After a sign-in at a provider the page begins again: returns to the screen from which it was begun. */
export function restoreScreen(): void {
  const screen = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  if (screen !== null && window.location.hash === '')
    window.history.replaceState(null, '', `${window.location.pathname}${screen}`);
}

const failureAtProvider = takeOutcome();

function Providers({ providers }: { providers: readonly Provider[] }) {
  return providers.map(({ id, name }) => (
    <Button
      key={id}
      onClick={() => {
        sessionStorage.setItem(RETURN_KEY, window.location.hash || '#/');
        window.location.assign(`./oidc/${id}/start`);
      }}
    >
      Sign in with {name}
    </Button>
  ));
}

/** Asks for a token, sends it to the service and does not keep it. */
export function SignIn({ linkError }: { linkError?: unknown }) {
  const { data: providers = [] } = useQuery({ queryKey: keys.providers(), queryFn: readProviders });
  const [token, setToken] = useState('');
  const [actor, setActor] = useState('');
  const { busy, error, run } = useTask(
    failureAtProvider === null ? explained(linkError, LINK_REFUSED) : new InputError(failureAtProvider),
  );
  const hasEnded = sessionStorage.getItem('postrider.ended') === 'expired';

  const submit = async () => {
    try {
      const session = await signIn({ token: token.trim(), ...(actor.trim() && { actor: actor.trim() }) });
      sessionStorage.removeItem('postrider.ended');
      queryClient.setQueryData(keys.session(), session);
    } catch (caught) {
      throw explained(caught, TOKEN_REFUSED);
    } finally {
      setToken('');
    }
  };

  return (
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={submitting(() => void run(submit))}>
        <img src="./icon.svg" alt="" />
        <div>
          <h1>Sign in to Postrider</h1>
          <p className="muted">
            {providers.length > 0 && 'At a provider, or with a token: '}
            {providers.length > 0 ? 'the' : 'With the'} admin token, or the token of one environment.
          </p>
        </div>
        {hasEnded && !error && (
          <Notice tone="warn" title="Your session has ended.">
            <p>Sign in again to return to where you were.</p>
          </Notice>
        )}
        <Providers providers={providers} />
        <TextField
          label="Token"
          type="password"
          name="token"
          required
          autoFocus
          {...bind(token, setToken)}
          hint={
            <>
              Or run <code>npm run postrider -- console</code>, which prints a link that signs you in once.
            </>
          }
        />
        <TextField
          label="Your name (optional)"
          name="actor"
          maxLength={128}
          pattern="[!-~]*"
          {...bind(actor, setActor)}
          hint="For the audit log: visible characters without spaces, such as ada."
        />
        <ErrorNotice error={error} />
        <Button type="submit" variant="primary" busy={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
