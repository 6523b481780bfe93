import { LookUps, type OfSite } from '../../server/src/ingest/look-ups';
import type { Nodes } from '../../server/src/ingest/nodes';

type Question = OfSite & { n: number };

/** Look-ups of one node, and the groups that were read. */
function lookUps(memory = 1_000) {
  const groups: Question[][] = [];
  const nodes = { parted: (questions: Question[]) => [questions] } as unknown as Nodes;
  const nameOf = ({ site, n }: Question): string => `${site.id} ${n}`;
  const read = async (questions: Question[]): Promise<[string, { size: number }][]> => {
    groups.push(questions);
    return questions.map((question) => [nameOf(question), { size: 10 }]);
  };
  return { groups, of: new LookUps<Question, { size: number }>(nodes, { memory, nameOf, read }) };
}

const question = (maker: string, n: number): Question => ({ site: { id: `site of ${maker}`, maker }, n });

test('who names any number of versions waits behind themselves', async () => {
  const { groups, of } = lookUps();
  const many = Array.from({ length: 500 }, (_, n) => of.ask(question('greedy', n)));
  const other = of.ask(question('other', 1));
  await other;
  const first = groups.findIndex((group) => group.some(({ site }) => site.maker === 'other'));
  expect(first).toBe(0);
  await Promise.all(many);
  expect(Math.max(...groups.map((group) => group.length))).toBe(20);
});

test('what others asked stays in memory beside any number of answers to one', async () => {
  const { of } = lookUps(400);
  await of.ask(question('other', 1));
  await Promise.all(Array.from({ length: 500 }, (_, n) => of.ask(question('greedy', n))));
  expect(of.known(question('other', 1))).toEqual({ size: 10 });
  const kept = Array.from({ length: 500 }, (_, n) => of.known(question('greedy', n))).filter(Boolean);
  expect(kept).toHaveLength(39);
});
