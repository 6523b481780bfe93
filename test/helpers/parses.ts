/** Counts the addresses that are parsed, until `end` is called. */
export function watchParses(): { parses(): number; end(): void } {
  const { URL: Parser } = globalThis;
  let parses = 0;
  globalThis.URL = class extends Parser {
    constructor(...given: ConstructorParameters<typeof Parser>) {
      parses += 1;
      super(...given);
    }
    static override canParse(...given: Parameters<typeof Parser.canParse>): boolean {
      parses += 1;
      return Parser.canParse(...given);
    }
  } as typeof Parser;
  return {
    parses: () => parses,
    end: () => {
      globalThis.URL = Parser;
    },
  };
}

/** How many addresses a piece of work has parsed. */
export function countParses(work: () => void): number {
  const { parses, end } = watchParses();
  try {
    work();
  } finally {
    end();
  }
  return parses();
}
