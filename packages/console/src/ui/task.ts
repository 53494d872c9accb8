import { useState } from 'react';

/** Whether something is being done, why it failed, and a function that begins it. */
export function useTask(failure: unknown = null) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(failure);
  const run = async (task: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    await task().catch(setError);
    setBusy(false);
  };
  return { busy, error, run };
}
