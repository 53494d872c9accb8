const HIDDEN = '[hidden]';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/**
 * Makes the function that takes a server's credentials out of what it says: some repeat the command that they
 * refuse, and replies are kept with the attempt, which tenants read. It knows the forms of AUTH PLAIN (RFC
 * 4616) and AUTH LOGIN.
 */
export function hideCredentials(username: string, password: string | undefined): (text: string) => string {
  if (!password) return (text) => text;
  const forms = [base64(`\0${username}\0${password}`), base64(password), password];
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, HIDDEN), text);
}
