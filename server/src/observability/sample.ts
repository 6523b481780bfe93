/** Says yes to this share of the times that it is asked, 0 to 1, evenly: of ten one at 0.1. */
export function sampler(share: number): () => boolean {
  if (share >= 1) return () => true;
  let due = 0;
  return () => {
    due += share;
    // Sums of fractions fall a little short.
    if (due < 1 - 1e-9) return false;
    due -= 1;
    return true;
  };
}
