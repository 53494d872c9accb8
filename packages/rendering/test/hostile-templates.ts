/** Returns numbers in [0, 1) that depend only on the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The payload of hostile templates: lists, texts and objects of the largest possible event. */
export const HOSTILE_PAYLOAD = {
  list: Array.from({ length: 2_000 }, (_, index) => `value ${index}`),
  numbers: Array.from({ length: 5_000 }, (_, index) => index % 97),
  objects: Array.from({ length: 500 }, (_, index) => ({ a: index % 7, b: `b${index}`, c: { d: [index] } })),
  one: ['x'.repeat(1_000)],
  text: 'lorem <b>ipsum</b> & dolor '.repeat(500),
  markup: '<script<style<!--'.repeat(3_000),
};

type Pick = <Item>(items: readonly Item[]) => Item;

const LISTS = ['payload.list', 'payload.numbers', 'payload.objects', 'payload.one'];
const TEXTS = ['payload.text', 'payload.markup', '"aß😀\u202e"', 'payload.one[0]'];
const HUGE = ['999999999', '9007199254740993', '1e308', '-1', '0', '4294967296', '0.1'];

/** Each creates the pieces of one kind of attack with `n` repetitions. */
const ATTACKS: readonly ((pick: Pick, n: number) => string)[] = [
  (pick, n) => `{% assign a = ${pick(LISTS)} %}${'{% assign a = a | concat: a %}'.repeat(n)}{{ a }}`,
  (pick, n) => `{% assign a = ${pick(LISTS)} %}${'{% assign a = a | push: a %}'.repeat(n)}{{ a | json }}`,
  (pick, n) =>
    `{% assign s = ${pick(TEXTS)} %}${'{% assign s = s | append: s %}'.repeat(n)}{{ s | size }}{{ s }}`,
  (pick, n) => `{% assign s = ${pick(TEXTS)} %}${'{% assign s = s | replace: " ", s %}'.repeat(n)}{{ s }}`,
  (pick, n) =>
    `{% assign s = ${pick(TEXTS)} %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(n)}{% if s > "z" %}{{ s }}{% endif %}`,
  (pick) =>
    `{% for i in (1..${pick(HUGE)}) %}{% for j in (1..${pick(HUGE)}) %}{{ ${pick(LISTS)} }}{% endfor %}{% endfor %}`,
  (pick, n) =>
    `{% for i in (1..${n * 1_000}) %}{% assign a = ${pick(LISTS)} | ${pick(['sort', 'uniq', 'reverse', 'compact', 'sort_natural'])} | join: ${pick(TEXTS)} | split: "" %}{% endfor %}`,
  (pick, n) =>
    `{% for i in (1..${n * 1_000}) %}{{ payload.objects | ${pick(['map: "c"', 'where: "a", 3', 'group_by: "a"', 'sum: "a"', 'sort: "b"', 'find: "a", 6', 'reject: "a", 1'])} | json }}{% endfor %}`,
  (pick, n) =>
    `{% for i in (1..${n * 100}) %}{{ ${pick(TEXTS)} | ${pick(['strip_html', 'escape', 'url_encode', 'newline_to_br', 'strip_newlines', 'truncatewords: 99999', 'slugify', 'normalize_whitespace', 'xml_escape', 'base64_encode', 'cgi_escape'])} }}{% endfor %}`,
  (pick) =>
    `{{ ${pick(TEXTS)} | append: payload.markup | append: payload.markup | append: payload.markup | strip_html | size }}`,
  (pick) =>
    `{{ timestamp | date: "${pick(['%9999999d', '%99999999Y', '%-999999999L', '%999999N', '%^#%', '%'])}" }}${'{{ "now" | date: "%99999s" }}'.repeat(40)}`,
  (pick, n) =>
    `{{ ${pick(HUGE)}${` | times: ${pick(HUGE)}`.repeat(n)} | round: ${pick(HUGE)} }}{{ ${pick(HUGE)} | divided_by: 0 }}`,
  (pick, n) =>
    `${`{% ${pick(['if true', 'unless false', 'for i in (1..2)', 'case 1'])} %}`.repeat(n * 400)}x`,
  (pick, n) =>
    `${'{% if true %}{% for i in (1..3) %}'.repeat(n * 3)}{{ ${pick(TEXTS)} }}${'{% endfor %}{% endif %}'.repeat(n * 3)}`,
  (pick, n) =>
    `{{ "x" ${`| ${pick(['append: "x"', 'prepend: payload.text', 'split: "" | join: "--"', 'upcase'])} `.repeat(n * 50)}}}`,
  (pick, n) => '{{ payload.absent }}'.repeat(n * 500) + pick(TEXTS),
  (pick, n) =>
    `{% tablerow i in ${pick(LISTS)} cols:${pick(HUGE)} %}{{ ${pick(TEXTS)} }}{% endtablerow %}`.repeat(n),
  (pick, n) =>
    `{% assign a = ${pick(TEXTS)} | split: "" %}${'{% assign b = a | concat: a | where_exp: "i", "i != nil" %}'.repeat(n)}{{ b | inspect }}`,
  (pick, n) => `${'<a href="x"><b '.repeat(n * 1_000)}{{ ${pick(TEXTS)} }}`,
  (pick, n) =>
    `{{ payload.list | slice: ${pick(HUGE)}, ${pick(HUGE)} }}{{ ${pick(TEXTS)} | slice: 0, ${pick(HUGE)} | replace_first: "", payload.text }}`.repeat(
      n,
    ),
];

/** The html of a hostile template, always the same for the same number. */
export function hostileTemplate(number: number): string {
  const random = createRandom(number + 1);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)] as (typeof items)[number];
  const parts = 1 + Math.floor(random() * 3);
  const attacks = Array.from({ length: parts }, (_, part) =>
    part === 0 ? (ATTACKS[number % ATTACKS.length] as (typeof ATTACKS)[number]) : pick(ATTACKS),
  );
  return attacks.map((attack) => attack(pick, 1 + Math.floor(random() * 24))).join('\n');
}
