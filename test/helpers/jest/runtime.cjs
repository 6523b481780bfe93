// @ts-check
const { existsSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join, relative, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = join(__dirname, '..', '..', '..');
const PACKAGES = `${sep}node_modules${sep}`;
/** These keep what belongs to one suite. */
const OWN = /[\\/]node_modules[\\/](@jest|jest-|expect|pretty-format)/;

/**
 * Loads tests and helpers for each suite as Jest does. Packages and the compiled server are loaded by Node
 * itself, once for all suites of a worker, where the suite's environment allows it.
 */
module.exports = class SharingRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} args */
  constructor(...args) {
    super(...args);
    /** @type {any} Jest's own parts have no public types. */
    const { _environment: environment, _resolution: resolution, executor } = /** @type {any} */ (this);
    this.resolution = resolution;
    this.shares = environment.sharesModules === true;
    if (!this.shares) return;
    // Jest compiles into a context of the vm module, and the realm of the process is none.
    executor.compile = (/** @type {string} */ source, /** @type {string} */ filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  /**
   * @template T
   * @param {string} from
   * @param {string} name
   * @returns {T}
   */
  requireModuleOrMock(from, name) {
    const file = this.shares ? this.shared(from, name) : undefined;
    return file === undefined ? super.requireModuleOrMock(from, name) : createRequire(from)(file);
  }

  /**
   * What Node should load in place of a module; undefined for what belongs to the suite.
   * @param {string} from
   * @param {string} name
   * @returns {string | undefined}
   */
  shared(from, name) {
    if (this.resolution.isCoreModule(name)) return undefined;
    /** @type {string} */
    let path;
    try {
      path = this.resolution.resolveCjsStub(from, name) ?? this.resolution.resolveCjs(from, name);
    } catch {
      return undefined;
    }
    if (path.includes(PACKAGES)) return OWN.test(path) ? undefined : name;
    const inside = relative(ROOT, path);
    if (!inside.endsWith('.ts')) return undefined;
    const built = join(ROOT, 'dist', inside.replace(/\.ts$/, '.js'));
    return existsSync(built) ? built : undefined;
  }
};
