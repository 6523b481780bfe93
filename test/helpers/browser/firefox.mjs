#!/usr/bin/env node
// @ts-check
// A stock Firefox for Playwright, which speaks WebDriver BiDi with it. Before each page Playwright overrides colours
// and motion by a command that extended-support releases do not know yet: that it is unknown is answered as done, so
// that all else can be tried. Tests of dark colours and less motion are not for such a Firefox.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const OVERRIDE = 'emulation.setMediaFeaturesOverride';
const LISTENING = /^WebDriver BiDi listening on (ws:\S+)/;

const firefox = spawn(process.env.AVOW_TEST_FIREFOX ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['inherit', 'inherit', 'pipe'],
});
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => firefox.kill(signal));
firefox.on('exit', (code) => process.exit(code ?? 1));
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, url] = LISTENING.exec(line) ?? [];
  if (url === undefined) process.stderr.write(`${line}\n`);
  else listen(url);
});

/** @param {string} url of Firefox */
function listen(url) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`);
  });
  server.on('connection', (near, request) => {
    const far = new WebSocket(new URL(request.url ?? '/', url), { perMessageDeflate: false });
    /** @type {Promise<unknown>} */
    const open = new Promise((resolve) => far.once('open', resolve));
    /** @type {Set<number>} */
    const overrides = new Set();
    near.on('message', async (data) => {
      const text = String(data);
      if (text.includes(OVERRIDE)) overrides.add(JSON.parse(text).id);
      await open;
      far.send(text);
    });
    far.on('message', (data) => near.send(overrides.size > 0 ? done(String(data), overrides) : String(data)));
    near.on('close', () => far.close());
    far.on('close', () => near.close());
    far.on('error', () => near.close());
  });
}

/**
 * @param {string} text
 * @param {Set<number>} overrides
 */
function done(text, overrides) {
  const { id, error } = JSON.parse(text);
  if (!overrides.delete(id) || error !== 'unknown command') return text;
  return JSON.stringify({ type: 'success', id, result: {} });
}
