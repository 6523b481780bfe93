import { gzipSync } from 'node:zlib';
import { loadProgram } from '../../../server/src/bundles/load-program';
import { assembleBundle, weigh } from '../../../server/src/domain/banner/assemble';
import { runToEnd } from '../../../server/src/domain/run-to-end';
import { defaultSettings } from '../../../server/src/domain/settings';
import type { BundleOptions } from '../../../server/src/domain/types';
import type { Figure } from '../figure';
import { median } from '../numbers';

/**
 * The time to make a bundle from the settings, including hash, integrity and compressed size, but without the
 * database.
 */
export const generation: Figure = {
  name: 'generation',
  async run({ report, quick }) {
    const rounds = quick ? 50 : 500;
    const languages = Object.keys(loadProgram().texts);
    const one = make({}, ['en']);
    const all = make({ texts: 'all' }, languages);
    report.outcome('generation', 'ms to make a bundle of one language', timed(rounds, one), { most: 20 });
    report.outcome(
      'generation',
      `ms to make a bundle with the texts of ${languages.length}`,
      timed(rounds / 5, all),
    );
    report.outcome('generation', 'KiB of a script of one language, gzip', one().gzipBytes / 1024, {
      most: 12,
    });
  },
};

const make = (options: BundleOptions, languages: string[]) => () => {
  const made = runToEnd(
    assembleBundle(
      {
        token: 'env_0123456789012345678901',
        server: 'https://consent.example.com',
        settings: { ...defaultSettings(), languages },
        settingsVersion: 1,
        options,
        vendors: [],
        scanned: [],
        domains: [],
      },
      loadProgram(),
    ),
  );
  return weigh(made, gzipSync(made.script, { level: 9 }).length);
};

/** The median time of `work`, in milliseconds. */
function timed(rounds: number, work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
