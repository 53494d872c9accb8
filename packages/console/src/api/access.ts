import access from 'virtual:access';
import type { OperationId } from '@postrider/client';
import { useContext } from 'react';
import type { Account } from './contract.ts';
import { SessionContext } from './session.ts';

function refusalOf({ scopes, tenants, environments }: Account, operation: OperationId): string | null {
  const [scope = operation, isWithoutBounds] = access.operations[operation] ?? [];
  if (!scopes.includes(scope)) return `needs the scope ${scope}`;
  const isBounded = tenants !== null || environments !== null;
  return isWithoutBounds && isBounded ? 'needs access to the whole installation' : null;
}

/** Returns what the caller lacks for an operation, by its name in the OpenAPI document, after “It”; null if nothing. */
export function useRefusal(): (operation: OperationId) => string | null {
  const session = useContext(SessionContext);
  return (operation) => (session ? refusalOf(session.account, operation) : 'needs a sign-in');
}

/** Returns whether the signed-in caller may call an operation. */
export function useMay(): (operation: OperationId) => boolean {
  const refusal = useRefusal();
  return (operation) => refusal(operation) === null;
}
