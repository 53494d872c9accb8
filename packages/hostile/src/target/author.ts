import type { Fixture } from '@postrider/db/testing';
import { formatId, type Scope, TOKEN_SCOPES } from '@postrider/domain';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { callApi } from './post-event.ts';
import type { Target } from './target.ts';

/** Who configures an environment: an operator, or an outsider with a self-service token. */
const CREDENTIALS = ['an operator', 'a token', 'a token with one scope'] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** An author of the attacker's configuration. */
export interface Author {
  readonly token: string;
  /** The path of a resource of the environment, such as `templates`, or of one with an id, such as `templates/tpl_…`. */
  readonly path: (resource: string) => string;
}

const HAS_ID = /^[a-z-]+\/[a-z]{3}_/;

/** The author of an environment. A token with one scope has `needed`. */
async function authorOf(
  target: Target,
  { environmentId }: Pick<Fixture, 'environmentId'>,
  { credential, needed }: { readonly credential: Credential; readonly needed: Scope },
): Promise<Author> {
  const environment = `/admin/v1/environments/${formatId('env', environmentId)}`;
  const token = target.adminToken;
  if (credential === 'an operator') {
    const path = (resource: string) => `${HAS_ID.test(resource) ? '/admin/v1' : environment}/${resource}`;
    return { token, path };
  }
  const scopes = credential === 'a token' ? Object.keys(TOKEN_SCOPES) : [needed];
  const body = JSON.stringify({ name: 'author', scopes });
  const issued = await callApi(target, { path: `${environment}/tokens`, token, body });
  if (issued.status !== 201) throw new Error(`no token was issued: ${issued.text}`);
  return { token: JSON.parse(issued.text).token, path: (resource) => `/api/v1/${resource}` };
}

/** An attack by an author. */
export interface Authored {
  readonly name: string;
  /** The scope that it needs. */
  readonly needed: Scope;
  readonly run: (context: AttackContext, authorIn: AuthorIn) => Promise<Outcome>;
}

/** The author of the attack in an environment. */
export type AuthorIn = (environment: Pick<Fixture, 'environmentId'>) => Promise<Author>;

/** The same attack by authors with each of these credentials. A token with one scope attacks in the long form only. */
export const byAuthors = (
  { name, needed, run }: Authored,
  credentials: readonly Credential[] = CREDENTIALS,
): Attack[] =>
  credentials.map((credential) => ({
    name: `${name}, by ${credential}`,
    isLong: credential === 'a token with one scope',
    run: (context) =>
      run(context, (environment) => authorOf(context.target, environment, { credential, needed })),
  }));
