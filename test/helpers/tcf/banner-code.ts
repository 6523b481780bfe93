import type { TcChoice, TcFrame } from '../../../sdk/banner/src/tcf/encode';
import { loadCode } from '../banner/load-code';

export type { TcChoice, TcFrame };

/** What the banner writes and reads strings and ranges with. */
export const { encode } = loadCode<{ encode(choice: TcChoice, frame: TcFrame): string }>('tcf/encode.ts');
export const { decode } = loadCode<{ decode(string: string): TcChoice }>('tcf/decode.ts');
export const { idsOf } = loadCode<{ idsOf(text: string): number[] }>('tcf/ids.ts');
