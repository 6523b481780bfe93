// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** The languages of the banner's built-in texts: one file each. */
const languages = readdirSync(at('../../sdk/banner/texts'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => basename(name, '.json'))
  .sort();

/** Files that are compressed at build time. */
const COMPRESSIBLE = /\.(js|css|html|svg)$/;

export default defineConfig({
  root: at('.'),
  base: '/console/',
  define: { __BANNER_LANGUAGES__: JSON.stringify(languages) },
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
    // Nothing inline: the page's Content-Security-Policy allows only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [at('index.html'), at('preview.html')],
      // Packages mark browser-only modules for server rendering, which is not used here.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      // Without debug information, which would contain local paths.
      experimental: { attachDebugInfo: 'none' },
      checks: { pluginTimings: false },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
  },
  plugins: [{ name: 'compress', writeBundle: ({ dir }) => compress(dir ?? '') }],
});

/**
 * Writes .gz and .br files beside each file, so that the server only has to send them.
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
