// Builds the apps and serves them, as a program of its own: `node serve-apps.mjs <apps> <target> <snippet> <origin of
// the banner>`. Prints its port. Every page has a strict policy with a nonce.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buildApps } from './build-apps.mjs';

const [apps, target, snippet, origin] = process.argv.slice(2);
writeFileSync(join(target, 'package.json'), '{"type":"module"}');
const names = await buildApps(apps, target, snippet);
const servers = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await import(join(target, name, 'server.js'))])),
);

const policyOf = (nonce) =>
  [
    ...["default-src 'none'", `script-src 'nonce-${nonce}' 'strict-dynamic'`, "style-src 'self'"],
    ...[`connect-src ${origin}`, "frame-src 'self'", "base-uri 'none'"],
  ].join('; ');

/** The HTML of an app that does not render its own. */
const shell = (nonce, script, inside = '') =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${snippet.replaceAll('<script', `<script nonce="${nonce}"`)}
  <script type="module" src="${script}" nonce="${nonce}"></script></head><body><div id="app">${inside}</div></body></html>`;

async function answerPage(name, way, response) {
  const nonce = randomBytes(12).toString('base64');
  const script = `/${name}/${way}.js`;
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(nonce),
  });
  const { answer, render } = servers[name];
  if (way === 'mount') response.end(shell(nonce, script));
  else if (answer) answer({ nonce, script }, response);
  else response.end(shell(nonce, script, await render()));
}

const server = createServer((request, response) => {
  const [, name, way = ''] = request.url.split('/');
  const send = (type, text) => response.writeHead(200, { 'Content-Type': type }).end(text);
  if (name === 'film') send('text/html', '<!doctype html><title>Film</title>A film');
  else if (name === 'counted.js') send('text/javascript', '(window.ran ??= []).push("counted")');
  else if (!names.includes(name)) response.writeHead(204).end();
  else if (way === 'hydrate' || way === 'mount') void answerPage(name, way, response);
  else send('text/javascript', readFileSync(join(target, request.url)));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port, names })));
