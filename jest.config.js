/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/helpers/jest/environment.cjs',
  runtime: '<rootDir>/test/helpers/jest/runtime.cjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  transform: { '^.+\\.[tj]s$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
  // Published as ES modules only.
  transformIgnorePatterns: [
    '/node_modules/(?!(jose|openid-client|oauth4webapi|pkijs|asn1js|bytestreamjs|@peculiar/utils|@noble/hashes|htmlparser2|entities|dom(elementtype|handler|utils|-serializer))/)',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^@avow/sdk$': '<rootDir>/sdk/src/index.ts' },
  globalSetup: '<rootDir>/test/helpers/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test/helpers/jest/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/helpers/jest/retries.ts', '<rootDir>/test/helpers/jest/late.ts'],
  testSequencer: '<rootDir>/test/helpers/jest/sequencer.cjs',
  reporters: ['default', '<rootDir>/test/helpers/jest/reporter.cjs'],
  // On a cluster each statement makes more turns, and each suite's database is three.
  testTimeout: process.env.TEST_CLUSTER === '1' ? 120_000 : 30_000,
  // One more than the smallest machine has processors, because many suites mostly wait.
  maxWorkers: 3,
};
