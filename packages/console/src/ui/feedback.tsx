import advice from 'virtual:error-advice';
import { PostriderApiError, PostriderConnectionError, PostriderTimeoutError } from '@postrider/client';
import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRefusal } from '../api/access.ts';
import { SIGNED_IN_AGAIN } from '../api/connection.ts';
import { parseJson } from './format.ts';
import { Button, CodeBlock, CopyId } from './parts.tsx';
import { Notice } from './plain.tsx';

export { Notice } from './plain.tsx';

/** Tells users who see no recipients why. */
export function MaskedNote() {
  const refusal = useRefusal()('getEnvironmentDeliveryContent');
  return (
    refusal !== null && (
      <Notice title="Recipients are masked, and content is left out.">
        <p>Seeing them {refusal}.</p>
      </Notice>
    )
  );
}

/** The user's input is invalid. The message says what to do. */
export class InputError extends Error {}

/** Parses what the user typed as JSON; `what` names it in the error. */
export function typedJson(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new InputError(`The ${what} is not JSON: ${(error as Error).message}`);
  }
}

/** Without a response nobody knows whether a change was made, and the management API has no idempotency keys. */
const LOOK_FIRST = 'If you changed something, check whether it was saved before you try again.';

/** Describes an error and what to do about it. */
function explain(error: unknown): readonly [title: string, code: string, todo: string] {
  if (error instanceof PostriderApiError) {
    if (error.message === SIGNED_IN_AGAIN) return [error.message, error.code, 'Try again.'];
    const unknown = 'Try again. If it persists, search for the request id in the logs of the API.';
    return [error.message, `${error.status} ${error.code}`, advice[error.code] ?? unknown];
  }
  if (error instanceof PostriderTimeoutError)
    return [error.message, 'timeout', `The service is slow. ${LOOK_FIRST}`];
  if (error instanceof PostriderConnectionError)
    return [error.message, 'connection_failed', `Check your network and whether the API runs. ${LOOK_FIRST}`];
  const title = error instanceof Error ? error.message : String(error);
  return [title, 'console_error', 'Reload the page. If it happens again, report this message.'];
}

/** An error with its code, its request id and what to do. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error) return null;
  if (error instanceof InputError) return <Notice tone="bad" title={error.message} />;
  const [title, code, todo] = explain(error);
  const api = error instanceof PostriderApiError ? error : null;
  return (
    <Notice tone="bad" title={title}>
      {api && api.details.length > 0 && (
        <ul>
          {api.details.map(({ path, message, line, column }) => (
            <li key={`${path} ${message} ${line}`} className="break">
              <code>{path}</code> {message}
              {typeof line === 'number' && ` (line ${line}, column ${column})`}
            </li>
          ))}
        </ul>
      )}
      <p>{todo}</p>
      <div className="row small">
        <code>{code}</code>
        {api && api.requestId !== 'unknown' && <CopyId value={api.requestId} label="Copy request id" />}
        {onRetry && (
          <Button small onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** The content of an empty list: what to do next, and the equivalent command. */
export function Empty({
  title,
  children,
  command,
  action,
  icon: Icon = Inbox,
}: {
  title: string;
  children?: ReactNode;
  command?: string;
  action?: ReactNode;
  icon?: LucideIcon;
}) {
  return (
    <div className="empty">
      <Icon aria-hidden="true" />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
      {command && <CodeBlock text={command} label="Command" />}
    </div>
  );
}
