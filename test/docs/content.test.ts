import { loadContract } from '../../server/src/contract/operations';
import { isValid } from '../contract-fuzz/values';
import { builtPages, idsOf, textOf } from '../helpers/docs/site';

const { operations, document } = loadContract();
const pages = builtPages();
const pageOf = (path: string): string => pages.find((page) => page.path === path)?.html ?? '';

test('every internal link leads to a page, and every anchor to something on it', () => {
  const ids = new Map(pages.map(({ path, html }) => [path, new Set(idsOf(html))]));
  const served = ['/openapi.yaml', '/openapi.json'];
  const broken: string[] = [];
  for (const { path, html } of pages) {
    for (const [, href] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const link = (href as string).replaceAll('&amp;', '&');
      if (/^(https?|mailto):/.test(link) || served.includes(link) || /\.(md|txt)$/.test(link)) continue;
      // The console is a page of the same server, and not of the documentation.
      if (link.startsWith('/console')) continue;
      const [address = '', anchor] = link.split('#');
      const target = address === '' ? path : address.replace(/^\/docs\/?/, '');
      const known = ids.get(target);
      if (known === undefined || (address !== '' && !address.startsWith('/docs')))
        broken.push(`${path}: ${link}`);
      else if (anchor !== undefined && !known.has(decodeURIComponent(anchor)))
        broken.push(`${path}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('no id is on a page twice', () => {
  for (const { path, html } of pages) {
    const ids = idsOf(html);
    expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []]);
  }
});

test.each(operations)('$id is there with its address, parameters, answers and samples', (operation) => {
  const { id, method, path, parameters } = operation;
  const item = document.paths[path][method.toLowerCase()];
  const html = pageOf(`api/${item.tags[0].toLowerCase()}`);
  const section =
    html.split('<section class="operation">').find((part) => part.includes(`<h2 id="${id}">`)) ?? '';
  const text = textOf(section);
  expect(text).toContain(`${method} ${path}`);
  for (const line of item.description.replaceAll('`', '').split('\n')) expect(text).toContain(line.trim());
  for (const { name } of parameters)
    expect(section).toMatch(new RegExp(`id="${id}\\.(path|query|header)\\.${name}"`));
  for (const status of Object.keys(item.responses))
    expect(section).toMatch(new RegExp(`class="status s\\d">${status}<`));
  expect(text).toContain(`avow.${id}`);
  expect(text).toMatch(/curl /);
  const body = item.requestBody?.content['application/json'];
  for (const name of Object.keys(body?.example ?? {})) expect(idsOf(section)).toContain(`${id}.body.${name}`);
});

test.each(Object.keys(document.webhooks))(
  '%s is there with every field of its payload and an example',
  (event) => {
    const schema =
      document.components.schemas[
        document.webhooks[event].post.requestBody.content['application/json'].schema.$ref.split('/').pop()
      ];
    const html = pageOf('webhooks');
    const section =
      html.split('<section class="operation">').find((part) => part.includes(`>${event} <a`)) ?? '';
    const anchor = event.replaceAll(/[._]/g, '-');
    for (const name of Object.keys(schema.properties)) expect(idsOf(section)).toContain(`${anchor}.${name}`);
    expect(textOf(section)).toContain(`"event": "${event}"`);
    expect(isValid(schema, schema.examples[0])).toBe(true);
  },
);

test('every error code is explained, with what to do', () => {
  const text = pageOf('errors');
  for (const code of document.components.schemas.ErrorCode.enum) {
    const section =
      text.split('<section class="error-code">').find((part) => part.includes(`<h3 id="${code}">`)) ?? '';
    const [own = ''] = section.split('</section>');
    expect([code, /class="status s[45]">\d{3}</.test(own)]).toEqual([code, true]);
    // Meaning and remedy are two paragraphs, and none is empty.
    expect([code, (own.match(/<p>[^<\s]/g) ?? []).length]).toEqual([code, 2]);
  }
});
