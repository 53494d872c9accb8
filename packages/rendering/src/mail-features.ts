/** A feature that a mail program does not support, and how it is found in a mail. */
export interface MailFeature {
  readonly title: string;
  readonly by: readonly string[];
  readonly clients: readonly string[];
}

/** Written by scripts/mail-features.mjs from caniemail.com of 2025-09-09 (MIT licence, Rémi Parmentier and contributors). */
const TABLE = `
align-items | property align-items | Gmail, Yahoo Mail, Outlook for Windows
animation | property animation | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
aspect-ratio | property aspect-ratio | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
@keyframes | at keyframes | Gmail, Outlook.com, Outlook for Windows
@supports | at supports | Gmail, Outlook.com, Outlook for Windows
backdrop-filter | property backdrop-filter | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
background-blend-mode | property background-blend-mode | Yahoo Mail, Outlook for Windows
background-clip | property background-clip | Yahoo Mail, Outlook for Windows
box-shadow | property box-shadow | Gmail, Yahoo Mail, Outlook for Windows
clip-path | property clip-path | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
column-count | property column-count | Yahoo Mail, Outlook for Windows
conic-gradient() | function conic-gradient | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
display:grid | value display grid | Gmail, Yahoo Mail, Outlook for Windows
filter | property filter | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
font-stretch | property font-stretch | Yahoo Mail, Outlook for Windows
clamp() | function clamp | Outlook.com, Yahoo Mail, Outlook for Windows
light-dark() | function light-dark | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
max() | function max | Outlook.com, Yahoo Mail, Outlook for Windows
min() | function min | Outlook.com, Yahoo Mail, Outlook for Windows
gap, column-gap, row-gap | property gap | Yahoo Mail, Outlook for Windows
inset | property inset | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
justify-content | property justify-content | Gmail, Yahoo Mail, Outlook for Windows
linear-gradient() | function linear-gradient | Outlook.com, Yahoo Mail, Outlook for Windows
mask-image | property mask-image | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
mix-blend-mode | property mix-blend-mode | Yahoo Mail, Outlook for Windows
object-fit | property object-fit | Yahoo Mail, Outlook for Windows
object-position | property object-position | Yahoo Mail, Outlook for Windows
position | property position | Gmail, Outlook for Windows
radial-gradient() | function radial-gradient | Outlook.com, Yahoo Mail, Outlook for Windows
shape-outside | property shape-outside | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
text-shadow | property text-shadow | Gmail, Outlook.com, Outlook for Windows
transform | property transform | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
transition | property transition | Gmail, Outlook.com, Outlook for Windows
CSS calc() function | function calc | Outlook.com, Yahoo Mail, Outlook for Windows
CSS Variables (Custom Properties) | function var | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
visibility | property visibility | Gmail, Outlook for Windows
z-index | property z-index | Gmail, Outlook for Windows
<audio> element | element audio | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
<dialog> element | element dialog | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
<marquee> element | element marquee | Gmail, Outlook for Windows
<meter> element | element meter | Gmail, Yahoo Mail, Outlook for Windows
<object> element | element object | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
<picture> element | element picture | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
popover attribute | attribute popover | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
<progress> element | element progress | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
srcset and sizes attributes | attribute srcset | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
Embedded <svg> image | element svg | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
<video> element | element video | Gmail, Outlook.com, Yahoo Mail, Outlook for Windows
`;

export const MAIL_FEATURES: readonly MailFeature[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [title = '', by = '', clients = ''] = row.split(' | ');
    return { title, by: by.split(' '), clients: clients.split(', ') };
  });
