import { PostriderConnectionError } from '@postrider/client';
import { fetchFrom, type Session } from '../session.ts';
import type { Folder } from './read-folder.ts';
import { located } from './refusal.ts';
import type { OpenApiDocument } from './schemas.ts';
import type { ConfigurationDocument } from './sections.ts';
import { withReferences } from './show-plan.ts';

/** Of a plan or an apply, which render templates and wait for those before them. */
const TIMEOUT_MS = 120_000;

/** An environment, and the session that may configure it. */
export interface Target {
  readonly session: Session;
  readonly environment: string;
}

/** What is applied. */
export interface Wanted {
  readonly document: ConfigurationDocument;
  readonly prune: boolean;
  /** Where the document is from; null if that is no folder. */
  readonly folder: Folder | null;
}

const patient = ({ call }: Session) => ({ ...call, timeoutMs: TIMEOUT_MS });

/** Rejects with the issues of the document at their lines of the folder. */
const locating = <Result>(folder: Folder | null, call: Promise<Result>): Promise<Result> =>
  call.catch((error: unknown) => Promise.reject(located(error, folder)));

/** The configuration of an environment. */
export async function exportOf({ session, environment }: Target) {
  const exported = await session.admin().environments.configuration(environment, session.call);
  return { ...exported, document: exported.document as ConfigurationDocument };
}

/** What would change, with the references of the folder instead of what they stand for. */
export async function planOf({ session, environment }: Target, wanted: Wanted) {
  const { folder, ...body } = wanted;
  const call = session.admin().environments.configurationPlan(environment, body, patient(session));
  return withReferences(await locating(folder, call), folder);
}

/** Makes the changes of a plan. */
export async function applyTo({ session, environment }: Target, wanted: Wanted, hash: string) {
  const { folder, ...body } = wanted;
  const call = session
    .admin()
    .environments.configurationApply(environment, { ...body, hash }, patient(session));
  return withReferences(await locating(folder, call), folder);
}

/** The OpenAPI document of the service. */
export async function openApiOf(session: Session): Promise<OpenApiDocument> {
  try {
    const response = await fetchFrom(session, 'openapi.json');
    if (!response.ok) throw new Error(`the answer has the status ${response.status}`);
    return (await response.json()) as OpenApiDocument;
  } catch (cause) {
    session.io.signal.throwIfAborted();
    throw new PostriderConnectionError('The service did not return its OpenAPI document.', { cause });
  }
}
