import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { draftKey, useSession } from '../api/session.ts';
import { Change } from './change.tsx';
import { type FormShape, withoutSecrets } from './fields.ts';
import { applyPatch, type Json, patchBetween } from './json.ts';

function read(key: string | null): Json | null {
  try {
    return JSON.parse((key !== null && sessionStorage.getItem(key)) || 'null') as Json | null;
  } catch {
    return null;
  }
}

function write(key: string | null, patch: Json): void {
  if (key === null) return;
  try {
    if (Object.keys(patch).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(patch));
  } catch {
    // Without storage the changes last until the page is reloaded.
  }
}

/**
 * The value of a form that differs from the stored one until it is saved. Its changes survive a reload of the tab for
 * the same user, without secrets, if the form has a name. `shapeOf` names the fields of a value.
 */
export function useDraft(name: string | undefined, stored: Json, shapeOf: (value: Json) => FormShape) {
  const { account, environment_id } = useSession();
  const user = account.operator?.id ?? environment_id ?? account.kind;
  const key = name === undefined ? null : draftKey(user, name);
  const [found] = useState(() => read(key));
  const [isRestored, setRestored] = useState(found !== null);
  const [value, setValue] = useState(() => (found ? applyPatch(stored, found) : stored));
  /** Increased by each undo, so that the fields are created again. */
  const [round, setRound] = useState(0);
  /** Read by the guard within the event that saves, before the next rendering. */
  const isSaved = useRef(false);
  const patch = patchBetween(stored, value);
  const change = (changed: Json) => {
    isSaved.current = false;
    setValue(changed);
    write(key, withoutSecrets(shapeOf(changed), patchBetween(stored, changed)));
  };
  const forget = () => {
    isSaved.current = true;
    write(key, {});
    setRestored(false);
  };
  const undo = () => {
    forget();
    setValue(stored);
    setRound(round + 1);
  };
  const isChanged = Object.keys(patch).length > 0;
  return { value, change, patch, isChanged, isRestored, round, undo, forget, isSaved };
}

/** Asks before changes are lost, by another screen or by closing the tab. */
export function LeaveGuard({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const isDirty = () => draft.isChanged && !draft.isSaved.current;
  const blocker = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <Change
      target={null}
      onClose={blocker.reset}
      title="Leave without saving?"
      action="Discard the changes"
      change={async () => {
        draft.forget();
        blocker.proceed();
      }}
    >
      <p>Your changes on this page are not saved.</p>
    </Change>
  );
}
