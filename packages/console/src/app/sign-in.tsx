import { PostriderApiError } from '@postrider/client';
import { type FormEvent, useState } from 'react';
import { queryClient, SESSION_KEY, signIn } from '../api/session.ts';
import { ErrorNotice, InputError, Notice } from '../ui/feedback.tsx';
import { TextField } from '../ui/form.tsx';
import { Button } from '../ui/parts.tsx';

const LINK_REFUSED =
  'This link was used before, has expired, or was revoked. Ask for another one, or use a token.';
const TOKEN_REFUSED = 'This token is not valid. It may be incomplete, revoked or expired.';

/** An error for people, because that of the service is for programs: it explains the request's header. */
const explained = (error: unknown, refusal: string): unknown =>
  error instanceof PostriderApiError && error.status === 401 ? new InputError(refusal) : error;

/** Asks for a token, sends it to the service and does not keep it. */
export function SignIn({ linkError }: { linkError?: unknown }) {
  const [token, setToken] = useState('');
  const [actor, setActor] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(explained(linkError, LINK_REFUSED));
  const hasEnded = sessionStorage.getItem('postrider.ended') === 'expired';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const session = await signIn({ token: token.trim(), ...(actor.trim() && { actor: actor.trim() }) });
      sessionStorage.removeItem('postrider.ended');
      queryClient.setQueryData(SESSION_KEY, session);
    } catch (caught) {
      setError(explained(caught, TOKEN_REFUSED));
    } finally {
      setToken('');
      setBusy(false);
    }
  };

  return (
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={(event) => void submit(event)}>
        <img src="./icon.svg" alt="" />
        <div>
          <h1>Sign in to Postrider</h1>
          <p className="muted">With the admin token, or with the token of one environment.</p>
        </div>
        {hasEnded && !error && (
          <Notice tone="warn" title="Your session has ended.">
            <p>Sign in again to return to where you were.</p>
          </Notice>
        )}
        <TextField
          label="Token"
          type="password"
          name="token"
          required
          autoFocus
          value={token}
          onChange={(event) => setToken(event.target.value)}
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
          value={actor}
          onChange={(event) => setActor(event.target.value)}
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
