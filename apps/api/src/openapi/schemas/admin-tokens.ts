import { nullable, record, ref, type Schema } from '../schema-object.ts';
import { id, optionalTime, pageOf, text, time } from './common.ts';

const TOKEN = {
  id: id('tok', 'The token.'),
  environment_id: id('env', 'Its environment.'),
  name: text('For people.'),
  prefix: text('What it begins with, up to its secret part.'),
  last_four: text('Its last four characters, which tell its owner which one it is.'),
  created_at: time('When it was issued.'),
  expires_at: optionalTime('From this moment on, by the database’s clock, it is refused; null means never.'),
  last_used_at: optionalTime(
    'The minute in which it was last used, known some minutes later; null when it never was.',
  ),
  revoked_at: optionalTime('When it was revoked; null when it was not.'),
  replaced_by: nullable(id('tok', 'The token that a rotation has issued in its place.')),
};

const SECRET = text('The token itself, for the Authorization header: in this answer and never again.');

/** Contract section 8. */
export const TOKEN_SCHEMAS: Readonly<Record<string, Schema>> = {
  Token: record('What clients of an environment authenticate with, without its secret.', TOKEN),
  TokenList: pageOf('Token', 'A page of tokens, newest first.'),
  IssuedToken: record('A new token, with its secret.', { ...TOKEN, token: SECRET }),
  RotatedToken: record('A new token, with its secret, and the one that it replaces.', {
    ...TOKEN,
    token: SECRET,
    previous: ref('Token'),
  }),
};
