// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** Files that are worth compressing before anyone asks for them. */
const COMPRESSIBLE = /\.(js|css|html|svg)$/;

export default defineConfig({
  root: at('.'),
  base: '/console/',
  resolve: { alias: { '@avow/sdk': at('../../sdk/src/index.ts') } },
  css: {
    modules: {
      localsConvention: 'camelCaseOnly',
      generateScopedName: (name, file) =>
        [basename(dirname(file)), basename(file, '.module.css'), name].join('-'),
    },
  },
  build: {
    outDir: at('../../dist/console'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    sourcemap: false,
    target: 'es2022',
    // Nothing inline: the page's policy allows files of this server only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [at('index.html'), at('preview.html')],
      // Packages mark what needs a browser for servers that render; here is no such server.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      // Without debug information, which holds paths of the machine that builds.
      experimental: { attachDebugInfo: 'none' },
      checks: { pluginTimings: false },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
  },
  plugins: [{ name: 'compress', writeBundle: ({ dir }) => compress(dir ?? '') }],
});

/**
 * Writes .gz and .br beside each file, so that the server only has to send them.
 * @param {string} folder
 */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue;
    const file = join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(content));
  }
}
