import { JSON_TYPE, refusedBy, type Targets, targetsOf } from '../helpers/http/bodies';
import type { RawRequest } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

let targets: Targets;
const server = useServer();
beforeAll(async () => {
  targets = await targetsOf(server);
});

const refused = (
  ...sent: [body: string | Buffer | undefined, headers?: Record<string, string>, more?: Partial<RawRequest>]
) => refusedBy(server, targets, ...sent);

test.each([
  '{',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{}{}',
  '[1',
  'undefined',
  '\u0000',
  '{"a":"\u0001"}',
  '{"a":1}x',
  '  ',
])('the body %j is no JSON', async (body) => {
  expect(await refused(body)).toEqual([400, 'invalid_json']);
});

test.each(['null', '[]', '"text"', '1', 'true'])('the body %s is no object', async (body) => {
  expect(await refused(body)).toEqual([400, 'validation_failed']);
});

test('an empty body is no JSON, with or without a media type', async () => {
  expect(await refused('')).toEqual([400, 'invalid_json']);
  expect(await refused(undefined, {})).toEqual([400, 'invalid_json']);
  expect(await refused('', { 'Content-Type': JSON_TYPE }, { chunked: true })).toEqual([400, 'invalid_json']);
});

test('a body that is not UTF-8 is no JSON', async () => {
  for (const bytes of [
    [0xff, 0xfe, 0x7b, 0x00],
    [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ])
    expect(await refused(Buffer.from(bytes))).toEqual([400, 'invalid_json']);
});
