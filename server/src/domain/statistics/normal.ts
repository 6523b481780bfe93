/** The quantile of the standard normal distribution for 95 % on both sides together, and for a power of 80 %. */
export const Z_95 = 1.959963984540054;
export const Z_80 = 0.8416212335729143;

/** Coefficients of the Chebyshev fit of Numerical Recipes, § 6.2 (`erfcc`): its relative error is below 1.2e-7 everywhere. */
const FIT = [
  ...[-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806],
  ...[0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277],
];

/** The complementary error function of a number from 0 on. */
export function erfc(x: number): number {
  const t = 1 / (1 + x / 2);
  const sum = FIT.reduceRight((rest, one) => one + t * rest, 0);
  return t * Math.exp(sum - x * x);
}

/** The probability of a value at least as far from 0 as `z`, on both sides. */
export const twoSided = (z: number): number => Math.min(1, erfc(Math.abs(z) / Math.SQRT2));
