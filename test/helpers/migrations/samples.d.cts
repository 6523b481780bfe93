declare const makeSamples: (tools: Record<string, unknown>) => unknown;
export = makeSamples;
