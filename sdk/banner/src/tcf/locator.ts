import { beFound as beFoundAs, type Callback } from '../locator.js';

export type TcfApi = (
  command?: string,
  version?: number,
  callback?: Callback,
  parameter?: unknown,
) => unknown;

/** The window, as scripts of vendors know it. */
export const host = window as unknown as { __tcfapi?: TcfApi; frames: Record<string, unknown> };

interface Call {
  command?: string;
  version?: number;
  parameter?: unknown;
}

/** Frames may call it, too. */
export const beFound = (): void =>
  beFoundAs<Call>('__tcfapi', ({ command, version, parameter }, answer) =>
    host.__tcfapi?.(command, version, answer, parameter),
  );
