import type { Config } from '../../src/config';

/** The result of a check: fine, a warning, or a failure. */
export interface Finding {
  mark: '✓' | '!' | '✗';
  /** One line; never holds a secret. */
  text: string;
}

/** Checks one part of the installation. */
export type Check = (config: Config) => Promise<Finding[]>;

export const fine = (text: string): Finding => ({ mark: '✓', text });
export const warning = (text: string, advice: string): Finding => ({ mark: '!', text: `${text}: ${advice}` });
export const broken = (text: string, advice: string): Finding => ({ mark: '✗', text: `${text}: ${advice}` });
