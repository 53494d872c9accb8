import { randomBytes } from 'node:crypto';
import type { Environment, Tenant } from '@postrider/client';
import { expect } from '@postrider/testing';
import { useService } from './service.ts';

/** A name that no other test uses. */
export const unique = (prefix: string) => `${prefix}-${randomBytes(4).toString('hex')}`;

/** A service, and what most tests of the management commands need. */
export function useManagement() {
  const { environment, postrider, fixture } = useService();

  /** The result of a command that must succeed. */
  async function made<Result>(...args: string[]): Promise<Result> {
    const { code, stderr, json } = await postrider([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return json<Result>();
  }

  /** A tenant on a plan of its own. */
  async function aTenant(): Promise<Tenant> {
    const code = unique('plan');
    await made('plans', 'create', '--code', code, '--name', 'Test');
    return made<Tenant>('tenants', 'create', '--name', 'Acme', '--plan', code);
  }

  /** An environment of a new tenant. */
  async function anEnvironment(): Promise<Environment> {
    const tenant = await aTenant();
    return made<Environment>('environments', 'create', '--tenant', tenant.id, '--name', 'staging');
  }

  return { environment, postrider, fixture, made, aTenant, anEnvironment };
}
