import { existsSync } from 'node:fs';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { compile } from 'svelte/compiler';
import { build } from 'vite';

// Only then frameworks tell what they find wrong.
process.env.NODE_ENV = 'development';

const svelte = {
  name: 'svelte',
  transform(code, id, { ssr } = {}) {
    if (!id.endsWith('.svelte')) return;
    return compile(code, { filename: id, generate: ssr ? 'server' : 'client', dev: true }).js;
  },
};
const react18 = ['react', 'react-dom'].map((name) => ({
  find: new RegExp(`^${name}(?=/|$)`),
  replacement: `${name}-18`,
}));
const APPS = {
  'react-19': { folder: 'react', ending: 'jsx' },
  'react-18': { folder: 'react', ending: 'jsx', alias: react18 },
  vue: { folder: 'vue', ending: 'js', plugins: [vue()] },
  svelte: { folder: 'svelte', ending: 'js', plugins: [svelte] },
};

/**
 * Builds each app twice: `hydrate.js` and `mount.js` for browsers, `server.js` for the server. Resolves to their
 * names.
 */
export async function buildApps(apps, target, snippet) {
  for (const [name, { folder, ending, alias = [], plugins = [] }] of Object.entries(APPS)) {
    const root = join(apps, folder);
    const make = (names, options) =>
      build({
        ...{ root, plugins, configFile: false, mode: 'development', logLevel: 'warn', publicDir: false },
        resolve: { alias },
        define: { SNIPPET: JSON.stringify(snippet) },
        build: {
          ...{ outDir: join(target, name), emptyOutDir: false, minify: false },
          ...options,
          rolldownOptions: {
            input: Object.fromEntries(names.map((one) => [one, join(root, `${one}.${ending}`)])),
            output: { entryFileNames: '[name].js' },
          },
        },
        ssr: { noExternal: true },
      });
    await make(['hydrate', 'mount'], { modulePreload: false });
    await make(['server'], { ssr: true });
    if (!existsSync(join(target, name, 'server.js'))) throw new Error(`${name} was not built`);
  }
  return Object.keys(APPS);
}
