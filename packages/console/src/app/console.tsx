import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { type Session, SessionContext } from '../api/index.ts';
import { createConsoleRouter } from './routes.tsx';

/** All that users see once they are signed in. */
export function Console({ session }: { session: Session }) {
  const [router] = useState(createConsoleRouter);
  return (
    <SessionContext value={session}>
      <RouterProvider router={router} />
    </SessionContext>
  );
}
