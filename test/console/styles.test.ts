import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { harbourBooks } from '../helpers/console/harbour';
import { parse, type Selector, type Stylesheet, stylesheets, uses } from '../helpers/console/stylesheets';

jest.setTimeout(120_000);

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const isPage = ({ name }: { name: string }): boolean => name.startsWith('pages/');
/** The preview is a document of its own. */
const isKit = ({ name }: { name: string }): boolean => !isPage({ name }) && name !== 'preview.css';
const sheets = stylesheets();

/** The stylesheets of the kit that each class belongs to: where it stands alone, or else where it is named. */
function homes(kit: readonly Stylesheet[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const add = (name: string, sheet: string) => all.set(name, (all.get(name) ?? new Set()).add(sheet));
  const each = (of: (selector: Selector, name: string) => void) => {
    for (const { name, selectors } of kit) for (const selector of selectors) of(selector, name);
  };
  each(({ alone, first, own }, name) => {
    if (alone && first[0] !== undefined && first[0] === own[0]) add(first[0], name);
  });
  const alone = new Set(all.keys());
  each(({ first, own }, name) => {
    for (const one of first) if (own.includes(one) && !alone.has(one)) add(one, name);
  });
  return all;
}

/** Classes that two stylesheets style, and rules that belong to no class of their own stylesheet. */
function strays(kit: readonly Stylesheet[]): string[] {
  const owners = homes(kit);
  const doubles = [...owners].filter(([, files]) => files.size > 1);
  const loose = kit
    .filter(({ name }) => name !== 'ui/base.css')
    .flatMap(({ name, selectors }) =>
      selectors
        // The frame owns the element of the main content.
        .filter(
          ({ text, own }) =>
            !text.startsWith('#main') &&
            !text.startsWith('main') &&
            !own.some((one) => owners.get(one)?.has(name)),
        )
        .map(({ text }) => `${name}: ${text}`),
    );
  return [...doubles.map(([name, files]) => `.${name} in ${[...files].join(' and ')}`), ...loose];
}

/** Rules of a page that would reach another page. */
const unscoped = (pages: readonly Stylesheet[]): string[] =>
  pages.flatMap(({ name, selectors, namelessPages }) => [
    ...(name.endsWith('.module.css') ? [] : [`${name} is no module`]),
    ...selectors.filter(({ own }) => own.length === 0).map(({ text }) => `${name}: ${text}`),
    // A module renames ids, too, so that the rule is of nothing.
    ...selectors
      .filter(({ text }) => /#/.test(text.replaceAll(/:global\([^)]*\)/g, '')))
      .map(({ text }) => `${name}: an id without :global(): ${text}`),
    ...(namelessPages > 0 ? [`${name}: @page without a name`] : []),
  ]);

describe('styles', () => {
  test('a style of a page stays on it: its stylesheet is a module, and each of its rules needs a class of it', () => {
    expect(unscoped(sheets.filter(isPage))).toEqual([]);
  });

  test('a class of the kit is styled in one place', () => {
    expect(strays(sheets.filter(isKit))).toEqual([]);
    const moving = sheets.flatMap(({ keyframes }) => keyframes);
    expect(new Set(moving).size).toBe(moving.length);
  });

  test('pages name only classes that are there, and no class is left that nobody names', () => {
    const known = new Set(
      sheets.filter(isKit).flatMap(({ selectors }) => selectors.flatMap(({ own }) => own)),
    );
    const modules = new Map(
      sheets
        .filter(({ name }) => name.endsWith('.module.css'))
        .map(({ name, selectors }) => [name, new Set(selectors.flatMap(({ own }) => own.map(camel)))]),
    );
    const all = uses();
    const unknown = all
      .filter(isPage)
      .flatMap(({ name, words, module, taken, plain }) => [
        ...words
          .filter((word) => !known.has(word))
          .map((word) => `${name}: "${word}" is no class of the kit`),
        ...taken
          .filter((one) => module !== null && !modules.get(module)?.has(one))
          .map((one) => `${name}: style.${one} is missing`),
        ...plain.filter((path) => isPage({ name: path })).map((path) => `${name} imports ${path}`),
      ]);
    expect(unknown).toEqual([]);
    const unused = [...modules].flatMap(([name, classes]) => {
      const taken = new Set(all.filter(({ module }) => module === name).flatMap((use) => use.taken));
      return [...classes].filter((one) => !taken.has(one)).map((one) => `${name}: .${one}`);
    });
    expect(unused).toEqual([]);
    const foreign = sheets.filter(isPage).flatMap(({ selectors }) => selectors.flatMap((one) => one.foreign));
    expect(foreign.filter((one) => !known.has(one))).toEqual([]);
  });

  test('the rules find what they look for', () => {
    const page = parse(
      'pages/a/a.module.css',
      ':global(.form) p { color: red } .a #b, .a :global(#b) { gap: 0 } @page { margin: 0 }',
    );
    expect(unscoped([page, parse('pages/a/b.css', '.x { color: red }')])).toEqual([
      'pages/a/a.module.css: :global(.form) p',
      'pages/a/a.module.css: an id without :global(): .a #b',
      'pages/a/a.module.css: @page without a name',
      'pages/a/b.css is no module',
    ]);
    const first = parse('ui/a.css', '.filters { gap: 0 } @media print { .filters > *, table { gap: 0 } }');
    expect(strays([first, parse('ui/b.css', '.filters { gap: 1px } .filters > p { gap: 0 }')])).toEqual([
      '.filters in ui/a.css and ui/b.css',
      'ui/a.css: table',
    ]);
  });
});

describeInBrowser('styles in the browser', () => {
  const kit = useConsole();

  test('a page looks the same, whichever page was there before', async () => {
    const owner = await kit.server.person();
    const site = `/sites/${await harbourBooks(kit.server, owner, { events: 200, days: 5 })}`;
    const stats = (name: string) =>
      `[aria-label="${name}"] :has(> .stat), [aria-label="${name}"]:has(> .stat)`;
    const places = [
      ['', stats('Last 30 days')],
      ['/analytics', stats('Totals')],
      ['/consents', 'search form > div'],
      ['/analytics', '#main > form > div'],
    ] as const;
    const look = (selector: string) =>
      `(() => { const { display, gap, gridTemplateColumns, marginBottom } = getComputedStyle(document.querySelector(${JSON.stringify(selector)}));
        return [display, gap, gridTemplateColumns, marginBottom].join(' | '); })()`;
    const alone: unknown[] = [];
    for (const [path, selector] of places) {
      const page = await kit.open(`${site}${path}`, { as: owner });
      await page.locator(selector).first().waitFor();
      alone.push(await page.evaluate(look(selector)));
    }
    const page = await kit.open(site, { as: owner });
    const go = async (path: string, selector: string) => {
      await page.locator(`nav a[href$="${site}${path}"]`).click();
      await page.locator(selector).first().waitFor();
    };
    for (const [path, selector] of [...places, ...places]) await go(path, selector);
    const after: unknown[] = [];
    for (const [path, selector] of places) {
      await go(path, selector);
      after.push(await page.evaluate(look(selector)));
    }
    expect(after).toEqual(alone);
  });
});
