/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  transform: { '^.+\\.[tj]s$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
  // jose is published as ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^@avow/sdk$': '<rootDir>/sdk/src/index.ts' },
  globalSetup: '<rootDir>/test/helpers/global-setup.ts',
  globalTeardown: '<rootDir>/test/helpers/global-teardown.ts',
  testSequencer: '<rootDir>/test/helpers/sequencer.cjs',
  testTimeout: 30_000,
  maxWorkers: 2,
};
