import { createRequire } from 'node:module';

/**
 * Starts maildev with the arguments of its own command. Its page removes scripts and frames from an email, but keeps
 * `<link>`, by which an email makes a browser connect to other hosts. Images are shown.
 */
// Its own copies: what it depends on is no dependency of this package.
const requireOfMaildev = createRequire(createRequire(import.meta.url).resolve('maildev/package.json'));
const mailServer = requireOfMaildev('./lib/mailserver');
const createPurifier = requireOfMaildev('dompurify');
const { JSDOM } = requireOfMaildev('jsdom');

const OPTIONS = { WHOLE_DOCUMENT: true, ADD_ATTR: ['target'], FORBID_TAGS: ['form', 'input'] };
const purifier = createPurifier(new JSDOM('').window);
const { getEmail } = mailServer;
mailServer.getEmail = (id, done) =>
  getEmail(id, (error, email) => {
    if (email?.html) email.html = purifier.sanitize(email.html, OPTIONS);
    done(error, email);
  });

const MailDev = requireOfMaildev('./index.js');
new MailDev().listen();
