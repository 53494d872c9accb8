import type { Context } from './scenario.ts';

/** How often processes of the service ended although nobody asked them to. */
export function countOwnExits({ stack }: Pick<Context, 'stack'>): number {
  return [...stack.apis, ...stack.workers].reduce((sum, service) => sum + service.ownExits(), 0);
}
