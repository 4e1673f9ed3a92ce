/**
 * How long to wait after the `failed`th failure in a row, counted from 1: each pause is twice as long as the one before, up to the longest.
 */
export function doubledPause(failed: number, firstMs: number, longestMs: number): number {
	return Math.min(firstMs * 2 ** (failed - 1), longestMs);
}
