import type { SecretBox } from '@postrider/domain';
import type { ProviderTokens } from './client.ts';

const bindingOf = (sessionId: string) => `session:${sessionId}`;

export function sealTokens(tokens: ProviderTokens, sessionId: string, secretBox: SecretBox): string {
  return secretBox.encrypt(JSON.stringify(tokens), bindingOf(sessionId));
}

/** Decrypts them; null if their key is no longer configured. */
export function openTokens(sealed: string, sessionId: string, secretBox: SecretBox): ProviderTokens | null {
  const decrypted = secretBox.decrypt(sealed, bindingOf(sessionId));
  return decrypted.ok ? (JSON.parse(decrypted.plaintext) as ProviderTokens) : null;
}
