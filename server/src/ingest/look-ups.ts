import { SharedMemory } from '../domain/memory';
import { GroupQueue, type Shares } from './group-queue';
import type { Nodes } from './nodes';
import type { Site } from './site';

/** Questions of visitors that one query answers, and that may wait for the next one: one of a few is soon answered. */
const LOOK_UP = { maxGroup: 20, maxWaiting: 5_000, maxAge: 3_500 };

/** A question says of which site it is. */
export interface OfSite {
  site: Pick<Site, 'id' | 'maker'>;
  place?: number;
}

export const ofSite = ({ id, maker, place }: Site): OfSite => ({
  site: { id, maker },
  ...(place === undefined ? {} : { place }),
});

/** Whoever made a site could name any of its versions: makers take turns. */
const SHARES: Shares<OfSite> = {
  of: ({ site }) => ({ sender: site.maker, weight: 1, yields: false }),
  maxGroupWeight: Number.POSITIVE_INFINITY,
  maxWaitingWeight: Number.POSITIVE_INFINITY,
};

interface How<Question, Found> {
  /** Bytes of answers that are kept. */
  memory: number;
  /** The same for the same question. */
  nameOf(question: Question): string;
  /** Answers by the names of their questions; there is none for what does not exist. */
  read(questions: Question[]): Promise<[name: string, found: Found][]>;
}

/** Answers from the database that never change: read once, and kept up to a number of bytes. */
export class LookUps<Question extends OfSite, Found extends { size: number }> {
  /** What does not exist is not kept: it may come. */
  private readonly kept: SharedMemory<Found>;
  /** How often everything was forgotten. */
  private forgotten = 0;
  /** In groups, one after the other: a flood of invented questions takes one connection. */
  private readonly queue = new GroupQueue({
    work: (questions: Question[]) => this.read(questions),
    ...LOOK_UP,
    shares: SHARES,
  });

  constructor(
    private readonly nodes: Nodes,
    private readonly how: How<Question, Found>,
  ) {
    this.kept = new SharedMemory(how.memory);
  }

  /** The answer, if it is kept. */
  known(question: Question): Found | undefined {
    return this.kept.get(this.how.nameOf(question));
  }

  keep(question: Question, found: Found): void {
    this.kept.set(this.how.nameOf(question), found, question.site.maker);
  }

  /** Asks the database; undefined for what does not exist. Rejects with 503. */
  ask(question: Question): Promise<Found | undefined> {
    return this.queue.add(question);
  }

  /** The database may be another one. */
  forgetAll(): void {
    this.forgotten += 1;
    this.kept.clear();
  }

  /** A node that does not answer concerns its own sites only. */
  private async read(questions: Question[]): Promise<(Found | Error | undefined)[]> {
    const { forgotten } = this;
    const { nameOf, read } = this.how;
    const answers = new Map<string, Found | Error>();
    await Promise.all(
      this.nodes.parted(questions).map(async (part) => {
        try {
          const makers = new Map(part.map((question) => [nameOf(question), question.site.maker]));
          for (const [name, found] of await read(part)) {
            answers.set(name, found);
            if (this.forgotten === forgotten) this.kept.set(name, found, makers.get(name) ?? '');
          }
        } catch (error) {
          for (const question of part) answers.set(nameOf(question), error as Error);
        }
      }),
    );
    return questions.map((question) => answers.get(nameOf(question)));
  }
}
