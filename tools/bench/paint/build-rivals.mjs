// @ts-check
// `node build-rivals.mjs FOLDER`: writes one script for each other consent banner, ready to be measured. Their
// packages are no part of the repository: npm installs them into the folder.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const PACKAGES = {
  'vanilla-cookieconsent': '3.1.0',
  klaro: '0.7.22',
  '@c15t/react': '2.2.1',
  '@c15t/ui': '2.2.1',
  c15t: '2.2.1',
  react: '19.3.1',
  'react-dom': '19.3.1',
};

/** Each with its usual texts and three optional categories; styles are put into the page by the script. */
const ENTRIES = {
  cookieconsent: `import * as CookieConsent from 'vanilla-cookieconsent';
import css from 'vanilla-cookieconsent/dist/cookieconsent.css';
document.head.append(Object.assign(document.createElement('style'), { textContent: css }));
const section = (title, linkedCategory) => ({ title, description: 'What these cookies are for, in a sentence or two.', linkedCategory });
CookieConsent.run({
  hideFromBots: false,
  categories: { necessary: { enabled: true, readOnly: true }, functional: {}, analytics: {}, marketing: {} },
  language: { default: 'en', translations: { en: {
    consentModal: { title: 'Your choice on cookies', description: 'We store and read information on your device for the purposes below. You can refuse, and change your choice at any time.', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all', showPreferencesBtn: 'Settings' },
    preferencesModal: { title: 'Privacy settings', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all', savePreferencesBtn: 'Save', closeIconLabel: 'Close', sections: [section('Necessary', 'necessary'), section('Functional', 'functional'), section('Analytics', 'analytics'), section('Marketing', 'marketing')] },
  } } },
});`,
  klaro: `import * as klaro from 'klaro/dist/klaro-no-css';
import css from 'klaro/dist/klaro.css';
document.head.append(Object.assign(document.createElement('style'), { textContent: css }));
const service = (name) => ({ name, title: name, purposes: [name] });
const config = { acceptAll: true, lang: 'en', services: ['functional', 'analytics', 'marketing'].map(service) };
const start = () => klaro.setup(config);
document.readyState === 'loading' ? addEventListener('DOMContentLoaded', start) : start();`,
  c15t: `import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { ConsentBanner, ConsentDialog, ConsentManagerProvider } from '@c15t/react';
import css from '@c15t/ui/styles.css';
document.head.append(Object.assign(document.createElement('style'), { textContent: css }));
const options = { mode: 'offline', consentCategories: ['necessary', 'functionality', 'measurement', 'marketing'] };
const root = document.body.appendChild(document.createElement('div'));
createRoot(root).render(h(ConsentManagerProvider, { options }, h(ConsentBanner), h(ConsentDialog)));`,
};

const folder = process.argv[2] ?? '';
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES }),
);
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});

const styles = {
  name: 'styles',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform: (code, id) =>
    id.endsWith('.css')
      ? { code: `export default ${JSON.stringify(code)};`, moduleType: /** @type {const} */ ('js') }
      : null,
};
for (const [name, entry] of Object.entries(ENTRIES)) {
  const input = join(folder, `${name}-entry.js`);
  writeFileSync(input, entry);
  const build = await rolldown({
    input,
    cwd: folder,
    platform: 'browser',
    plugins: [styles],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  });
  await build.write({ file: join(folder, `${name}.js`), format: 'iife', minify: true, codeSplitting: false });
  await build.close();
}
