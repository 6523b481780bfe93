import { gzipSync } from 'node:zlib';
import { decision, JSON_TYPE, refusedBy, site, type Targets, targetsOf } from '../helpers/http/bodies';
import { type RawRequest, raw } from '../helpers/http/raw';
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
  'text/html',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'json',
  '',
])('the media type %j is refused', async (type) => {
  expect(await refused(JSON.stringify(decision()), { 'Content-Type': type })).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test('a body without a media type is refused', async () => {
  expect(await refused('{}', {})).toEqual([415, 'unsupported_media_type']);
});

test.each(['latin1', 'utf-16', '"iso-8859-1"'])('the charset %s is refused', async (charset) => {
  expect(await refused('{}', { 'Content-Type': `${JSON_TYPE}; charset=${charset}` })).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test.each(['gzip', 'br', 'deflate', 'x'])('the content encoding %s is refused', async (encoding) => {
  const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': encoding };
  expect(await refused(gzipSync(JSON.stringify(decision())), headers)).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test.each([
  `${JSON_TYPE}; charset=utf-8`,
  `${JSON_TYPE};charset="UTF-8"`,
  'Application/JSON',
  `${JSON_TYPE}; charset=us-ascii`,
  `${JSON_TYPE}; x=y`,
])('the media type %s is taken', async (type) => {
  const headers = { 'Content-Type': type };
  const one = await raw(server.url, {
    method: 'POST',
    path: targets.visitor.path,
    headers,
    body: JSON.stringify(decision()),
  });
  const two = await raw(server.url, {
    method: 'POST',
    path: targets.owner.path,
    headers: { ...headers, ...targets.owner.headers },
    body: JSON.stringify(site),
  });
  expect([one.status, two.status]).toEqual([201, 201]);
});

test('owner operations take no text/plain', async () => {
  const headers = { ...targets.owner.headers, 'Content-Type': 'text/plain' };
  const { status } = await raw(server.url, {
    method: 'POST',
    path: targets.owner.path,
    headers,
    body: JSON.stringify(site),
  });
  expect(status).toBe(415);
});

test('a byte-order mark, and a content encoding of identity, do no harm', async () => {
  const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'identity' };
  const { status } = await raw(server.url, {
    method: 'POST',
    path: targets.visitor.path,
    headers,
    body: `\ufeff${JSON.stringify(decision())}`,
  });
  expect(status).toBe(201);
});
