import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'lightningcss';
import { Liquid } from 'liquidjs';
import { parse } from 'yaml';
import { loadContract } from '../../server/src/contract/operations';
import { isValid } from '../contract-fuzz/values';
import { guides, samplesIn } from './guide-files';

// What a guide shows and nobody can run as it stands is checked as far as it can be.

/** A body that a sample sends with curl, and where to. */
const REQUEST = /-X (\w+) "\$URL([^"?]*)[^"]*"[\s\S]*? -d '(\{[\s\S]*?\})'/g;

test('whatever a sample sends is what the contract takes', () => {
  const { document, match } = loadContract();
  const sent = samplesIn('sh').flatMap(({ place, code }) =>
    Array.from(code.matchAll(REQUEST), ([, method = '', path = '', body = '']) => {
      const { operation } = match(method, path.replace('$SITE', 'env_0123456789abcdefghijAB'));
      const { requestBody } = document.paths[operation.path][method.toLowerCase()];
      return [place, isValid(requestBody.content['application/json'].schema, JSON.parse(body))];
    }),
  );
  expect(sent.length).toBeGreaterThan(4);
  expect(sent.filter(([, valid]) => !valid)).toEqual([]);
});

describe('what is not run', () => {
  test.each(samplesIn('json'))('$place is JSON', ({ code }) => {
    expect(typeof JSON.parse(code)).toBe('object');
  });

  test.each(samplesIn('yaml'))('$place is YAML, and asks for operations that exist', ({ code }) => {
    parse(code);
    const ids = loadContract().operations.map(({ id }) => id as string);
    const named = Array.from(code.matchAll(/operation=~?"([^"]+)"/g), ([, list = '']) =>
      list.split('|'),
    ).flat();
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(samplesIn('nginx'))(
    '$place is complete: every directive ends, every block closes',
    ({ code }) => {
      const lines = code.split('\n').filter((line) => line.trim() !== '');
      expect(lines.filter((line) => !/[;{}]$/.test(line))).toEqual([]);
      expect(code.split('{').length).toBe(code.split('}').length);
    },
  );

  test.each(samplesIn('nginx').filter(({ code }) => /proxy_pass https:/.test(code)))(
    '$place passes no cookie and no login of the site on to another host',
    ({ code }) => {
      for (const name of ['Cookie', 'Authorization'])
        expect(code).toMatch(new RegExp(`^ *proxy_set_header ${name} "";$`, 'm'));
    },
  );

  test.each(samplesIn('ini'))('$place holds sections and settings', ({ code }) => {
    expect(code.split('\n').filter((line) => !/^(|\[\w+\]|\w+=.+)$/.test(line))).toEqual([]);
  });

  test.each(samplesIn('css'))('$place sets properties and parts that the banner has', ({ code }) => {
    transform({ filename: 'sample.css', code: Buffer.from(code) });
    const sources = (folder: string, end: string): string => {
      const path = join(__dirname, '../../sdk/banner', folder);
      const files = readdirSync(path).filter((name) => name.endsWith(end));
      return files.map((name) => readFileSync(join(path, name), 'utf8')).join('');
    };
    const set = Array.from(code.matchAll(/(--[\w-]+):/g), ([, name]) => `var(${name}`);
    const parts = Array.from(code.matchAll(/::part\(([\w-]+)\)/g), ([, name]) => `'${name}'`);
    expect(set.length + parts.length).toBeGreaterThan(0);
    const [styles, named] = [sources('styles', '.css'), sources('src', 'design.ts')];
    expect(set.filter((name) => !styles.includes(name))).toEqual([]);
    expect(parts.filter((name) => !named.includes(name))).toEqual([]);
  });

  test.each(samplesIn('liquid'))('$place renders a snippet that there is', ({ code }) => {
    const root = join(__dirname, '../../sdk/integrations/shopify/snippets');
    const rendered = new Liquid({ root, extname: '.liquid', strictFilters: true }).parseAndRenderSync(code);
    expect(rendered).toContain('<script>');
  });

  test.each(['swift', 'kotlin', 'jsx'].flatMap(samplesIn))(
    '$place closes what it opens, and knows the bridge',
    ({ code }) => {
      for (const [open, close] of ['{}', '()', '[]'] as unknown as [string, string][])
        expect(code.split(open).length).toBe(code.split(close).length);
      const bridge = readFileSync(join(__dirname, '../../sdk/integrations/webview/bridge.js'), 'utf8');
      const used = Array.from(code.matchAll(/\bavow\w*/g), ([name]) => name);
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((name) => !new RegExp(`\\b${name}\\b`).test(bridge))).toEqual([]);
    },
  );

  test('no other language is shown', () => {
    const checked = [
      ...['liquid', 'swift', 'kotlin', 'jsx'],
      'ts',
      'tsx',
      'js',
      'sh',
      'python',
      'go',
      'json',
      'yaml',
      'nginx',
      'ini',
      'html',
      'css',
      'text',
    ];
    const languages = new Set(guides.flatMap(({ samples }) => samples.map(({ language }) => language)));
    expect([...languages].filter((language) => !checked.includes(language))).toEqual([]);
  });
});
