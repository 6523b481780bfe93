import { Line } from '../../server/src/ingest/line';

const BOUNDS = { maxGroup: 20, maxGroupWeight: Infinity, maxWaiting: 5_000, maxWaitingWeight: Infinity };

test('however many senders have more waiting than a group holds, each is in every so many groups', () => {
  const line = new Line(BOUNDS);
  const senders = Array.from({ length: 50 }, (_, n) => `sender ${n}`);
  const put = (sender: string) => line.add({ sender, weight: 1, since: 0 });
  for (let n = 0; n < 40; n += 1) for (const sender of senders) put(sender);
  put('late');
  const groups: string[][] = [];
  for (let n = 0; n < 12; n += 1) {
    const group = line.next().map(({ sender }) => sender);
    groups.push(group);
    // Whoever was served asks for as much again.
    for (const sender of group) if (sender !== 'late') put(sender);
  }
  expect(groups.findIndex((group) => group.includes('late'))).toBe(2);
  // 50 senders and one more: each has had a place in each three groups, but for the last round.
  for (const sender of senders)
    expect(groups.filter((group) => group.includes(sender)).length).toBeGreaterThanOrEqual(4);
});

test('whoever has more waiting than one is not put behind all that come anew', () => {
  const line = new Line(BOUNDS);
  const put = (sender: string) => line.add({ sender, weight: 1, since: 0 });
  const others = Array.from({ length: 20 }, (_, n) => `sender ${n}`);
  for (let n = 0; n < 1_000; n += 1) put('busy');
  for (const sender of others) put(sender);
  let served = 0;
  for (let n = 0; n < 100; n += 1) {
    const group = line.next().map(({ sender }) => sender);
    served += group.filter((sender) => sender === 'busy').length;
    // Each of them asks once more when it is answered.
    for (const sender of group) if (sender !== 'busy') put(sender);
  }
  expect(served).toBeGreaterThan(90);
});

test('nothing is remembered of senders that wait no more', () => {
  const line = new Line({ ...BOUNDS, maxGroup: 1 });
  for (let n = 0; n < 100; n += 1) line.add({ sender: `sender ${n}`, weight: 1, since: 0 });
  while (line.length > 0) line.next();
  expect((line as unknown as { served: Map<string, number> }).served.size).toBe(0);
});
