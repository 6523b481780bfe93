// @ts-check
const { AsyncLocalStorage } = require('node:async_hooks');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest looks for on the global object of a suite. */
const NATIVE = {
  'jest-native-promise': Promise,
  'jest-native-now': Date.now.bind(Date),
  'jest-native-read-file': require('node:fs').readFileSync,
  'jest-native-write-file': require('node:fs').writeFileSync,
  'jest-native-exists-file': require('node:fs').existsSync,
};

/**
 * Thrown by the fetch of Node 20, now and then, when an answer is collected as garbage: its registry is called
 * without what it was given (https://github.com/nodejs/node/issues/49344). No test has a part in it.
 * @param {any} error
 */
const isOfNode = ({ message, stack } = {}) =>
  String(message).includes("(reading 'deref')") && String(stack).includes('node:internal/deps/undici');

/**
 * @param {import('@jest/types').Circus.DescribeBlock} block
 * @returns {import('@jest/types').Circus.TestEntry[]}
 */
const testsIn = ({ children }) =>
  children.flatMap((child) => (child.type === 'test' ? [child] : testsIn(child)));

/** What helpers keep for all suites; see kept.ts. */
const KEPT = 'avowKept';

/**
 * All suites of a worker run in its one realm, so that the server and its packages are loaded once and not
 * for each suite. A suite that replaces modules or the clock asks for a realm of its own: `@jest-environment
 * node`.
 */
module.exports = class OneRealm {
  /** Tells the runtime that modules may be shared. */
  sharesModules = true;
  global = globalThis;

  /** @param {import('@jest/environment').JestEnvironmentConfig} config */
  constructor({ projectConfig }) {
    for (const [name, value] of Object.entries(NATIVE)) Reflect.set(globalThis, Symbol.for(name), value);
    this.names = new Set(Reflect.ownKeys(globalThis));
    // What Jest replaces for a suite, and this environment gives back.
    this.before = {
      console: globalThis.console,
      exit: process.exit,
      getBuiltinModule: process.getBuiltinModule,
      env: { ...process.env },
      fetch: globalThis.fetch,
    };
    /** @type {Set<AsyncLocalStorage<unknown>>} */
    this.storages = new Set();
    this.run = AsyncLocalStorage.prototype.run;
    this.moduleMocker = new ModuleMocker(globalThis);
    const timerConfig = {
      idToRef: (/** @type {number} */ id) => id,
      refToId: (/** @type {any} */ ref) => ref,
    };
    this.fakeTimers = new LegacyFakeTimers({
      config: projectConfig,
      global: globalThis,
      moduleMocker: this.moduleMocker,
      timerConfig,
    });
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    const { storages, run } = this;
    AsyncLocalStorage.prototype.run = function (...args) {
      storages.add(this);
      return run.apply(this, args);
    };
  }

  async teardown() {
    // Jest makes one for each suite and never ends it: every promise would carry those of all suites before.
    AsyncLocalStorage.prototype.run = this.run;
    for (const storage of this.storages) storage.disable();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    const { console, exit, getBuiltinModule, env, fetch } = this.before;
    Object.assign(globalThis, { console, fetch });
    Object.assign(process, { exit, getBuiltinModule });
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    // Above all Jest's event handlers: those of this suite would hear, and count, the next one's tests.
    for (const name of Reflect.ownKeys(globalThis))
      if (!this.names.has(name) && name !== KEPT) Reflect.deleteProperty(globalThis, name);
  }

  /**
   * Called after Jest has noted the error.
   * @param {import('@jest/types').Circus.Event} event
   * @param {import('@jest/types').Circus.State} state
   */
  handleTestEvent(event, state) {
    if (event.name !== 'error' || !isOfNode(event.error)) return;
    // Noted with the test that the fetch belonged to, which may not be the one that runs.
    for (const list of [
      state.unhandledErrors,
      ...testsIn(state.rootDescribeBlock).map(({ errors }) => errors),
    ]) {
      const at = list.indexOf(event.error);
      if (at !== -1) list.splice(at, 1);
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
