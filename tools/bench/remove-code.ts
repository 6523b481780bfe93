import Module from 'node:module';
import { join } from 'node:path';

/** A file of the server, what is taken out of it when it is loaded, and what comes in its place. */
export type Removal = [file: string, code: RegExp, replacement: string];

interface Loaded {
  _compile(code: string, file: string): unknown;
}

/** Takes code out of the server's files when they are loaded: for programs that are loaded first (`--require`). */
export function removeCode(what: string, removals: Removal[]): void {
  const { prototype } = Module as unknown as { prototype: Loaded };
  const compile = prototype._compile;
  prototype._compile = function (this: Loaded, code: string, file: string): unknown {
    let left = code;
    for (const [name, pattern, replacement] of removals) {
      if (!file.endsWith(join('server', 'src', ...name.split('/')))) continue;
      // Without this check the benchmark could compare the server with itself.
      if (!pattern.test(left)) throw new Error(`${what} was not found in ${name}: update the benchmark`);
      left = left.replace(pattern, replacement);
    }
    return compile.call(this, left, file);
  };
}
