import { heldChanges } from '../../server/src/domain/auto-blocking/changes';

const rules = (...all: [category: string | null, hosts: string[], vendor?: number][]) => ({
  rules: all.map(([category, hosts, vendor]) => ({
    ...{ category, hosts },
    ...(vendor !== undefined && { vendor }),
  })),
});
const NOTHING = { adds: false, removes: false };

test('what waits is compared, not how it is written', () => {
  const hosts = rules(['marketing', ['a.ads.example', 'b.ads.example']]);
  const domain = rules(['marketing', ['ads.example']]);
  expect(heldChanges(hosts, domain)).toEqual({ adds: true, removes: false });
  expect(heldChanges(domain, hosts)).toEqual({ adds: false, removes: true });
  expect(heldChanges(domain, rules(['marketing', ['ads.example', 'a.ads.example']]))).toEqual(NOTHING);
});

test('another category or vendor is an addition', () => {
  const before = rules(['marketing', ['ads.example'], 1]);
  for (const now of [rules(['analytics', ['ads.example'], 1]), rules(['marketing', ['ads.example'], 2])])
    expect(heldChanges(before, now)).toEqual({ adds: true, removes: false });
});

test('what is let pass below a host takes away what waited there', () => {
  const before = rules(['marketing', ['ads.example', 'ads.example/pixel/', 'x.ads.example']]);
  const now = rules(['marketing', ['ads.example', 'ads.example/pixel/']], [null, ['x.ads.example']]);
  expect(heldChanges(before, now)).toEqual({ adds: false, removes: true });
  const paths = rules(['marketing', ['ads.example']], [null, ['ads.example/pixel/']]);
  expect(heldChanges(before, paths)).toEqual({ adds: false, removes: true });
});
