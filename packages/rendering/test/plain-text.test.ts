import { describe, expect, it } from '@postrider/testing';
import { compileMjml } from '../src/mjml.ts';
import { toPlainText } from '../src/plain-text.ts';

const ORDER = `<table>
  <thead><tr><th>Item</th><th>Qty</th><th>Price</th></tr></thead>
  <tbody>
    <tr><td>Blue shirt</td><td>2</td><td>€19.90</td></tr>
    <tr><td><p>Red <b>scarf</b></p></td><td><div><p>1</p></div></td><td>€5.00</td></tr>
    <tr><td colspan="2"></td><td>€44.80</td></tr>
  </tbody>
</table>`;

/** Preheaders as senders write them. */
const HIDDEN = [
  '<div style="display:none">secret</div>',
  '<div style="DISPLAY : None !important; color:#fff">secret</div>',
  '<span style="mso-hide:all">secret</span>',
  '<div style="max-height:0px;overflow:hidden">secret</div>',
  '<div style="opacity: 0.0">secret</div>',
  '<div style="opacity:.00">secret</div>',
  '<div style="visibility:hidden">secret</div>',
  '<div style="font-size:0">secret &amp; <i>more</i></div>',
  '<div hidden>secret <a href="https://x.example/hidden">secret</a><img alt="secret"></div>',
  '<table><tr hidden><td>secret<tr><td></table>',
  '<p hidden>secret<p>',
  '<div style="display:none">secret<div style="display:none">secret</div>secret</div>',
];

/** Looks like the above, and is shown. */
const SHOWN = [
  '<div style="display:block">shown</div>',
  '<div style="max-height:0.5em">shown</div>',
  '<div style="opacity:0.9">shown</div>',
  '<div style="font-size:0"><span style="font-size:13px">shown</span></div>',
  '<div style="background:url(display:none)">shown</div>',
];

describe('the text that is derived from HTML', () => {
  it('keeps the case of headings, in which there are codes', () => {
    const html = [1, 2, 3, 4, 5, 6].map((level) => `<h${level}>Your code: a7Xk</h${level}>`).join('');
    expect(toPlainText(html).match(/Your code: a7Xk/g)).toHaveLength(6);
  });

  it('has a line for each term and description of a list', () => {
    expect(toPlainText('<dl><dt>Order<dd>A-1001<dt>Total<dd>€5.00</dl>')).toBe('Order\nA-1001\nTotal\n€5.00');
  });

  it('has a line for each row of a table, with spaces between the cells', () => {
    expect(toPlainText(ORDER).split('\n')).toEqual([
      'Item Qty Price',
      'Blue shirt 2 €19.90',
      'Red scarf 1 €5.00',
      '€44.80',
    ]);
  });

  it('keeps what is around a table and the paragraphs of a layout apart', () => {
    const html = `<table><tr><td><h1>Shop</h1><p>Dear Ada,</p><p>thanks.</p>${ORDER}</td></tr></table><p>Bye</p>`;
    expect(toPlainText(html)).toBe(
      'Shop\n\nDear Ada,\n\nthanks.\n\nItem Qty Price\nBlue shirt 2 €19.90\nRed scarf 1 €5.00\n€44.80\n\nBye',
    );
  });

  it.each(HIDDEN)('leaves out what nobody sees: %s', (hidden) => {
    expect(toPlainText(`<body><p>Before</p>${hidden}<p>After</p></body>`).split(/\n+/)).toEqual([
      'Before',
      'After',
    ]);
  });

  it('reads a style of many zeros in linear time', () => {
    expect(toPlainText(`<div style="opacity:${'0'.repeat(300_000)}!">shown</div>`)).toBe('shown');
  });

  it.each(SHOWN)('keeps what is shown: %s', (shown) => {
    expect(toPlainText(shown)).toBe('shown');
  });

  it('keeps a button that is hidden from Outlook alone', () => {
    const button = '<a href="https://x.example/pay" style="color:#fff;mso-hide:all">Pay</a>';
    expect(toPlainText(button)).toBe('Pay [https://x.example/pay]');
  });

  it('has the alternative text of images', () => {
    const logo = '<a href="https://x.example"><img src="cid:logo" alt="Shop"></a>';
    const html = `${logo}<p>Your size: <img src="a.png" alt="L"><img src="b.png" alt="XL"><img src="c.png" alt=""><img src="d.png"></p>`;
    expect(toPlainText(html)).toBe('Shop [https://x.example]\n\nYour size: L XL');
  });

  it('has the text of compiled MJML without its preview', async () => {
    const compiled = await compileMjml(`<mjml><mj-head><mj-preview>secret</mj-preview></mj-head><mj-body>
      <mj-section><mj-column><mj-image src="https://x.example/a.png" alt="Shop"/><mj-text>Dear Ada,</mj-text></mj-column></mj-section>
      <mj-section><mj-column><mj-table><tr><th>Item</th><th>Qty</th></tr><tr><td>Shirt</td><td>2</td></tr></mj-table>
        <mj-button href="https://x.example/pay">Pay</mj-button></mj-column></mj-section></mj-body></mjml>`);
    if (compiled.outcome === 'invalid') throw new Error(JSON.stringify(compiled.issues));
    expect(toPlainText(compiled.html).split(/\n+/)).toEqual([
      ...['Shop', 'Dear Ada,', 'Item Qty', 'Shirt 2', 'Pay [https://x.example/pay]'],
    ]);
  });
});
