import { useState } from 'react';

/** Runs a task: `busy` while it runs, `error` if it failed. `failure` is the error before the first run. */
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
