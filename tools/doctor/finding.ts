import type { Config } from '../../server/src/config';

/** What a check found: fine, worth a thought, or in need of repair. */
export interface Finding {
  mark: '✓' | '!' | '✗';
  /** One line; never holds a secret. */
  text: string;
}

/** Looks at one matter of the installation. */
export type Check = (config: Config) => Promise<Finding[]>;

export const fine = (text: string): Finding => ({ mark: '✓', text });
export const warning = (text: string, advice: string): Finding => ({ mark: '!', text: `${text}: ${advice}` });
export const broken = (text: string, advice: string): Finding => ({ mark: '✗', text: `${text}: ${advice}` });
